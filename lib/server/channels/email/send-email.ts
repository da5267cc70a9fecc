import type { NodemailerError } from "nodemailer";
import { judgeRefusal } from "@/lib/server/channels/account-fault";
import { isDeadAddress } from "@/lib/server/channels/bounces/dead-address";
import { type Outcome, providerUnavailable } from "@/lib/server/outbox/outcome";
import { currentSettings, type Settings } from "@/lib/server/settings";
import type { RenderedEmail } from "@/lib/server/templates/letter";
import { openTransport } from "./transport";

export interface Email extends RenderedEmail {
  /** The id of the message. The Message-ID is derived from it, so that it is the same for each attempt. */
  id: string;
  to: string;
  /** The address of the page where the recipient can opt out. */
  stop?: string;
  /** Files whose names say their types. */
  attachments?: { filename: string; content: string }[] | undefined;
}

export type Mailer = ReturnType<typeof openMailer>;

/**
 * Nodemailer by itself would wait ten minutes for a silent server, but every attempt must end within its claim's minute. If an
 * email is still behind others of its batch at `beginMs`, it is retried later, because one cut off midway may have been sent.
 */
const defaultLimits = { connectMs: 10_000, silenceMs: 20_000, beginMs: 25_000, wholeMs: 50_000 };

function headersOf(id: string, stop: string | undefined): Record<string, string> {
  // Mail programs unsubscribe by a POST (RFC 8058), which a page cannot accept.
  const unsubscribe = stop?.replace("/stop?", "/api/messages/stop?");
  return {
    // Prevents out-of-office replies (RFC 3834).
    "Auto-Submitted": "auto-generated",
    // Postmark replaces the Message-ID, and repeats this in its webhooks instead.
    "X-PM-Metadata-id": id,
    ...(unsubscribe
      ? { "List-Unsubscribe": `<${unsubscribe}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }
      : {}),
  };
}

/** Opens a mailer for the server in SMTP_URL. Throws a SettingsError if the DKIM key cannot be read. Tests set shorter limits. */
export function openMailer(settings: Settings, limits = defaultLimits) {
  const { brand, sending } = settings;
  if (!sending.email) throw new Error("SMTP_URL is not set");
  const { from = { name: brand.name, address: brand.supportEmail }, replyTo } = sending.email;
  const domain = from.address.split("@").at(-1);
  const { transport, isBegun, forget } = openTransport(sending.email, settings, limits);
  return {
    /** Cuts off after `maxMs`, the rest of the claim's lease: from then on another worker may send the same email. */
    async send(email: Email, maxMs = limits.wholeMs): Promise<Outcome> {
      const { id, to, subject, text, html, stop, attachments = [] } = email;
      const messageId = `<${id}@${domain}>`;
      const cutOff = new AbortController();
      const timers = [
        setTimeout(() => isBegun(messageId) || cutOff.abort(), limits.beginMs),
        setTimeout(() => cutOff.abort(), Math.min(limits.wholeMs, maxMs)),
      ];
      try {
        const { serverMessageId } = await transport.sendMail({
          messageId,
          from,
          to: { name: "", address: to },
          replyTo,
          subject,
          text,
          html,
          attachments,
          headers: headersOf(id, stop),
          xMailer: false,
          signal: cutOff.signal,
        });
        // Without angle brackets, as in a delivery report.
        return judgeRefusal("email", { state: "sent", providerId: serverMessageId?.replace(/^<|>$/g, "") });
      } catch (error) {
        const { response, responseCode } = error as NodemailerError;
        const outcome = outcomeOf(error as NodemailerError, isBegun(messageId));
        return responseCode ? judgeRefusal("email", outcome, { reply: response }) : outcome;
      } finally {
        for (const timer of timers) clearTimeout(timer);
        forget(messageId);
      }
    },
    close: () => transport.close(),
  };
}

let mailer: Mailer | undefined;

/** Opens the mailer at startup, so that a wrong setting is reported at once. It connects with the first message. */
export function openEmail(): Mailer {
  mailer ??= openMailer(currentSettings());
  return mailer;
}

export function sendEmail(email: Email, maxMs?: number): Promise<Outcome> {
  return openEmail().send(email, maxMs);
}

/** Closes the connections, which would keep the process of a command alive. */
export function closeEmail(): void {
  mailer?.close();
  mailer = undefined;
}

/** Replies about the session and not the message: service closing, commands out of order, login required. */
const sessionCodes = [421, 503, 530];

/** `isBegun`: the server had asked for the message's data, and part of it was sent. */
export function outcomeOf(error: NodemailerError, isBegun: boolean): Outcome {
  const { command, responseCode, code } = error;
  const name = replyCodeOf(error);
  if (responseCode && (command === "RCPT TO" || command === "DATA")) {
    if (sessionCodes.includes(responseCode)) return providerUnavailable(name);
    if (responseCode < 500) return { state: "later", error: name };
    const { response = "" } = error;
    // A reply without an enhanced status code (RFC 3463) only says that delivery failed.
    const [, status = "5.0.0"] = name.split(" ");
    const isDead = isDeadAddress(status, response);
    return { state: "failed", error: name, ...(isDead ? { isDeadAddress: true } : {}) };
  }
  // Nodemailer reports a connection that broke in the middle of a message like one that was never established.
  if (isBegun) return { state: "unknown", error: name };
  // Nodemailer itself refused: the recipient is not an address, or the message is larger than the server accepts.
  if (!responseCode && (code === "EENVELOPE" || code === "EMESSAGE")) return { state: "failed", error: name };
  // A server that refuses the connection, the login or the sender refuses every message.
  return providerUnavailable(name);
}

/** Returns a code such as '550 5.1.1' or 'ECONNREFUSED', because a reply's text may contain the address. */
function replyCodeOf({ response = "", originalCode, code, name }: NodemailerError): string {
  const [reply] = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response) ?? [];
  return reply?.replace("-", " ") ?? originalCode ?? code ?? name;
}
