import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";
import { text } from "node:stream/consumers";
import { newAddress } from "@/__tests__/support/processes/call";

/** Runs before a page's own scripts and reports to the line what a console would show in red. */
const reporter = `for (const kind of ["error", "unhandledrejection", "securitypolicyviolation"])
  addEventListener(kind, (event) =>
    navigator.sendBeacon("/reported", kind + " " + (event.message ?? event.reason ?? event.blockedURI)));
const write = console.error;
console.error = (...words) => { navigator.sendBeacon("/reported", "console " + words.join(" ")); write(...words) };
document.currentScript.remove();`;

/** A proxy between a browser and the product. It does what no driver can do in every engine, such as cutting the network. */
export class Line {
  /** What a console would have shown in red. */
  readonly errors: string[] = [];
  /** Runs in each page before its own scripts. */
  before = "";
  /** The status of the next `times` calls. With status 0 the line is cut, and pages fail too. */
  private failure = { status: 0, times: 0 };
  /** The client address by which the product's rate limits count this person. */
  private readonly address = newAddress();
  private readonly server = createServer((incoming, answer) => this.pass(incoming, answer));

  constructor(private readonly product: string) {}

  async open(): Promise<this> {
    await once(this.server.listen(0, "127.0.0.1"), "listening");
    return this;
  }

  get url(): string {
    return `http://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  cut(): void {
    this.failWith(0);
    this.server.closeAllConnections();
  }

  /** Answers the next calls as a proxy does when the product behind it is down. */
  failWith(status: number, times = Number.POSITIVE_INFINITY): void {
    this.failure = { status, times };
  }

  mend(): void {
    this.failure.times = 0;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async pass(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { status, times } = this.failure;
    if (times > 0 && status === 0) return void incoming.socket.destroy();
    if (incoming.url === "/reported") {
      this.errors.push(await text(incoming));
      return void answer.writeHead(204).end();
    }
    if (times > 0 && incoming.url?.startsWith("/api/")) {
      this.failure.times -= 1;
      incoming.resume();
      return void answer.writeHead(status, { "content-type": "text/html" }).end("<h1>Away</h1>");
    }
    const { "accept-encoding": _, ...uncompressed } = incoming.headers;
    const headers = incoming.headers.accept?.includes("text/html") ? uncompressed : incoming.headers;
    const sent = request(new URL(incoming.url ?? "/", this.product), {
      method: incoming.method,
      headers: { ...headers, host: incoming.headers.host, "x-forwarded-for": this.address },
    });
    sent.on("response", (received) => this.answerWith(received, answer));
    sent.on("error", () => answer.destroy());
    pipeline(incoming, sent, () => {});
  }

  private async answerWith(received: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { statusCode = 502, headers } = received;
    if (!headers["content-type"]?.startsWith("text/html"))
      return void pipeline(received, answer.writeHead(statusCode, headers), () => {});
    const nonce = /'nonce-([^']+)'/.exec(String(headers["content-security-policy"]))?.[1] ?? "";
    const script = `<script nonce="${nonce}">${reporter}${this.before}</script>`;
    const page = (await text(received)).replace(/<head[^>]*>/, `$&${script}`);
    const { "content-length": _, "transfer-encoding": __, ...kept } = headers;
    answer.writeHead(statusCode, kept).end(page);
  }
}
