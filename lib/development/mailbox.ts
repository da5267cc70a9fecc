import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer, text } from "node:stream/consumers";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";
import type { Brand } from "@/lib/brand";
import { formatToSecond } from "@/lib/domain/zone-time";
import { type Message, mailboxPage, messageItems } from "./mailbox-page";

const maxMessages = 300;
const host = "127.0.0.1";

/** The mail server takes no mail for this address, so that the demo has a bounce. */
export const deadAddress = "no.such.mailbox@example.com";

export type Mailbox = Awaited<ReturnType<typeof openMailbox>>;

/** Starts a mail server, an SMS gateway and a webhook receiver on this machine, and a page that shows what they receive. */
export async function openMailbox(brand: Brand) {
  const messages: Message[] = [];
  let count = 0;
  const receive = (message: Omit<Message, "number" | "time">) => {
    count += 1;
    messages.unshift({ number: count, time: formatToSecond(new Date(), brand), ...message });
    messages.splice(maxMessages);
  };

  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: 1000,
    onRcptTo({ address }, _, done) {
      const error = Object.assign(new Error("5.1.1 There is no such mailbox."), { responseCode: 550 });
      done(address === deadAddress ? error : null);
    },
    onData(stream, { envelope }, done) {
      const to = envelope.rcptTo.map(({ address }) => address);
      buffer(stream)
        .then((raw) => PostalMime.parse(raw))
        .then(({ from, subject = "", text = "", html }) => {
          const sender = from?.name ? `${from.name} <${from.address}>` : (from?.address ?? "");
          receive({ channel: "email", from: sender, to, subject, text, html });
        })
        .then(() => done(), done);
    },
  });
  // A client that disconnects, or does not speak SMTP, must not end the demo.
  smtp.on("error", () => {});
  await once(smtp.listen(0, host), "listening");

  const web = createServer((request, response) => {
    answer(request, response).catch(() => response.writeHead(400).end());
  });
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
    response.setHeader("cache-control", "no-store");
    response.setHeader("referrer-policy", "no-referrer");
    // Without this check, a site whose name resolves to 127.0.0.1 could read the links (DNS rebinding).
    if (request.headers.host !== `${host}:${portOf(web)}`) return response.writeHead(403).end();
    const { pathname, searchParams } = new URL(`http://${host}${request.url}`);
    switch (`${request.method} ${pathname}`) {
      case "GET /":
        return response.setHeader("content-type", "text/html").end(mailboxPage(messages, brand.name));
      case "GET /since": {
        const isNew = ({ number }: Message) => number > Number(searchParams.get("number"));
        return response.setHeader("content-type", "text/plain").end(messageItems(messages.filter(isNew)));
      }
      case "GET /messages.json":
        return response.setHeader("content-type", "application/json").end(JSON.stringify(messages));
      case "POST /sms": {
        const { to, from, text: body } = JSON.parse(await text(request));
        receive({ channel: "sms", from, to: [to], subject: "", text: body });
        return response.setHeader("content-type", "application/json").end("{}");
      }
      case "POST /webhooks": {
        const body = JSON.parse(await text(request));
        const content = JSON.stringify(body, null, 2);
        receive({ channel: "webhook", from: "The app", to: [pathname], subject: body.type, text: content });
        return response.writeHead(204).end();
      }
    }
    return response.writeHead(404).end();
  }
  await once(web.listen(0, host), "listening");

  const url = `http://${host}:${portOf(web)}`;
  /** With these settings, the app sends every message to the mailbox. */
  const settings = {
    SMTP_URL: `smtp://${host}:${portOf(smtp.server)}`,
    SMS_PROVIDER: "generic",
    SMS_URL: `${url}/sms`,
    SMS_BODY: '{"to":"+{to}","from":"{from}","text":"{text}"}',
    // Australia reserves this number for fiction.
    SMS_FROM: "61491570156",
    STAFF_EMAILS: `staff@${brand.supportEmail.split("@")[1]}`,
    WEBHOOK_URL: `${url}/webhooks`,
    WEBHOOK_SECRET: `whsec_${randomBytes(32).toString("base64")}`,
    SANDBOX_RECIPIENTS: "*",
  };
  const close = () => {
    smtp.close();
    web.close();
    web.closeAllConnections();
  };
  return { url, settings, close };
}

const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
