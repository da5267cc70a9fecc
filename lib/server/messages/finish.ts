import "server-only";
import type { Db } from "@/lib/server/db/client";
import { commitWithoutWaiting, databaseNow, lockAgainstErasure, lockApplications } from "@/lib/server/db/statements";
import type { Prisma, PrismaClient } from "@/prisma/generated/client";
import { stopDeadAddress } from "./bounces/dead-address";
import { type Claimed, workerTransaction } from "./claim";
import { awaySeconds, delayAfter, type Outcome } from "./outcome";

/** After which a message whose provider is away is given up. */
const mostAwayMs = 5 * 86_400_000;

/**
 * Writes down how an attempt ended. A worker that was slower than its lease changes the message only if the provider took it:
 * otherwise it would be sent again. What was cancelled meanwhile stays so. A link that was not sent ends with its attempt: a day
 * without a mail server would otherwise push out the links that people have.
 * No save waits for the disk on its account: what a crash of Postgres takes of it is as if the worker had been killed.
 * Returns whether the message was given up: it has failed after its last attempt, or days without its provider.
 */
export async function finish(
  tx: Db,
  claimed: Claimed,
  outcome: Outcome,
  template: string,
  linkId?: string,
): Promise<boolean> {
  await commitWithoutWaiting(tx);
  const now = await databaseNow(tx);
  const error = outcome.state === "sent" ? "" : outcome.error;
  const { id, attempt, dueAt } = claimed;
  await tx.messageAttempt.updateMany({
    where: { id: attempt },
    data: { endedAt: now, outcome: outcome.state, error },
  });
  const mayBeSent = outcome.state === "sent" || outcome.state === "unknown";
  if (linkId && !mayBeSent) await tx.link.updateMany({ where: { id: linkId }, data: { expiresAt: now } });
  const change = await changeOf(tx, claimed, outcome, now);
  const { count } = await tx.message.updateMany({
    where: { id, state: "sending", dueAt },
    data: { ...change, error, template },
  });
  // A failure that the provider reported after the message was sent stays. After an erasure nothing is written.
  if (count === 0 && outcome.state === "sent")
    await tx.message.updateMany({
      where: {
        id,
        NOT: { recipient: "", channel: { not: "webhook" } },
        OR: [{ state: { in: ["waiting", "sending", "unknown"] } }, { state: "failed", sentAt: null }],
      },
      data: { ...change, error, template },
    });
  // Cancelled while it was being sent, it went out all the same: it counts for the day's cap.
  if (count === 0 && change.sentAt)
    await tx.message.updateMany({
      where: { id, state: "cancelled", sentAt: null },
      data: { sentAt: now },
    });
  return count > 0 && outcome.state === "later" && change.state === "failed";
}

/**
 * After the provider was contacted. The application is locked first, as an erasure does, so that neither ends in a deadlock:
 * a message that was sent would be sent again. Saves do not wait for this lock.
 */
export function finishAttempt(
  db: PrismaClient,
  claimed: Claimed,
  outcome: Outcome,
  template: string,
  linkId?: string,
): Promise<boolean> {
  return workerTransaction(db, async (tx) => {
    const { id, applicationId } = claimed;
    const isDead = outcome.state === "failed" && outcome.isDeadAddress;
    // An SMS in place of this email is queued once for an application, so the row is locked against another one that does it.
    if (isDead && applicationId) await lockApplications(tx, [applicationId]);
    else await lockAgainstErasure(tx, applicationId);
    const isGivenUp = await finish(tx, claimed, outcome, template, linkId);
    // Not if it was cancelled meanwhile.
    if (isDead && (await tx.message.count({ where: { id, state: "failed" } })) > 0)
      await stopDeadAddress(tx, claimed, outcome.error);
    return isGivenUp;
  });
}

type Change = Prisma.MessageUpdateManyMutationInput;

async function changeOf(tx: Db, claimed: Claimed, outcome: Outcome, now: Date): Promise<Change> {
  switch (outcome.state) {
    case "sent":
      return { state: "sent", sentAt: now, providerId: outcome.providerId ?? "" };
    // Perhaps it was sent: it counts as such, for the cap and for what follows it.
    case "unknown":
      return { state: "unknown", sentAt: now };
    // Whoever holds the message now decides.
    case "superseded":
      return {};
    case "later":
      return "isUntried" in outcome ? putOff(tx, claimed, outcome, now) : tryAgain(claimed, outcome, now);
    default:
      return { state: outcome.state };
  }
}

const after = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000);

function tryAgain({ channel, attempts }: Claimed, { afterSeconds = 0 }: { afterSeconds?: number }, now: Date): Change {
  const seconds = delayAfter(channel, attempts);
  if (seconds === undefined) return { state: "failed" };
  return { state: "waiting", dueAt: after(now, Math.max(seconds, afterSeconds)) };
}

/** Until an hour that it may be sent at, or for as long as its provider is away; a provider that stays away is given up. */
async function putOff(
  tx: Db,
  { id, firstDueAt }: Claimed,
  { until, afterSeconds = 0 }: { until?: Date; afterSeconds?: number },
  now: Date,
): Promise<Change> {
  const attempts = { decrement: 1 };
  if (until) return { state: "waiting", dueAt: until, firstDueAt: null, attempts };
  const longAgo = new Date(now.getTime() - mostAwayMs);
  // Attempts from before `npm run messages -- retry` do not count.
  const at = { gte: firstDueAt ?? now, lt: longAgo };
  const isGivenUp = await tx.messageAttempt.findFirst({ where: { messageId: id, at } });
  const dueAt = after(now, Math.max(awaySeconds, afterSeconds));
  return { state: isGivenUp ? "failed" : "waiting", dueAt, attempts };
}
