import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { json } from "node:stream/consumers";
import { build } from "esbuild";
import { types } from "pg";
import { withConnection } from "@/lib/server/db/connection";
import { currentSchema, runStudioQuery } from "@/lib/server/db/system-queries";
import { isSameSecret, makeToken } from "@/lib/server/links/token";
import { currentSettings } from "@/lib/server/settings";

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Prisma Studio</title>
<link rel="stylesheet" href="/studio.css"><style>
  body { margin: 0 }
  #root { height: 100vh }
  /* Every column is part of the key, computed and initially sorted, so these icons carry no information. */
  th :is(.lucide-key-round.text-amber-500, .lucide-calculator),
  tr:not(:has([aria-label="Sort ascending"])) th:not(:hover) [data-testid="column-header-controls"] { display: none }
</style>
<div id="root"></div><script src="/studio.js"></script></html>`;

/**
 * Serves Prisma Studio to anybody who has the secret of this start, first in the address and then in a cookie. Requests from
 * other sites, including DNS rebinding, get 403. The Content-Security-Policy blocks the page's usage reports to Prisma.
 */
export async function serveStudio(port: number, databaseUrl: string) {
  // Studio shows dates, times and, as 1231, numeric[] as Postgres writes them. As JavaScript's values, a date could become the
  // day before, and amounts would lose their decimals.
  for (const type of [types.builtins.DATE, types.builtins.TIMESTAMPTZ, 1231]) types.setTypeParser(type, String);
  const entryPoints = { studio: "lib/server/studio/studio-page.ts" };
  const { outputFiles } = await build({ entryPoints, bundle: true, minify: true, write: false, outdir: "/" });
  const { schema } = await withConnection(databaseUrl, currentSchema);
  // Not localhost, which browsers also resolve to ::1. Another user of the machine may use this port there.
  const host = `127.0.0.1:${port}`;
  const secret = makeToken();
  // Cookies do not distinguish ports, so two Studios at once need two cookie names.
  const cookie = `studio-${port}=${secret}`;
  const session = {
    location: `/#schema=${encodeURIComponent(schema)}`,
    "set-cookie": `${cookie}; Path=/; HttpOnly; SameSite=Strict`,
    // The page stores the SQL that somebody typed, which may name people.
    "clear-site-data": '"storage"',
  };
  const server = createServer(async (request, response) => {
    const { headers, url = "" } = request;
    const isOwnPage = headers.host === host && [undefined, `http://${host}`].includes(headers.origin);
    if (isOwnPage && isSameSecret(url, `/?secret=${secret}`)) return response.writeHead(303, session).end();
    if (!isOwnPage || !headers.cookie?.split("; ").some((pair) => isSameSecret(pair, cookie)))
      return response.writeHead(403).end("Open the address that npm run studio printed when it started.");
    response.setHeader("content-security-policy", "connect-src 'self'");
    if (url === "/") return response.setHeader("content-type", "text/html").end(page);
    const file = outputFiles.find(({ path }) => path === url);
    const type = url.endsWith(".css") ? "text/css" : "text/javascript";
    if (file) return response.setHeader("content-type", type).end(file.contents);
    if (url !== "/bff") return response.writeHead(404).end();
    const result = await runQuery(request, databaseUrl).catch(({ name, message, code }) => [{ name, message, code }]);
    response.setHeader("content-type", "application/json").end(JSON.stringify(result));
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  return { address: `http://${host}/?secret=${secret}`, server };
}

/** Runs the SQL of Studio's page on a new connection, so that no statement changes the session of the next one. */
async function runQuery(request: IncomingMessage, databaseUrl: string): Promise<[null, unknown[]]> {
  const { query } = (await json(request)) as { query: { sql: string; parameters: unknown[] } };
  const { timeZone } = currentSettings().brand;
  return [null, await withConnection(databaseUrl, (client) => runStudioQuery(client, query, timeZone))];
}
