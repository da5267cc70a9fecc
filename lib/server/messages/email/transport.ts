import "server-only";
import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import { createTransport } from "nodemailer";
import type { Sending, Settings } from "@/lib/server/settings";
import { SettingsError } from "@/lib/server/settings";
import { isThisMachine } from "@/lib/server/this-machine.mjs";

/** Microsoft 365 takes three connections of one sender. */
const connections = 3;
/** After it an idle connection is ended. A batch follows the one before it at once. */
const idleMs = 5_000;

/** Of the server's answer to one command. */
const mostBytes = 64 * 1024;

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
    maxResponseSize: mostBytes,
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

/**
 * How the server of SMTP_URL is spoken to; what its query says (?tls.rejectUnauthorized=false, ?name=host.example) comes
 * on top. To another machine a password goes out encrypted or not at all, unless ?ignoreTLS=true asks for it.
 */
export function smtpOptions(address: string, appUrl: string) {
  const url = new URL(address);
  const isHere = isThisMachine(address);
  return {
    url: address,
    // By default it is '[127.0.0.1]' on a machine without a domain, which relays take for a spammer's.
    ...(url.searchParams.has("name") ? {} : { name: new URL(appUrl).hostname }),
    requireTLS: url.password !== "" && !isHere && url.searchParams.get("ignoreTLS") !== "true",
    // Nobody stands between this machine and itself, and mail servers of a fresh system sign their own certificate.
    ...(isHere ? { tls: { rejectUnauthorized: false } } : {}),
  };
}

/** The private key in DKIM_KEY_FILE. With any but an RSA key nodemailer would send unsigned and report no error. */
function readDkimKey(file: string): string {
  try {
    const pem = readFileSync(file, "utf8");
    if (createPrivateKey(pem).asymmetricKeyType === "rsa") return pem;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new SettingsError(`A setting cannot be used.\nDKIM_KEY_FILE: cannot be read as a private key (${code})`);
  }
  throw new SettingsError("A setting cannot be used.\nDKIM_KEY_FILE: is not an RSA key");
}
