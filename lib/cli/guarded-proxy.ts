import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";

export interface GuardedProxy {
  /** Where to open it: with the secret that the proxy made for this start. */
  address: string;
  close(): void;
}

/**
 * Stands on `port` in front of a server on a socket: its pages then talk to nobody but itself (they would report their use
 * to their maker). It answers whoever has the secret, first from the address, then from a cookie, and only to pages of this
 * very address.
 */
export async function guardedProxy(port: number, socket: string): Promise<GuardedProxy> {
  const hosts = [`localhost:${port}`, `127.0.0.1:${port}`];
  const origins = [undefined, ...hosts.map((host) => `http://${host}`)];
  const secret = randomBytes(32).toString("base64url");
  // A cookie belongs to every port of a host: two Studios at once need two names.
  const cookie = `studio-${port}`;
  const server = createServer((asked, answer) => {
    const { host, origin } = asked.headers;
    const isOurs = hosts.includes(host ?? "") && origins.includes(origin);
    const given = new URLSearchParams(asked.url?.split("?")[1]).get("secret");
    if (isOurs && isSame(given, secret)) {
      const kept = `${cookie}=${secret}; Path=/; HttpOnly; SameSite=Strict`;
      answer.writeHead(303, { location: "/", "set-cookie": kept, "referrer-policy": "no-referrer" }).end();
    } else if (isOurs && isSame(cookieIn(cookie, asked.headers.cookie), secret)) pass(asked, answer, socket);
    else answer.writeHead(403).end();
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  return {
    address: `http://localhost:${port}/?secret=${secret}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function cookieIn(name: string, cookies = ""): string | undefined {
  const pair = cookies.split(/; */).find((one) => one.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}

function isSame(given: string | null | undefined, secret: string): boolean {
  const [one, other] = [Buffer.from(given ?? ""), Buffer.from(secret)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function pass(asked: IncomingMessage, answer: ServerResponse, socketPath: string): void {
  const { cookie: _, ...headers } = asked.headers;
  const onward = request({ socketPath, method: asked.method, path: asked.url, headers }, (given) => {
    answer.writeHead(given.statusCode ?? 502, { ...given.headers, "content-security-policy": "connect-src 'self'" });
    given.pipe(answer);
  });
  onward.on("error", () => answer.destroy());
  asked.pipe(onward);
}
