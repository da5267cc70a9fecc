import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { pipeline } from "node:stream";
import { text } from "node:stream/consumers";
import { listen } from "@/__tests__/support/tcp-server";

/** Runs before a page's own scripts and reports to the line what a console would show in red. */
const reporter = `for (const kind of ["error", "unhandledrejection", "securitypolicyviolation"])
  addEventListener(kind, (event) =>
    navigator.sendBeacon("/reported", kind + " " + (event.message ?? event.reason ?? event.blockedURI)));
const write = console.error;
console.error = (...words) => { navigator.sendBeacon("/reported", "console " + words.join(" ")); write(...words) };
document.currentScript.remove();`;

export type Line = Awaited<ReturnType<typeof openLine>>;

/** Starts a proxy between a browser and the product. It does what no driver can do in every engine, such as cutting the network. */
export async function openLine(product: string) {
  /** The status of the next `times` calls. With status 0 the line is cut, and pages fail too. */
  let failure = { status: 0, times: 0 };
  const server = createServer(pass);
  const line = {
    url: `http://localhost:${await listen(server)}`,
    /** What a console would have shown in red. */
    errors: [] as string[],
    /** Runs in each page before its own scripts. */
    before: "",
    cut() {
      line.failWith(0);
      server.closeAllConnections();
    },
    /** Answers the next calls as a proxy does when the product behind it is down. */
    failWith(status: number, times = Number.POSITIVE_INFINITY) {
      failure = { status, times };
    },
    mend: () => line.failWith(0, 0),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };

  async function pass(incoming: IncomingMessage, answer: ServerResponse): Promise<unknown> {
    const { url = "/", method, headers } = incoming;
    if (failure.times > 0 && failure.status === 0) return incoming.socket.destroy();
    if (url === "/reported") {
      line.errors.push(await text(incoming));
      return answer.writeHead(204).end();
    }
    if (failure.times > 0 && url.startsWith("/api/")) {
      failure.times -= 1;
      incoming.resume();
      return answer.writeHead(failure.status, { "content-type": "text/html" }).end("<h1>Away</h1>");
    }
    const encoding = headers.accept?.includes("text/html") ? { "accept-encoding": "identity" } : {};
    const sent = request(new URL(url, product), { method, headers: { ...headers, ...encoding } });
    sent.on("response", (received) => answerWith(received, answer));
    sent.on("error", () => answer.destroy());
    return pipeline(incoming, sent, () => {});
  }

  async function answerWith(received: IncomingMessage, answer: ServerResponse): Promise<unknown> {
    const { statusCode = 502, headers } = received;
    if (!headers["content-type"]?.startsWith("text/html"))
      return pipeline(received, answer.writeHead(statusCode, headers), () => {});
    const nonce = /'nonce-([^']+)'/.exec(String(headers["content-security-policy"]))?.[1] ?? "";
    const script = `<script nonce="${nonce}">${reporter}${line.before}</script>`;
    const page = (await text(received)).replace(/<head[^>]*>/, `$&${script}`);
    const { "content-length": _, "transfer-encoding": __, ...kept } = headers;
    return answer.writeHead(statusCode, kept).end(page);
  }

  return line;
}
