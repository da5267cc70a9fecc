import "server-only";
import { createHash } from "node:crypto";
import { query } from "@/lib/server/database/query";
import type { Contact } from "@/lib/server/outbox/invited-contact";

/** What a stop is kept under: no address. Email addresses without regard to case. */
export function addressHash(channel: string, address: string): string {
  return createHash("sha256").update(`${channel}:${address.toLowerCase()}`).digest("hex");
}

/** Those of the recipients who want no invitations and reminders. */
export async function stoppedAmong(contacts: Contact[]): Promise<Set<string>> {
  const byHash = new Map(contacts.map(({ channel, recipient }) => [addressHash(channel, recipient), recipient]));
  const { rows } = await query<{ hash: string }>({
    text: `SELECT "addressHash" AS hash FROM suppressions WHERE "addressHash" = ANY ($1)`,
    values: [[...byHash.keys()]],
  });
  return new Set(rows.map(({ hash }) => byHash.get(hash) ?? ""));
}
