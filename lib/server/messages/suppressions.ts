import { hash, randomBytes } from "node:crypto";
import { type Db, prisma } from "@/lib/server/db/client";
import { retryOnDeadlock } from "@/lib/server/db/errors";
import { lockApplications, unsentMessagesTo } from "@/lib/server/db/statements";
import type { Contact } from "@/lib/server/messages/outbox/enqueue";
import { commercialKinds } from "@/lib/server/messages/outbox/message-kinds";
import { addressHash, findSuppressions, mailSystem, stoppedError } from "@/lib/server/messages/outbox/suppressed";
import type { Message, Suppression } from "@/prisma/generated/client";

type Channel = Contact["channel"];

const ids = (rows: { id: string }[]) => ({ in: rows.map(({ id }) => id) });

/**
 * Stops all invitations and reminders to this address: those that wait are cancelled, and later ones are not sent. Returns how
 * many were cancelled, and whether the address was not suppressed before.
 */
export async function suppress(channel: Channel, address: string, reason: string, by: string) {
  const isNew = await recordSuppression(prisma(), channel, address, reason, by);
  return { isNew, cancelled: await cancelSuppressed(channel, address) };
}

/** Returns false if the address was suppressed already. */
export async function recordSuppression(db: Db, channel: Channel, address: string, reason: string, by: string) {
  const key = { channel, addressHash: addressHash(channel, address) };
  const existing = await db.suppression.count({
    where: { ...key, ...(by === mailSystem ? {} : { by: { not: mailSystem } }) },
  });
  // A person's opt-out is inserted even if there is one, because an operator may be removing that at this moment.
  const data = existing === 0 || by !== mailSystem ? [{ ...key, reason, by }] : [];
  const { count } = await db.suppression.createMany({ data, skipDuplicates: true });
  return existing === 0 && count > 0;
}

/**
 * Cancels waiting messages to a suppressed address and waits for those in preparation. Returns how many were cancelled.
 * `afterwards` gets them in the same transaction, in which their applications are locked.
 */
export function cancelSuppressed(
  channel: Channel,
  address: string,
  afterwards?: (tx: Db, cancelled: Pick<Message, "kind" | "applicationId">[]) => Promise<void>,
): Promise<number> {
  const cancel = async (tx: Db) => {
    // A bounced message that was cancelled meanwhile has recorded no suppression.
    if ((await tx.suppression.count({ where: { channel, addressHash: addressHash(channel, address) } })) === 0)
      return 0;
    const messages = await unsentMessagesTo(tx, channel, address);
    const applicationIds = messages.flatMap(({ applicationId }) => applicationId ?? []);
    // A contact correction and a worker also lock the application before its messages. Any other order could deadlock.
    await lockApplications(tx, applicationIds);
    const cancelled = await tx.message.updateManyAndReturn({
      where: { id: ids(messages), channel, state: "waiting", kind: { in: commercialKinds } },
      data: { state: "cancelled", error: stoppedError },
      select: { kind: true, applicationId: true },
    });
    await afterwards?.(tx, cancelled);
    // Waits for messages that a worker is preparing, which still go out. Any message that is prepared later respects the suppression.
    await tx.message.updateMany({ where: { id: ids(messages), state: "sending" }, data: { state: "sending" } });
    return cancelled.length;
  };
  return retryOnDeadlock(() => prisma().$transaction(cancel));
}

/** Null if the address is not suppressed. A person's opt-out takes precedence over the mail system's suppression. */
export async function suppressionOf(channel: Channel, address: string): Promise<Suppression | null> {
  const found = await findSuppressions(prisma(), [{ channel, recipient: address }]);
  return found.find(({ by }) => by !== mailSystem) ?? found[0] ?? null;
}

/**
 * Removes the mail system's suppression of an address or, if it has none, a person's opt-out. After a bounce, the opt-out stays
 * until a second call removes it. Cancelled messages stay cancelled. Returns whether there was a suppression.
 */
export async function removeSuppression(channel: Channel, address: string): Promise<boolean> {
  const found = await findSuppressions(prisma(), [{ channel, recipient: address }]);
  const bounces = found.filter(({ by }) => by === mailSystem);
  // Deleted by id, because another command may remove the bounce at this moment and must not remove the person's opt-out as well.
  const removed = ids(bounces.length > 0 ? bounces : found);
  return (await prisma().suppression.deleteMany({ where: { id: removed } })).count > 0;
}

/** Stops invitations and reminders to the recipient of the message with this code. An unknown code changes nothing. */
export async function stopByCode(code: string): Promise<void> {
  if (!isStopCode(code)) return;
  const attempt = await prisma().messageAttempt.findUnique({
    where: { stopHash: stopHash(code) },
    include: { message: true },
  });
  if (!attempt || attempt.message.recipient === "" || attempt.message.channel === "webhook") return;
  const { channel, recipient } = attempt.message;
  await suppress(channel, recipient, "opted out through a message", "");
}

const codeLength = 30;
const codeShape = new RegExp(`^[\\w-]{${codeLength}}`);

/**
 * The code in a message with which its recipient opts out: 22 random bytes as base64url. At this length the last
 * character is always a letter, because some phones drop a '-' or '_' from the end of a link.
 */
export function makeStopCode(): string {
  return randomBytes(22).toString("base64url");
}

/** Whether a text has the form of an opt-out code. Anything after the code, such as a full stop, is ignored. */
export function isStopCode(text: unknown): text is string {
  return typeof text === "string" && codeShape.test(text);
}

export function stopHash(code: string): string {
  return hash("sha256", code.slice(0, codeLength));
}
