import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Brand } from "@/lib/brand";
import { articles, page, pagePolicy } from "./page";
import type { Inbox } from "./received";
import { type Secrets, takeSms, takeWebhook } from "./take-post";

const mostBytes = 1_000_000;

/** The mailbox's page, and what SMS and webhooks are sent to, for this machine alone. */
export async function serveMailbox(
  inbox: Inbox,
  secrets: Secrets,
  brand: Brand,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    answer(request, response, { inbox, secrets, brand, port: portOf(server) }).catch(() => response.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${portOf(server)}`, close };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

interface Mailbox {
  inbox: Inbox;
  secrets: Secrets;
  brand: Brand;
  port: number;
}

async function answer(request: IncomingMessage, response: ServerResponse, mailbox: Mailbox): Promise<void> {
  const { inbox, secrets, brand, port } = mailbox;
  response.setHeader("cache-control", "no-store");
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("referrer-policy", "no-referrer");
  // A site's name that is made to resolve to 127.0.0.1 would let that site read the links in here.
  if (![`127.0.0.1:${port}`, `localhost:${port}`].includes(request.headers.host ?? "")) return end(response, 403);
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://mailbox");
  switch (`${request.method} ${pathname}`) {
    case "GET /": {
      const nonce = randomBytes(16).toString("base64");
      response.setHeader("content-security-policy", pagePolicy(nonce));
      return end(response, 200, page(inbox.received, brand, nonce), "text/html; charset=utf-8");
    }
    case "GET /since":
      return end(response, 200, articles(inbox.after(Number(searchParams.get("number")))), "text/plain; charset=utf-8");
    case "GET /messages.json":
      return end(response, 200, JSON.stringify(inbox.received), "application/json");
    case "POST /sms":
      return end(response, takeSms(inbox, secrets, request.headers, await bodyOf(request)), "{}", "application/json");
    case "POST /webhooks":
      return end(response, takeWebhook(inbox, secrets, request, await bodyOf(request)));
    default:
      return end(response, 404);
  }
}

function end(response: ServerResponse, status: number, body = "", type = "text/plain"): void {
  response.writeHead(status, { "content-type": type }).end(body);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > mostBytes) throw new Error("Too long");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}
