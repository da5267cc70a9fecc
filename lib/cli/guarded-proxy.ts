import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";

/**
 * A proxy on `port` in front of Prisma Studio. Its Content-Security-Policy blocks the usage reports that Studio's pages
 * send to Prisma. Because it rewrites Host and Origin, it checks them itself: requests of other sites, also by DNS
 * rebinding, get 403. Returns a function that closes it.
 */
export async function guardedProxy(port: number, behind: number): Promise<() => void> {
  const hosts = [`localhost:${port}`, `127.0.0.1:${port}`];
  const origins = [undefined, ...hosts.map((host) => `http://${host}`)];
  const server = createServer((asked, answer) => {
    const { host, origin } = asked.headers;
    if (hosts.includes(host ?? "") && origins.includes(origin)) pass(asked, answer, behind);
    else answer.writeHead(403).end();
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  return () => {
    server.close();
    server.closeAllConnections();
  };
}

function pass(asked: IncomingMessage, answer: ServerResponse, port: number): void {
  const host = `localhost:${port}`;
  const headers: NodeJS.Dict<string | string[]> = { ...asked.headers, host };
  if (headers.origin) headers.origin = `http://${host}`;
  const onward = request({ host: "127.0.0.1", port, method: asked.method, path: asked.url, headers }, (given) => {
    answer.writeHead(given.statusCode ?? 502, { ...given.headers, "content-security-policy": "connect-src 'self'" });
    given.pipe(answer);
  });
  onward.on("error", () => answer.destroy());
  asked.pipe(onward);
}
