import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import { createTransport } from "nodemailer";
import type { Sending, Settings } from "@/lib/server/settings";
import { SettingsError } from "@/lib/server/settings";
import { isThisMachine } from "@/lib/server/this-machine.mjs";

/** Microsoft 365 allows three concurrent connections per sender. */
export const maxConnections = 3;
/** An idle connection is closed after this time. Consecutive batches follow at once and reuse it. */
const idleMs = 5_000;

/** Mail programs offer one-click unsubscribe only if the DKIM signature covers both List-Unsubscribe headers (RFC 8058). */
const signedHeaders =
  "From:Reply-To:Subject:Date:Message-ID:To:MIME-Version:Content-Type:List-Unsubscribe:List-Unsubscribe-Post";

type EmailSettings = NonNullable<Sending["email"]>;

/** A connection is opened for the first message and kept open for those that follow. */
export function openTransport(
  { url, dkim }: EmailSettings,
  { appUrl }: Settings,
  { connectMs, silenceMs }: { connectMs: number; silenceMs: number },
) {
  const transport = createTransport({
    pool: true,
    ...smtpOptions(url, appUrl),
    maxConnections,
    idleTimeout: idleMs,
    dnsTimeout: connectMs,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    maxResponseSize: 64 * 1024,
    ...(dkim ? { dkim: { ...dkim, privateKey: readDkimKey(dkim.keyFile), headerFieldNames: signedHeaders } } : {}),
  });
  /** The stream of each message in progress, by Message-ID. It is not read before the server asks for the data. */
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
    /** Whether the server may have received part of the message. */
    isBegun: (messageId: string) => streams.get(messageId)?.readableDidRead === true,
    forget: (messageId: string) => streams.delete(messageId),
  };
}

/**
 * The options for the server in SMTP_URL, whose query (?tls.rejectUnauthorized=false, ?name=host.example) takes precedence.
 * To another machine, a password is sent encrypted or not at all: the schema of the settings refuses queries that prevent it.
 */
export function smtpOptions(address: string, appUrl: string) {
  const url = new URL(address);
  const isLocal = isThisMachine(address);
  return {
    url: address,
    // By default, a machine without a domain greets as '[127.0.0.1]', which relays treat as spam.
    ...(url.searchParams.has("name") ? {} : { name: new URL(appUrl).hostname }),
    requireTLS: url.password !== "" && !isLocal,
    // Nobody can intercept a connection within this machine, and a fresh mail server has a self-signed certificate.
    ...(isLocal ? { tls: { rejectUnauthorized: false } } : {}),
  };
}

/** Reads the private key in DKIM_KEY_FILE. With a key other than RSA, nodemailer would send unsigned and report no error. */
function readDkimKey(file: string): string {
  try {
    const pem = readFileSync(file, "utf8");
    if (createPrivateKey(pem).asymmetricKeyType === "rsa") return pem;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsError(`Invalid settings:\nDKIM_KEY_FILE: cannot be read as a private key (${code})`);
  }
  throw new SettingsError("Invalid settings:\nDKIM_KEY_FILE: is not an RSA key");
}
