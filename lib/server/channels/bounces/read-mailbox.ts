import { isDatabaseUnavailable } from "@/lib/server/db/errors";
import { isLoopback } from "@/lib/server/this-machine.mjs";
import { applyReport } from "./apply-report";
import { maxReportBytes } from "./read-report";

const silenceMs = 20_000;
/** Of one response. A server may send a whole email, although only its beginning is requested. */
const maxResponseBytes = 10_000_000;
/** Of one round, against responses that never end. The next round continues with what is still unread. */
const maxRound = { bytes: 32_000_000, milliseconds: 300_000 };
/** Its IMAP servers take OAuth 2.0 only (docs/sending.md#microsoft-365). */
const microsoft365 = /(^|\.)(office365|outlook)\.com$/i;

/**
 * Applies the unread emails of the mailbox for delivery reports, and marks each as read afterwards. A crash in between applies
 * an email twice, which changes nothing. `address` is imaps://user:password@host/FOLDER; the folder defaults to INBOX.
 */
export async function readMailbox(address: string): Promise<void> {
  const { protocol, hostname, port, username, password, pathname } = new URL(address);
  const isLocal = isLoopback(hostname);
  const secure = protocol === "imaps:";
  // imapflow is large, so only processes that use the setting load it.
  const { ImapFlow } = await import("imapflow");
  const client = new ImapFlow({
    // A URL has brackets around an IPv6 address, and a connection none.
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (secure ? 993 : 143),
    secure,
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    // To another machine, the password is sent encrypted or not at all.
    ...(isLocal ? { tls: { rejectUnauthorized: false } } : secure ? {} : { doSTARTTLS: true }),
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: silenceMs,
    greetingTimeout: silenceMs,
    socketTimeout: silenceMs,
    maxLineLength: maxResponseBytes,
    maxLiteralSize: maxResponseBytes - 1000,
    maxResponseSize: maxResponseBytes,
    maxResponseTokens: 100_000,
  });
  // Without a listener, the event would end the process. The awaited command rejects with the same error.
  client.on("error", () => {});
  const begun = Date.now();
  // The running command then rejects.
  const watch = setInterval(() => {
    if (client.stats().received > maxRound.bytes || Date.now() - begun > maxRound.milliseconds) client.close();
  }, 100);
  try {
    await client.connect().catch((error) => {
      if (error.authenticationFailed && microsoft365.test(hostname)) error.code = "MICROSOFT_365_TAKES_NO_PASSWORD";
      throwWithCode(error);
    });
    await client.mailboxOpen(decodeURIComponent(pathname.slice(1)) || "INBOX").catch(throwWithCode);
    // imapflow returns false, and throws nothing, if the server refuses to search or to mark an email.
    const unread = (await client.search({ seen: false }, { uid: true })) || refused("SEARCH");
    let failure: unknown;
    for (const uid of unread.map(String)) {
      try {
        const query = { source: { maxLength: maxReportBytes + 1 } };
        const { source } =
          (await client.fetchOne(uid, query, { uid: true }).catch((error) => refused("FETCH", error))) || {};
        if (source) await applyReport(source);
        (await client.messageFlagsAdd(uid, ["\\Seen"], { uid: true })) || refused("STORE");
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error;
        // The other emails are still applied, and the next round retries this one.
        failure ??= error;
      }
    }
    await client.logout();
    if (failure) throw failure;
  } finally {
    clearInterval(watch);
    client.close();
  }
}

/** 'STORE' alone would pass for a code of Postgres, as 'LIMIT' would, and end the round (isDatabaseUnavailable). */
function refused(
  command: string,
  error: Error & { code?: string } = new Error(`The server refused ${command}`),
): never {
  error.code ??= `${command}_REFUSED`;
  throw error;
}

/** The log names an error by its code, which imapflow gives only to errors of the connection. */
function throwWithCode(error: { code?: string; serverResponseCode?: string; authenticationFailed?: boolean }): never {
  error.code ??= error.serverResponseCode ?? (error.authenticationFailed ? "AUTHENTICATIONFAILED" : "REFUSED");
  throw error;
}
