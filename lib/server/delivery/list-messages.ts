import { type Db, prisma, readSnapshot } from "@/lib/server/db/client";
import { retryOnDeadlock } from "@/lib/server/db/errors";
import { clockTime, lockMessages, transactionTime } from "@/lib/server/db/locks";
import type { Contact } from "@/lib/server/outbox/enqueue";
import { loadMessageContext } from "@/lib/server/outbox/message-context";
import { isCommercial, type MessageKind } from "@/lib/server/outbox/message-kinds";
import { suppressedRecipients } from "@/lib/server/outbox/reachability";
import { type Message, MessageState, type Prisma } from "@/prisma/generated/client";
import { checkApplication } from "./check-message";
import { leaseSeconds } from "./claim";

export type ListedMessage = Awaited<ReturnType<typeof listMessages>>[number];

interface MessageFilter {
  /** An empty list selects every state. */
  states?: MessageState[];
  channel?: Message["channel"];
  since?: Date | null;
  reference?: string | null;
  /** Only messages that should have been sent by now. */
  isDue?: boolean | undefined;
}

/** Lists messages, newest first. `reference` is empty for a message without an application. */
export const listMessages = (filter: MessageFilter) => readSnapshot((tx) => listIn(tx, filter));

async function listIn(tx: Db, filter: MessageFilter) {
  const { states = [], channel, since, reference, isDue } = filter;
  const select = (recent: Prisma.MessageWhereInput) =>
    tx.message.findMany({
      where: {
        state: { in: states.length > 0 ? states : Object.values(MessageState) },
        channel,
        application: reference ? { reference } : undefined,
        ...recent,
      },
      include: { application: { select: { reference: true } } },
      omit: { id: true, applicationId: true, createdAt: true, template: true, providerId: true },
      orderBy: { number: "desc" },
    });
  // Reminders that are due later are left out. Two queries, because Postgres reads all messages for an OR of both conditions.
  const now = await transactionTime(tx);
  const wasDue = (at: Date) => select({ dueAt: { gte: at, lte: now } });
  const wasTried = (at: Date) => select({ tries: { some: { at: { gte: at } } } });
  // A failed attempt moves dueAt, and firstDueAt keeps when the message was first due.
  const isUnsent: Prisma.MessageWhereInput = { state: { in: ["waiting", "sending"] } };
  const isLate = { AND: [isUnsent, { OR: [{ dueAt: { lte: now } }, { firstDueAt: { lte: now } }] }] };
  const found = await Promise.all(since ? [wasDue(since), wasTried(since)] : [select(isDue ? isLate : {})]);
  const byNumber = new Map(found.flat().map((message) => [message.number, message]));
  const newestFirst = [...byNumber.values()].sort((a, b) => Number(b.number - a.number));
  return newestFirst.map(({ number, application, dueAt, firstDueAt, sentAt, ...message }) => ({
    number: Number(number),
    reference: application?.reference ?? "",
    ...message,
    // Of a message that was claimed, dueAt is the end of the lease.
    due: ((message.state !== "waiting" && firstDueAt) || dueAt).toISOString(),
    sent: sentAt?.toISOString() ?? null,
  }));
}

/** The error code of the channel's last attempt that contacted the provider, in the last five minutes; empty otherwise. */
export async function lastError(channel: Contact["channel"]): Promise<string> {
  const recently = new Date((await transactionTime(prisma())).getTime() - 5 * 60_000);
  const last = await prisma().messageAttempt.findFirst({
    where: { at: { gt: recently }, message: { channel }, contactedAt: { not: null }, endedAt: { not: null } },
    orderBy: { at: "desc" },
  });
  return last?.error ?? "";
}

interface Retried extends Pick<MessageFilter, "channel" | "since"> {
  numbers: number[];
  states: MessageState[];
}

/**
 * Makes messages due now that were not sent, or that may have been: recipients may get the latter twice. Without numbers, it
 * selects the messages in these states. Returns the numbers of those changed.
 * Messages that a worker may be sending at this moment are left out, because the retry would send them a second time.
 */
export async function retryMessages(selected: Retried): Promise<number[]> {
  const { numbers, states } = selected;
  // A message that another operator cancels meanwhile stays cancelled, unless it was named by its number.
  const from = retriable.filter((state) => numbers.length > 0 || states.includes(state));
  const chosen = numbers.length > 0 ? numbers : await retriableIn(from, selected);
  const retried: number[] = [];
  for (let start = 0; start < chosen.length; start += numbersPerStatement) {
    const some = chosen.slice(start, start + numbersPerStatement);
    retried.push(...(await retryOnDeadlock(() => prisma().$transaction((tx) => retry(tx, some, from)))));
  }
  return retried;
}

/** Why a worker would cancel messages of these numbers if they were retried, by number. */
export async function refusedRetries(numbers: number[]): Promise<Map<number, string>> {
  const now = await transactionTime(prisma());
  const found = await prisma().message.findMany({ where: { number: { in: numbers }, state: { in: retriable } } });
  const refused = new Map<number, string>();
  for (const message of found) {
    const context = await loadMessageContext(prisma(), message, now);
    const outcome = checkApplication({ ...message, kind: message.kind as MessageKind }, context, now);
    if (outcome?.state === "cancelled") refused.set(Number(message.number), outcome.error);
  }
  return refused;
}

/** Each number is a parameter, and Prisma sends 32,766 in a statement at most. */
const numbersPerStatement = 10_000;

export const retriable: MessageState[] = ["waiting", "failed", "unknown", "cancelled"];

/** Waiting messages are retried only after a failed attempt, so that future reminders stay scheduled. */
const hasFailed = { OR: [{ state: { not: MessageState.waiting } }, { error: { not: "" } }] };

async function retry(tx: Db, numbers: number[], from: MessageState[]): Promise<number[]> {
  await lockMessages(tx, numbers);
  const now = await clockTime(tx);
  const beingSent = { contactedAt: { gt: new Date(now.getTime() - leaseSeconds * 1000) }, endedAt: null };
  const retried = await tx.message.updateManyAndReturn({
    where: { number: { in: numbers }, state: { in: from }, tries: { none: beingSent }, ...hasFailed },
    data: { state: "waiting", dueAt: now, firstDueAt: null, attempts: 0, error: "" },
    select: { number: true },
  });
  return retried.map(({ number }) => Number(number));
}

/**
 * Leaves out invitations and reminders to a suppressed address: they would only be cancelled, and the figures would no longer
 * count those that bounced.
 */
async function retriableIn(states: MessageState[], { channel, since }: Retried): Promise<number[]> {
  const isRecent = since ? { OR: [{ dueAt: { gte: since } }, { tries: { some: { at: { gte: since } } } }] } : {};
  const found = await prisma().message.findMany({
    where: { state: { in: states }, channel, AND: [hasFailed, isRecent] },
    select: { number: true, kind: true, channel: true, recipient: true },
  });
  const commercial = found.filter(({ kind }) => isCommercial(kind));
  const stopped = await suppressedRecipients(prisma(), commercial as Contact[]);
  const sendable = found.filter(({ kind, recipient }) => !(isCommercial(kind) && stopped.has(recipient)));
  return sendable.map(({ number }) => Number(number));
}

/**
 * Cancels messages that are not sent yet or whose outcome is unknown, and returns their numbers. A message that is being sent at
 * this moment may still arrive.
 */
export async function cancelMessages(numbers: number[], by: string): Promise<number[]> {
  const cancel = () =>
    prisma().message.updateManyAndReturn({
      where: { number: { in: numbers }, state: { in: ["waiting", "sending", "unknown"] } },
      data: { state: "cancelled", error: `by ${by}` },
      select: { number: true },
    });
  const cancelled = await retryOnDeadlock(cancel);
  return cancelled.map(({ number }) => Number(number));
}
