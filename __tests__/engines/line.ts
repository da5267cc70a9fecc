import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";
import { text } from "node:stream/consumers";

/** Runs before every script of a page, and reports to the line what a console would show in red. */
const reporter = `for (const kind of ["error", "unhandledrejection", "securitypolicyviolation"])
  addEventListener(kind, (event) =>
    navigator.sendBeacon("/reported", kind + " " + (event.message ?? event.reason ?? event.blockedURI)));
const write = console.error;
console.error = (...words) => { navigator.sendBeacon("/reported", "console " + words.join(" ")); write(...words) };
document.currentScript.remove();`;

/** Between a browser and the product: what no driver can do in every engine, the line does to each. */
export class Line {
  /** What a console would have shown in red. */
  readonly errors: string[] = [];
  /** Runs in each page before its own scripts. */
  before = "";
  /** The status of the next calls, so many times; 0 for a line that is cut, pages included. */
  private failure = { status: 0, times: 0 };
  /** Of the person, for whom limits count. */
  private readonly address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
  private readonly server = createServer((asked, answer) => this.pass(asked, answer));

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

  /** Answers the next calls as a proxy would that finds no product behind it. */
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

  private async pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { status, times } = this.failure;
    if (times > 0 && status === 0) return void asked.socket.destroy();
    if (asked.url === "/reported") {
      this.errors.push(await text(asked));
      return void answer.writeHead(204).end();
    }
    if (times > 0 && asked.url?.startsWith("/api/")) {
      this.failure.times -= 1;
      asked.resume();
      return void answer.writeHead(status, { "content-type": "text/html" }).end("<h1>Away</h1>");
    }
    const { "accept-encoding": _, ...uncompressed } = asked.headers;
    const headers = asked.headers.accept?.includes("text/html") ? uncompressed : asked.headers;
    const sent = request(new URL(asked.url ?? "/", this.product), {
      method: asked.method,
      headers: { ...headers, host: asked.headers.host, "x-forwarded-for": this.address },
    });
    sent.on("response", (got) => this.answerWith(got, answer));
    sent.on("error", () => answer.destroy());
    pipeline(asked, sent, () => {});
  }

  private async answerWith(got: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { statusCode = 502, headers } = got;
    if (!headers["content-type"]?.startsWith("text/html"))
      return void pipeline(got, answer.writeHead(statusCode, headers), () => {});
    const nonce = /'nonce-([^']+)'/.exec(String(headers["content-security-policy"]))?.[1] ?? "";
    const script = `<script nonce="${nonce}">${reporter}${this.before}</script>`;
    const page = (await text(got)).replace(/<head[^>]*>/, `$&${script}`);
    const { "content-length": _, "transfer-encoding": __, ...kept } = headers;
    answer.writeHead(statusCode, kept).end(page);
  }
}
