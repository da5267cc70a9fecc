import "server-only";
import type { Readable } from "node:stream";
import { createTransport } from "nodemailer";
import type { Settings } from "@/lib/server/env";
import type { Outcome } from "@/lib/server/messages/outcome";
import type { WrittenEmail } from "@/lib/server/messages/templates/template";
import { readDkimKey } from "./dkim-key";
import { outcomeOf, type SmtpError } from "./outcome-of";
import { smtpOptions } from "./smtp-options";

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

/** Nodemailer alone would wait for a silent server for ten minutes. The whole attempt ends well within a claim's minute. */
const limits = { connectMs: 10_000, silenceMs: 20_000, wholeMs: 45_000 };

/** Microsoft 365 takes three connections of one sender. */
const connections = 3;
/** After it an idle connection is ended. A batch follows the one before it at once. */
const idleMs = 5_000;

/** For mail programs to stop it by themselves (RFC 8058), which they only do where a signature covers both headers. */
const signed =
  "From:Reply-To:Subject:Date:Message-ID:To:MIME-Version:Content-Type:List-Unsubscribe:List-Unsubscribe-Post";

/** `MAIL_FROM`, in parts: as a whole, a comma in the name would make two senders of it. */
function mailbox(text: string): { name: string; address: string } {
  const [, name = "", address = text] = /^(.*)<([^<>]+)>$/.exec(text) ?? [];
  return { name: name.trim().replace(/^"(.*)"$/, "$1"), address };
}

/** Sends by the server of SMTP_URL. Reads the key for DKIM, and throws a SettingsError where it cannot. */
export function openMailer({ sending, brand, appUrl }: Settings, { connectMs, silenceMs, wholeMs } = limits): Mailer {
  const { email } = sending;
  if (!email) throw new Error("SMTP_URL is not set");
  const from = email.from ? mailbox(email.from) : { name: brand.name, address: brand.supportEmail };
  const { dkim } = email;
  const transport = createTransport({
    pool: true,
    ...smtpOptions(email.url, appUrl),
    maxConnections: connections,
    idleTimeout: idleMs,
    dnsTimeout: connectMs,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    ...(dkim
      ? {
          dkim: {
            domainName: dkim.domainName,
            keySelector: dkim.keySelector,
            privateKey: readDkimKey(dkim.keyFile),
            headerFieldNames: signed,
          },
        }
      : {}),
  });
  /** Each message as it is sent, by its Message-ID. It is read from once the server has asked for it, and not before. */
  const streams = new Map<string, Readable>();
  transport.use("stream", (mail, done) => {
    const { message } = mail;
    const open = message.createReadStream.bind(message);
    message.createReadStream = (options) => {
      const stream = open(options);
      streams.set(message.messageId(), stream);
      return stream;
    };
    done();
  });

  return {
    async send({ id, to, subject, text, html, stop }) {
      const messageId = `<${id}@${from.address.split("@").at(-1)}>`;
      try {
        const { serverMessageId: providerId } = await transport.sendMail({
          messageId,
          from,
          to: { name: "", address: to },
          ...(email.replyTo ? { replyTo: mailbox(email.replyTo) } : {}),
          subject,
          text,
          html,
          headers: {
            // No out-of-office replies (RFC 3834).
            "Auto-Submitted": "auto-generated",
            ...(stop ? { "List-Unsubscribe": `<${stop}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" } : {}),
          },
          xMailer: false,
          signal: AbortSignal.timeout(wholeMs),
        });
        return { state: "sent", ...(providerId ? { providerId } : {}) };
      } catch (error) {
        return outcomeOf(error as SmtpError, streams.get(messageId)?.readableDidRead === true);
      } finally {
        streams.delete(messageId);
      }
    },
    close: () => transport.close(),
  };
}
