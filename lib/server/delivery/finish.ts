import type { Db } from "@/lib/server/db/client";
import { lockAgainstErasure, lockApplications, transactionTime } from "@/lib/server/db/locks";
import { delayAfter, type Outcome, outagePauseSeconds } from "@/lib/server/outbox/outcome";
import {
  cancelSuppressed,
  enqueueSmsInstead,
  optedOutAtProvider,
  suppress,
  suppressDeadAddress,
} from "@/lib/server/outbox/suppressions";
import type { Prisma, PrismaClient } from "@/prisma/generated/client";
import { type Claimed, workerTransaction } from "./claim";

/** A message is abandoned once its provider has been unavailable for this long. */
const maxOutageMs = 5 * 86_400_000;

/**
 * Records how an attempt ended. A worker that has outlived its lease changes the message only if the provider accepted it,
 * so that it is not sent again. A message that was cancelled meanwhile stays cancelled. A link that was not sent expires with
 * its attempt: otherwise a day without a mail server would displace the links that people already have.
 * Returns whether the message was abandoned, after its last attempt or after days without its provider.
 */
export async function finish(tx: Db, claimed: Claimed, outcome: Outcome, template = "", linkId?: string) {
  const now = await transactionTime(tx);
  const error = outcome.state === "sent" ? "" : outcome.error;
  const { id, attemptId, dueAt } = claimed;
  const end = { endedAt: now, outcome: outcome.state, error };
  await tx.messageAttempt.updateMany({ where: { id: attemptId }, data: end });
  const mayBeSent = outcome.state === "sent" || outcome.state === "unknown";
  if (linkId && !mayBeSent) await tx.link.updateMany({ where: { id: linkId }, data: { expiresAt: now } });
  const change = await changeOf(tx, claimed, outcome, now);
  const { count } = await tx.message.updateMany({
    where: { id, state: "sending", dueAt },
    data: { ...change, error, template },
  });
  // A failure that the provider has reported meanwhile is kept. Nothing is written after an erasure (an empty recipient).
  if (count === 0 && outcome.state === "sent")
    await tx.message.updateMany({
      where: {
        id,
        NOT: { recipient: "", channel: { not: "webhook" } },
        OR: [{ state: { in: ["waiting", "sending", "unknown"] } }, { state: "failed", sentAt: null }],
      },
      data: { ...change, error, template },
    });
  // A message that was cancelled while it was being sent went out all the same, so it counts toward the daily cap.
  if (count === 0 && change.sentAt)
    await tx.message.updateMany({ where: { id, state: "cancelled", sentAt: null }, data: { sentAt: now } });
  if ("isDeadAddress" in outcome && outcome.isDeadAddress) await replaceDeadAddress(tx, claimed, outcome);
  return count > 0 && outcome.state === "later" && change.state === "failed";
}

/** Handles an address that has turned out to be dead: the application gets an SMS instead, and the address no other message. */
async function replaceDeadAddress(tx: Db, claimed: Claimed, outcome: Outcome): Promise<void> {
  const { id, applicationId, kind, recipient } = claimed;
  // Suppressed since the message was claimed. Reminders follow an invitation, which has got its SMS.
  if (outcome.state === "cancelled" && kind === "invitation" && applicationId)
    await enqueueSmsInstead(tx, applicationId, recipient);
  // A message that was cancelled in the meantime does not suppress its address.
  if (outcome.state === "failed" && (await tx.message.count({ where: { id, state: "failed" } })) > 0)
    await suppressDeadAddress(tx, claimed, outcome.error);
}

/**
 * Records how an attempt ended, outside the transaction that prepared it. The other messages to an address that takes none are
 * cancelled once its suppression is committed.
 */
export async function finishAttempt(
  db: PrismaClient,
  claimed: Claimed,
  outcome: Outcome,
  template = "",
  linkId?: string,
) {
  const { applicationId, recipient } = claimed;
  const isDead = outcome.state === "failed" && outcome.isDeadAddress;
  if (outcome.state === "failed" && outcome.isOptedOut) await suppress("sms", recipient, optedOutAtProvider, "");
  const isGivenUp = await workerTransaction(db, async (tx) => {
    // The order of locks: a deadlock would lose the outcome, and the message would be sent again. Saves wait only if it is dead.
    if (isDead && applicationId) await lockApplications(tx, [applicationId]);
    else await lockAgainstErasure(tx, applicationId);
    return finish(tx, claimed, outcome, template, linkId);
  });
  if (isDead) await cancelSuppressed("email", recipient);
  return isGivenUp;
}

type Change = Prisma.MessageUpdateManyMutationInput;

async function changeOf(tx: Db, claimed: Claimed, outcome: Outcome, now: Date): Promise<Change> {
  switch (outcome.state) {
    case "sent":
      return { state: "sent", sentAt: now, providerId: outcome.providerId ?? "" };
    // The message may have been sent, so it counts as sent for the daily cap and for later reminders. It loses the provider's id
    // of an earlier attempt, because a report on this one has another and would be taken for a late one (take-report.ts).
    case "unknown":
      return { state: "unknown", sentAt: now, providerId: "" };
    // Another worker has the message, or it was cancelled, so it is left unchanged.
    case "superseded":
      return {};
    case "later": {
      if ("isUncounted" in outcome) return postpone(tx, claimed, outcome, now);
      const seconds = delayAfter(claimed.channel, claimed.attempts);
      if (seconds === undefined) return { state: "failed" };
      return { state: "waiting", dueAt: after(now, Math.max(seconds, outcome.afterSeconds ?? 0)) };
    }
    default:
      return { state: outcome.state };
  }
}

const after = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000);

/**
 * Postpones a message while its provider is unavailable, for five days at most, or to the next permitted hour. From then on the
 * five days begin again. An invitation that an outage has made late thus waits until it is sent or its link expires.
 */
async function postpone(
  tx: Db,
  { id, firstDueAt }: Claimed,
  { until, afterSeconds = 0 }: { until?: Date; afterSeconds?: number },
  now: Date,
): Promise<Change> {
  const attempts = { decrement: 1 };
  if (until) return { state: "waiting", dueAt: until, firstDueAt: null, attempts };
  const cutoff = new Date(now.getTime() - maxOutageMs);
  // Attempts made before `npm run messages -- retry` do not count.
  const at = { gte: firstDueAt ?? now, lt: cutoff };
  const isGivenUp = await tx.messageAttempt.findFirst({ where: { messageId: id, at } });
  const dueAt = after(now, Math.max(outagePauseSeconds, afterSeconds));
  return { state: isGivenUp ? "failed" : "waiting", dueAt, attempts };
}
