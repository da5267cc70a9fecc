import { once } from "node:events";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { isSameSecret, makeToken } from "@/lib/server/links/token";
import { answerStudio, bundleStudio, studioHtml } from "./studio";

/**
 * Serves Prisma Studio to anybody who has the secret of this start, first in the address and then in a cookie. Requests from
 * other sites, including DNS rebinding, get 403. The Content-Security-Policy blocks the page's usage reports to Prisma.
 */
export async function serveStudio(port: number, databaseUrl: string) {
  const files = await bundleStudio();
  const page = await studioHtml(databaseUrl, "/");
  // Not localhost, which browsers also resolve to ::1. Another user of the machine may use this port there.
  const host = `127.0.0.1:${port}`;
  const secret = makeToken();
  // Cookies do not distinguish ports, so two Studios at once need two cookie names.
  const cookie = `studio-${port}=${secret}`;
  const session = { location: "/", "set-cookie": `${cookie}; Path=/; HttpOnly; SameSite=Strict` };
  const server = createServer(async (request, response) => {
    const { headers, url = "" } = request;
    const isOwnPage = headers.host === host && [undefined, `http://${host}`].includes(headers.origin);
    if (isOwnPage && isSameSecret(url, `/?secret=${secret}`)) return response.writeHead(303, session).end();
    if (!isOwnPage || !headers.cookie?.split("; ").some((pair) => isSameSecret(pair, cookie)))
      return response.writeHead(403).end("Open the address that npm run studio printed when it started.");
    response.setHeader("content-security-policy", "connect-src 'self'");
    if (url === "/") return response.setHeader("content-type", "text/html").end(page);
    const file = files.get(url.slice(1));
    if (file) return response.setHeader("content-type", file.type).end(file.contents);
    if (url !== "/bff") return response.writeHead(404).end();
    const body = await json(request).catch(() => ({}));
    response.setHeader("content-type", "application/json").end(JSON.stringify(await answerStudio(body, databaseUrl)));
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  return { address: `http://${host}/?secret=${secret}`, server };
}
