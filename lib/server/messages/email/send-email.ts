import "server-only";
import { isDeadAddress } from "@/lib/server/messages/bounces/dead-address";
import { type Outcome, providerAway } from "@/lib/server/messages/outcome";
import type { WrittenEmail } from "@/lib/server/messages/templates/letter";
import { currentSettings, type Settings } from "@/lib/server/settings";
import { openTransport } from "./transport";

export interface Email extends WrittenEmail {
  /** The message's; its Message-ID follows from it, and is the same for each attempt. */
  id: string;
  to: string;
  /** Where its reader stops such messages. */
  stop?: string | undefined;
}

export interface Mailer {
  send(email: Email): Promise<Outcome>;
  close(): void;
}

/**
 * Nodemailer alone would wait for a silent server for ten minutes. Every attempt ends within a claim's minute: what has not
 * begun in good time, behind others of its batch, is left for later, since a message that is cut off may have been sent.
 */
const limits = { connectMs: 10_000, silenceMs: 20_000, beginMs: 25_000, wholeMs: 50_000 };

/** `MAIL_FROM`, in parts: as a whole, a comma in the name would make two senders of it. */
function mailbox(text: string): { name: string; address: string } {
  const [, name = "", address = text] = /^(.*)<([^<>]+)>$/.exec(text) ?? [];
  return { name: name.trim().replace(/^"(.*)"$/, "$1"), address };
}

function headersOf(stop: string | undefined): Record<string, string> {
  return {
    // No out-of-office replies (RFC 3834).
    "Auto-Submitted": "auto-generated",
    ...(stop ? { "List-Unsubscribe": `<${stop}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" } : {}),
  };
}

/** Sends by the server of SMTP_URL. Reads the key for DKIM, and throws a SettingsError where it cannot. */
export function openMailer(settings: Settings, within = limits): Mailer {
  const { brand, sending } = settings;
  const { email } = sending;
  if (!email) throw new Error("SMTP_URL is not set");
  const from = email.from ? mailbox(email.from) : { name: brand.name, address: brand.supportEmail };
  const replyTo = email.replyTo ? { replyTo: mailbox(email.replyTo) } : {};
  const domain = from.address.split("@").at(-1);
  const { transport, isBegun, forget } = openTransport(email, settings, within);
  return {
    async send({ id, to, subject, text, html, stop }) {
      const messageId = `<${id}@${domain}>`;
      const cutOff = new AbortController();
      const timers = [
        setTimeout(() => isBegun(messageId) || cutOff.abort(), within.beginMs),
        setTimeout(() => cutOff.abort(), within.wholeMs),
      ];
      try {
        const { serverMessageId: providerId } = await transport.sendMail({
          messageId,
          from,
          to: { name: "", address: to },
          ...replyTo,
          subject,
          text,
          html,
          headers: headersOf(stop),
          xMailer: false,
          signal: cutOff.signal,
        });
        return { state: "sent", ...(providerId ? { providerId } : {}) };
      } catch (error) {
        return outcomeOf(error as SmtpError, isBegun(messageId));
      } finally {
        for (const timer of timers) clearTimeout(timer);
        forget(messageId);
      }
    },
    close: () => transport.close(),
  };
}

let mailer: Mailer | undefined;

/** Opens what email is sent through, so that a wrong setting shows at the start. It connects with the first message. */
export function openEmail(): Mailer {
  mailer ??= openMailer(currentSettings());
  return mailer;
}

export function sendEmail(email: Email): Promise<Outcome> {
  return openEmail().send(email);
}

/** Ends its connections, which would keep a command from ending. */
export function closeEmail(): void {
  mailer?.close();
  mailer = undefined;
}

/** What nodemailer adds to an error. */
export interface SmtpError extends Error {
  code?: string;
  /** Of the operating system, where `code` is nodemailer's. */
  originalCode?: string;
  /** The command that was answered so; CONN where none was. */
  command?: string;
  response?: string;
  responseCode?: number;
}

/** Session in disorder, and log in first: not this message's fault. */
const ofTheSession = [421, 503, 530];

/** `isBegun`: the server had asked for the message, and something of it was sent. */
export function outcomeOf(error: SmtpError, isBegun: boolean): Outcome {
  const { command, responseCode, code } = error;
  const name = nameOf(error);
  if (responseCode && (command === "RCPT TO" || command === "DATA")) {
    if (ofTheSession.includes(responseCode)) return providerAway(name);
    if (responseCode < 500) return { state: "later", error: name };
    const { response = "" } = error;
    // Without a status of its own, a reply says no more than 'failed'.
    const [, status = "5.0.0"] = name.split(" ");
    const isDead = isDeadAddress(status, response);
    return { state: "failed", error: name, ...(isDead ? { isDeadAddress: true } : {}) };
  }
  // Nodemailer reports a connection lost in the middle of a message like one that never came to be.
  if (isBegun) return { state: "unknown", error: name };
  // No server was asked: there is no such recipient, or the message is larger than the server takes.
  if (!responseCode && (code === "EENVELOPE" || code === "EMESSAGE")) return { state: "failed", error: name };
  // What a server has against the connection, the login or the sender, it has against every message.
  return providerAway(name);
}

/** '550 5.1.1', 'ECONNREFUSED': a reply's text may hold the address. */
function nameOf({ response = "", originalCode, code, name }: SmtpError): string {
  const [reply] = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response) ?? [];
  return reply?.replace("-", " ") ?? originalCode ?? code ?? name;
}
