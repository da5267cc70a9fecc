import { hash, randomBytes } from "node:crypto";
import { type Db, prisma } from "@/lib/server/db/client";
import { retryOnDeadlock } from "@/lib/server/db/errors";
import { lockApplications } from "@/lib/server/db/locks";
import {
  type Application,
  type Message,
  type MessageChannel,
  Prisma,
  type Suppression,
} from "@/prisma/generated/client";
import { type Contact, isCountryAllowed } from "./enqueue";
import { commercialKinds, isCommercial } from "./message-kinds";
import {
  addressHash,
  addressHashOf,
  findSuppressions,
  hasOptedOut,
  insteadOfEmail,
  invitedContacts,
  mailSystem,
  stoppedError,
} from "./reachability";

type Channel = Contact["channel"];

/** The reason of an opt-out that only a refusal of the SMS provider has shown. */
export const optedOutAtProvider = "opted out at the SMS provider";

const ids = (rows: { id: string }[]) => ({ in: rows.map(({ id }) => id) });

/**
 * Stops all invitations and reminders to this address: those that wait are cancelled, and later ones are not sent. Returns how
 * many were cancelled, and whether the address was not suppressed before.
 */
export async function suppress(channel: Channel, address: string, reason: string, by: string) {
  const key = { channel, addressHash: addressHash(channel, address) };
  const earlier = await prisma().suppression.count({ where: { ...key, by: { not: mailSystem } } });
  const { count } = await prisma().suppression.createMany({ data: { ...key, reason, by }, skipDuplicates: true });
  return { isNew: earlier === 0 && count > 0, cancelled: await cancelSuppressed(channel, address) };
}

/**
 * Cancels waiting messages to a suppressed address and waits for those in preparation. Returns how many were cancelled. If the
 * address is dead, each application whose invitation is cancelled gets an SMS instead, because its email would have bounced as
 * well. Call it after the suppression is committed.
 */
export function cancelSuppressed(channel: Channel, address: string): Promise<number> {
  const cancel = async (tx: Db) => {
    const suppressions = await findSuppressions(tx, [{ channel, recipient: address }]);
    // A bounced message that was cancelled meanwhile has recorded no suppression.
    if (suppressions.length === 0) return 0;
    const isDead = suppressions.every(({ by }) => by === mailSystem);
    const messages = await unsentMessagesTo(tx, channel, address);
    const applicationIds = messages.flatMap(({ applicationId }) => applicationId ?? []);
    await lockApplications(tx, applicationIds);
    const cancelled = await tx.message.updateManyAndReturn({
      where: { id: ids(messages), channel, state: "waiting", kind: { in: commercialKinds } },
      data: { state: "cancelled", error: stoppedError },
      select: { kind: true, applicationId: true },
    });
    for (const { kind, applicationId } of cancelled)
      if (isDead && kind === "invitation" && applicationId) await enqueueSmsInstead(tx, applicationId, address);
    // Waits for messages that a worker is preparing, which still go out. Any message that is prepared later respects the suppression.
    await tx.message.updateMany({ where: { id: ids(messages), state: "sending" }, data: { state: "sending" } });
    return cancelled.length;
  };
  return retryOnDeadlock(() => prisma().$transaction(cancel));
}

/**
 * Finds the messages to an address that are not sent yet, whatever its letter case. Includes messages on the other channel that are
 * being sent to a person who was invited at this address, because an opt-out applies to both channels.
 */
function unsentMessagesTo(tx: Db, channel: "email" | "sms", address: string) {
  const invited = Prisma.raw(channel === "email" ? `"invitedEmail"` : `"invitedMobile"`);
  // Raw: a search by an indexed expression. There may be millions of waiting messages.
  return tx.$queryRaw<Pick<Message, "id" | "applicationId">[]>`
    SELECT id, "applicationId" FROM messages
    WHERE state IN ('waiting', 'sending') AND channel = ${channel}::"MessageChannel"
      AND lower(recipient) = lower(${address})
    UNION
    SELECT m.id, m."applicationId" FROM messages m JOIN applications a ON a.id = m."applicationId"
    WHERE m.state = 'sending' AND lower(a.${invited}) = lower(${address})`;
}

/**
 * Suppresses an address that no message can reach, and enqueues an SMS in place of an invitation or reminder. The
 * caller has locked the application.
 */
export async function suppressDeadAddress(
  tx: Db,
  { applicationId, kind, recipient }: Pick<Message, "applicationId" | "kind" | "recipient">,
  status: string,
): Promise<void> {
  if (applicationId && isCommercial(kind)) await enqueueSmsInstead(tx, applicationId, recipient);
  const key = { channel: "email", addressHash: addressHash("email", recipient) } as const;
  if ((await tx.suppression.count({ where: key })) > 0) return;
  const data = { ...key, reason: `bounced ${status}`.trim(), by: mailSystem };
  await tx.suppression.createMany({ data, skipDuplicates: true });
}

/**
 * Enqueues one SMS per application to the invited number, unless the recipient has opted out of emails or SMS, or has been
 * invited by SMS since the last email.
 */
export async function enqueueSmsInstead(tx: Db, applicationId: string, email: string): Promise<void> {
  const application = await tx.application.findUniqueOrThrow({ where: { id: applicationId } });
  const { invitedEmail, invitedMobile, status } = application;
  if (!isCountryAllowed(invitedMobile) || status !== "draft") return;
  // The invited address was corrected meanwhile, and the correct one gets an email.
  if (invitedEmail.toLowerCase() !== email.toLowerCase()) return;
  if (await hasOptedOut(tx, invitedContacts(application))) return;
  const lastEmail = await tx.message.findFirst({
    where: { applicationId, kind: "invitation", channel: "email" },
    orderBy: { number: "desc" },
  });
  const enqueued = await tx.message.count({
    where: {
      applicationId,
      kind: "invitation",
      channel: "sms",
      OR: [{ detail: insteadOfEmail }, { number: { gt: lastEmail?.number ?? 0 } }],
      // An SMS that was cancelled while it was being sent went out all the same, and `sentAt` shows that.
      NOT: { state: "cancelled", sentAt: null },
    },
  });
  if (enqueued > 0) return;
  const sms = { channel: "sms", recipient: invitedMobile } as const;
  await tx.message.create({
    data: { applicationId, kind: "invitation", ...sms, detail: insteadOfEmail, by: mailSystem },
  });
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

/**
 * All suppressions, newest first, with the references of the applications that still have the address, because only its hash is
 * stored.
 */
export function listSuppressions(db: Db) {
  const hashes = (channel: MessageChannel, column: keyof Application) => Prisma.sql`
    SELECT ${addressHashOf(channel, column)} AS hash, a.reference FROM applications a WHERE ${Prisma.raw(`a."${column}"`)} <> ''`;
  const addresses = [
    hashes("email", "invitedEmail"),
    hashes("email", "email"),
    hashes("sms", "invitedMobile"),
    hashes("sms", "mobile"),
  ];
  // Raw: a join by an expression, which finds the addresses of all applications in one reading.
  return db.$queryRaw<(Pick<Suppression, "createdAt" | "channel" | "reason" | "by"> & { references: string[] })[]>`
    SELECT s."createdAt", s.channel, s.reason, s.by,
      array_remove(array_agg(DISTINCT a.reference ORDER BY a.reference), NULL) AS references
    FROM suppressions s LEFT JOIN (${Prisma.join(addresses, " UNION ALL ")}) a ON a.hash = s."addressHash"
    GROUP BY s.id ORDER BY s."createdAt" DESC, s.id`;
}
