import "server-only";
import type { Readable } from "node:stream";
import { createTransport } from "nodemailer";
import type { Sending, Settings } from "@/lib/server/settings";
import { readDkimKey } from "./dkim-key";
import { smtpOptions } from "./smtp-options";

/** Microsoft 365 takes three connections of one sender. */
const connections = 3;
/** After it an idle connection is ended. A batch follows the one before it at once. */
const idleMs = 5_000;

/** A mail program lets its reader stop messages by itself only where a signature covers both headers for it (RFC 8058). */
const signed =
  "From:Reply-To:Subject:Date:Message-ID:To:MIME-Version:Content-Type:List-Unsubscribe:List-Unsubscribe-Post";

type EmailSettings = NonNullable<Sending["email"]>;

/** Opened with the first message, and kept open for those that follow. */
export function openTransport(
  { url, dkim }: EmailSettings,
  { appUrl }: Settings,
  { connectMs, silenceMs }: { connectMs: number; silenceMs: number },
) {
  const transport = createTransport({
    pool: true,
    ...smtpOptions(url, appUrl),
    maxConnections: connections,
    idleTimeout: idleMs,
    dnsTimeout: connectMs,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    ...(dkim ? { dkim: { ...dkim, privateKey: readDkimKey(dkim.keyFile), headerFieldNames: signed } } : {}),
  });
  /** Each message on its way, by its Message-ID. It is read from once the server has asked for it, and not before. */
  const streams = new Map<string, Readable>();
  transport.use("stream", ({ message }, done) => {
    const open = message.createReadStream.bind(message);
    message.createReadStream = (options) => {
      const stream = open(options);
      streams.set(message.messageId(), stream);
      return stream;
    };
    done();
  });
  return {
    transport,
    /** Whether the server may have something of the message. */
    isBegun: (messageId: string) => streams.get(messageId)?.readableDidRead === true,
    forget: (messageId: string) => streams.delete(messageId),
  };
}
