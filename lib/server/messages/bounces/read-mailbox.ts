import "server-only";
import { isDatabaseAway } from "@/lib/server/db/errors";
import { isLoopback } from "@/lib/server/this-machine.mjs";
import { applyReport } from "./apply-report";
import { largest } from "./read-report";

const silenceMs = 20_000;

/**
 * Applies the unread emails of the mailbox that delivery reports come to, and marks each as read afterwards: one that was
 * applied twice, after a crash, changes nothing. `address` is imaps://user:password@host/FOLDER, by default INBOX.
 */
export async function readMailbox(address: string): Promise<void> {
  const { protocol, hostname, port, username, password, pathname } = new URL(address);
  const isHere = isLoopback(hostname);
  const secure = protocol === "imaps:";
  // Only where the setting is used: it is not small.
  const { ImapFlow } = await import("imapflow");
  const client = new ImapFlow({
    host: hostname,
    port: Number(port) || (secure ? 993 : 143),
    secure,
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    // The password goes out encrypted, or not at all.
    ...(isHere ? { tls: { rejectUnauthorized: false } } : secure ? {} : { doSTARTTLS: true }),
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: silenceMs,
    greetingTimeout: silenceMs,
    socketTimeout: silenceMs,
  });
  // Whoever awaits a command hears of the failure as well.
  client.on("error", () => {});
  await client.connect();
  try {
    await client.mailboxOpen(decodeURIComponent(pathname.slice(1)) || "INBOX");
    const unread = (await client.search({ seen: false }, { uid: true })) || [];
    let failure: unknown;
    for (const uid of unread) {
      const email = await client.fetchOne(String(uid), { source: { maxLength: largest + 1 } }, { uid: true });
      const { source } = email || {};
      try {
        if (source) await applyReport(source);
        await client.messageFlagsAdd(String(uid), ["\\Seen"], { uid: true });
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        // The others are applied all the same, and this one is tried again with the next round.
        failure ??= error;
      }
    }
    await client.logout();
    if (failure) throw failure;
  } finally {
    client.close();
  }
}
