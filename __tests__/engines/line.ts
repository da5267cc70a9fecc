import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pipeline } from "node:stream";
import { text } from "node:stream/consumers";

/** Runs before every script of a page, and reports to the line what a console would show in red. */
const ear = `for (const kind of ["error", "unhandledrejection", "securitypolicyviolation"])
  addEventListener(kind, (told) => navigator.sendBeacon("/heard", kind + " " + (told.message ?? told.reason ?? told.blockedURI)));
const said = console.error;
console.error = (...words) => { navigator.sendBeacon("/heard", "console " + words.join(" ")); said(...words) };
document.currentScript.remove();`;

/**
 * Between a browser and the product: what no driver can do in every engine, the line does to each. It fails calls, is cut,
 * puts a script before those of each page, and hears errors.
 */
export class Line {
  readonly heard: string[] = [];
  /** Runs in each page before its own scripts. */
  before = "";
  private fails: { status: number; times: number } | null = null;
  private isCut = false;
  /** Of the person, for whom limits count. */
  readonly address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
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
    this.isCut = true;
    this.server.closeAllConnections();
  }

  /** Answers the next calls as a proxy would that finds no product behind it. */
  failWith(status: number, times = Number.POSITIVE_INFINITY): void {
    this.fails = { status, times };
  }

  mend(): void {
    this.isCut = false;
    this.fails = null;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async pass(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    if (this.isCut) return void asked.socket.destroy();
    if (asked.url === "/heard") {
      this.heard.push(await text(asked));
      return void answer.writeHead(204).end();
    }
    if (this.fails && asked.url?.startsWith("/api/")) {
      const { status } = this.fails;
      this.fails.times -= 1;
      if (this.fails.times <= 0) this.fails = null;
      asked.resume();
      return void answer.writeHead(status, { "content-type": "text/html" }).end("<h1>Away</h1>");
    }
    this.forward(asked, answer);
  }

  private forward(asked: IncomingMessage, answer: ServerResponse): void {
    const { "accept-encoding": _, ...uncompressed } = asked.headers;
    const headers = asked.headers.accept?.includes("text/html") ? uncompressed : asked.headers;
    const sent = request(new URL(asked.url ?? "/", this.product), {
      method: asked.method,
      headers: { ...headers, host: asked.headers.host, "x-forwarded-for": this.address },
    });
    sent.on("response", async (got) => {
      const isPage = got.headers["content-type"]?.startsWith("text/html");
      if (!isPage) {
        answer.writeHead(got.statusCode ?? 502, got.headers);
        return void pipeline(got, answer, () => {});
      }
      const nonce = /'nonce-([^']+)'/.exec(String(got.headers["content-security-policy"]))?.[1] ?? "";
      const page = (await text(got)).replace(/<head[^>]*>/, `$&<script nonce="${nonce}">${ear}${this.before}</script>`);
      const { "content-length": __, "transfer-encoding": ___, ...kept } = got.headers;
      answer.writeHead(got.statusCode ?? 502, kept).end(page);
    });
    sent.on("error", () => answer.destroy());
    pipeline(asked, sent, () => {});
  }
}
