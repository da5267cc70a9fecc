import "server-only";
import { createHash, randomBytes } from "node:crypto";
import { type Db, prisma } from "@/lib/server/db/client";
import { lockApplications } from "@/lib/server/db/statements";
import type { Contact } from "@/lib/server/messages/outbox/enqueue";
import { commercialKinds } from "@/lib/server/messages/outbox/kinds";
import { addressHash, byReader, mailSystem } from "@/lib/server/messages/outbox/stopped";
import type { Message, MessageState, Suppression } from "@/prisma/generated/client";

type Channel = Contact["channel"];

interface Suppressed {
  /** False where the address was suppressed already. */
  isNew: boolean;
  /** Invitations and reminders that waited. */
  cancelled: number;
}

/** Without regard to case. Prisma takes '_' and '%' in an address for wildcards, so what it finds is compared again. */
async function messagesTo(db: Db, channel: Channel, address: string, states: MessageState[]): Promise<Message[]> {
  const found = await db.message.findMany({
    where: { channel, state: { in: states }, recipient: { equals: address, mode: "insensitive" } },
  });
  return found.filter(({ recipient }) => recipient.toLowerCase() === address.toLowerCase());
}

const ids = (messages: Message[]) => ({ in: messages.map(({ id }) => id) });

/** No invitation and no reminder is sent to this address any more: neither what waits, nor what becomes due later. */
export async function suppress(channel: Channel, address: string, reason: string, by: string): Promise<Suppressed> {
  const isNew = await recordStop(prisma(), channel, address, reason, by);
  return { isNew, cancelled: await cancelStopped(channel, address) };
}

/** Records the stop. Returns false if the address was stopped already. */
export async function recordStop(
  db: Db,
  channel: Channel,
  address: string,
  reason: string,
  by: string,
): Promise<boolean> {
  const stop = { channel, addressHash: addressHash(channel, address) };
  // A person's stop is recorded even if the mail system has already stopped the address.
  const known = await db.suppression.count({
    where: { ...stop, ...(by === mailSystem ? {} : byReader) },
  });
  const data = known === 0 ? [{ ...stop, reason, by }] : [];
  const { count } = await db.suppression.createMany({ data, skipDuplicates: true });
  return count > 0;
}

/** Cancels what waits for an address that was stopped, and waits for what is being sent to it. Returns how many were cancelled. */
export function cancelStopped(channel: Channel, address: string): Promise<number> {
  return prisma().$transaction(async (tx) => {
    // Of a message that was cancelled meanwhile, no stop was recorded.
    if ((await tx.suppression.count({ where: { channel, addressHash: addressHash(channel, address) } })) === 0)
      return 0;
    const all = await messagesTo(tx, channel, address, ["waiting", "sending"]);
    // As a correction of the contact and a sender do, before any message is written: otherwise each could wait for the other.
    await lockApplications(
      tx,
      all.flatMap(({ applicationId }) => applicationId ?? []),
    );
    const { count: cancelled } = await tx.message.updateMany({
      where: { id: ids(all), state: "waiting", kind: { in: commercialKinds } },
      data: { state: "cancelled", error: "stopped" },
    });
    // Waits for what is about to be sent to the address: it goes out before the stop is acknowledged, and nothing after it.
    await tx.message.updateMany({ where: { id: ids(all), state: "sending" }, data: { state: "sending" } });
    return cancelled;
  });
}

/** Null if the address is not stopped. A person's stop takes precedence over the mail system's. */
export async function suppressionOf(channel: Channel, address: string): Promise<Suppression | null> {
  const found = await prisma().suppression.findMany({ where: { channel, addressHash: addressHash(channel, address) } });
  return found.find(({ by }) => by !== mailSystem) ?? found[0] ?? null;
}

/** What was cancelled stays so. Returns whether there was anything to lift. */
export async function lift(channel: Channel, address: string): Promise<boolean> {
  const { count } = await prisma().suppression.deleteMany({
    where: { channel, addressHash: addressHash(channel, address) },
  });
  return count > 0;
}

/** The reader of a message stops more of its sort by the code that it carries. An unknown code changes nothing. */
export async function stopByCode(code: string): Promise<void> {
  if (!isStopCode(code)) return;
  const attempt = await prisma().messageAttempt.findUnique({
    where: { stopHash: stopHash(code) },
    include: { message: true },
  });
  if (!attempt || attempt.message.recipient === "" || attempt.message.channel === "webhook") return;
  const { channel, recipient } = attempt.message;
  await suppress(channel, recipient, "stopped by its reader", "");
}

const codeLength = 30;
const codeShape = new RegExp(`^[\\w-]{${codeLength}}`);

/**
 * By which the reader of a message stops others of its sort: 22 random bytes as base64url. So many end in a letter, since some
 * phones drop a '-' or '_' from the end of a link.
 */
export function makeStopCode(): string {
  return randomBytes(22).toString("base64url");
}

/** Whether it can be one, as a message carries it: perhaps with a full stop behind it. */
export function isStopCode(text: unknown): text is string {
  return typeof text === "string" && codeShape.test(text);
}

/** Of the page that stops messages: where mail programs do it by themselves, with a POST, which no page takes (RFC 8058). */
export function oneClick(page: string): string {
  return page.replace("/stop?", "/api/messages/stop?");
}

/** As the database keeps it. */
export function stopHash(code: string): string {
  return createHash("sha256").update(code.slice(0, codeLength)).digest("hex");
}
