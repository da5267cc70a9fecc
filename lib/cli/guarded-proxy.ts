import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

export interface GuardedProxy {
  /** With this start's secret. */
  address: string;
  close(): void;
}

/** What the proxy stands in front of. */
export interface Behind {
  socket: string;
  /** The fragment of the address at which it opens. */
  start: string;
  /** Changes an answer of one of these paths. */
  paths: string[];
  change(path: string, text: string): string;
}

/**
 * A proxy on `port` in front of Prisma Studio on a socket. Its Content-Security-Policy blocks the usage reports that
 * Studio's pages send to Prisma. A request needs this start's secret, first from the address, then from a cookie; requests
 * of other sites, also by DNS rebinding, get 403 as well.
 */
export async function guardedProxy(port: number, studio: Behind): Promise<GuardedProxy> {
  // Not localhost, which browsers also look for at ::1: another user of the machine may hold this port there.
  const ours = `127.0.0.1:${port}`;
  const origins = [undefined, `http://${ours}`];
  const secret = randomBytes(32).toString("base64url");
  // Cookies ignore ports, so two Studios at once need two names.
  const cookie = `studio-${port}`;
  const server = createServer((asked, answer) => {
    const { host, origin } = asked.headers;
    const isOurs = host === ours && origins.includes(origin);
    const given = new URLSearchParams(asked.url?.split("?")[1]).get("secret");
    if (isOurs && isSame(given, secret)) {
      const kept = `${cookie}=${secret}; Path=/; HttpOnly; SameSite=Strict`;
      answer
        .writeHead(303, { location: `/#${studio.start}`, "set-cookie": kept, "referrer-policy": "no-referrer" })
        .end();
    } else if (isOurs && isSame(cookieIn(cookie, asked.headers.cookie), secret)) pass(asked, answer, studio);
    else answer.writeHead(403).end();
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  return {
    address: `http://${ours}/?secret=${secret}`,
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

function pass(asked: IncomingMessage, answer: ServerResponse, { socket, paths, change }: Behind): void {
  const { cookie: _, ...headers } = asked.headers;
  const { url: path = "", method } = asked;
  const onward = request({ socketPath: socket, method, path, headers }, async (given) => {
    const isChanged = paths.includes(path) && given.statusCode === 200;
    const { "content-length": length, ...sent } = given.headers;
    const kept = isChanged || length === undefined ? sent : given.headers;
    answer.writeHead(given.statusCode ?? 502, { ...kept, "content-security-policy": "connect-src 'self'" });
    if (!isChanged) return given.pipe(answer);
    answer.end(change(path, await text(given)));
  });
  onward.on("error", () => answer.destroy());
  asked.pipe(onward);
}
