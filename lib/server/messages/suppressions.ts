import "server-only";
import { createHash } from "node:crypto";
import { query } from "@/lib/server/db/query";
import type { Contact } from "@/lib/server/messages/outbox/invited-contact";
import { commercialKinds } from "@/lib/server/messages/outbox/kinds";
import { isStopCode, stopHash } from "./stop-code";

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

type Channel = Contact["channel"];

interface Suppressed {
  /** False where the address was suppressed already. */
  isNew: boolean;
  /** Invitations and reminders that waited. */
  cancelled: number;
}

/** Waits for what is about to be sent to the address: it goes out before the stop is acknowledged, and nothing after it. */
const awaitSending = `
  SELECT FROM messages WHERE state = 'sending' AND channel = $1::"MessageChannel" AND lower(recipient) = lower($2) FOR SHARE`;

const add = `
  WITH added AS (
    INSERT INTO suppressions (channel, "addressHash", reason, by) VALUES ($1::"MessageChannel", $2, $3, $4)
    ON CONFLICT (channel, "addressHash") DO NOTHING RETURNING id
  ), cancelled AS (
    UPDATE messages SET state = 'cancelled', error = 'stopped'
    WHERE state = 'waiting' AND channel = $1::"MessageChannel" AND lower(recipient) = lower($5) AND kind = ANY ($6)
    RETURNING id
  )
  SELECT EXISTS (SELECT FROM added) AS "isNew", (SELECT count(*) FROM cancelled)::int AS cancelled`;

/** No invitation and no reminder is sent to this address any more: neither what waits, nor what becomes due later. */
export async function suppress(channel: Channel, address: string, why: string, by: string): Promise<Suppressed> {
  const values = [channel, addressHash(channel, address), why, by, address, commercialKinds];
  const { rows } = await query<Suppressed>({ text: add, values });
  await query({ text: awaitSending, values: [channel, address] });
  return rows[0] ?? { isNew: false, cancelled: 0 };
}

/** Since when, and why; null where it is not. */
export async function suppressionOf(channel: Channel, address: string): Promise<Suppression | null> {
  const text = `SELECT "createdAt" AS since, reason, by FROM suppressions
    WHERE channel = $1::"MessageChannel" AND "addressHash" = $2`;
  const { rows } = await query<Suppression>({ text, values: [channel, addressHash(channel, address)] });
  return rows[0] ?? null;
}

export interface Suppression {
  since: Date;
  reason: string;
  by: string;
}

/** What was cancelled stays so. Returns whether there was anything to lift. */
export async function lift(channel: Channel, address: string): Promise<boolean> {
  const text = `DELETE FROM suppressions WHERE channel = $1::"MessageChannel" AND "addressHash" = $2`;
  return (await query({ text, values: [channel, addressHash(channel, address)] })).count > 0;
}

const find = `
  SELECT m.channel, m.recipient FROM message_attempts t JOIN messages m ON m.id = t."messageId"
  WHERE t."stopHash" = $1 AND m.recipient <> '' AND m.channel <> 'webhook'`;

/** The reader of a message stops more of its sort by the code that it carries. An unknown code changes nothing. */
export async function stopByCode(code: string): Promise<void> {
  if (!isStopCode(code)) return;
  const { rows } = await query<{ channel: Channel; recipient: string }>({ text: find, values: [stopHash(code)] });
  const [reader] = rows;
  if (reader) await suppress(reader.channel, reader.recipient, "stopped by its reader", "");
}
