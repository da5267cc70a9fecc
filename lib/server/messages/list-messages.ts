import "server-only";
import { prisma } from "@/lib/server/db/client";
import { databaseNow } from "@/lib/server/db/statements";
import type { Contact } from "@/lib/server/messages/outbox/enqueue";
import { type Message, MessageChannel, MessageState, type Prisma } from "@/prisma/generated/client";

export const messageStates = Object.values(MessageState);
export const messageChannels = Object.values(MessageChannel);
export type { MessageState };

/** A message as a line of a list. */
export interface ListedMessage
  extends Pick<Message, "kind" | "channel" | "recipient" | "detail" | "state" | "attempts" | "error" | "by"> {
  number: number;
  /** Empty where it is about no application. */
  reference: string;
  due: string;
  sent: string | null;
}

export interface MessageFilter {
  /** None: all. */
  states?: MessageState[];
  channel?: Message["channel"] | null;
  /** Due since then. */
  since?: Date | null;
  reference?: string | null;
  number?: number | null;
}

/** Newest first. */
export async function listMessages(filter: MessageFilter): Promise<ListedMessage[]> {
  const { states = [], channel, since, reference, number } = filter;
  const found = await prisma().message.findMany({
    where: {
      ...(states.length > 0 ? { state: { in: states } } : {}),
      ...(channel ? { channel } : {}),
      ...(since ? { dueAt: { gte: since } } : {}),
      ...(reference ? { application: { reference } } : {}),
      ...(number ? { number } : {}),
    },
    include: { application: { select: { reference: true } } },
    orderBy: { number: "desc" },
  });
  return found.map(({ number: ordinal, application, dueAt, sentAt, ...row }) => ({
    number: Number(ordinal),
    reference: application?.reference ?? "",
    kind: row.kind,
    channel: row.channel,
    recipient: row.recipient,
    detail: row.detail,
    state: row.state,
    due: dueAt.toISOString(),
    sent: sentAt?.toISOString() ?? null,
    attempts: row.attempts,
    error: row.error,
    by: row.by,
  }));
}

/** Why the last attempt of a channel failed, if that was within the last minutes: the code; empty where none has failed. */
export async function lastError(channel: Contact["channel"]): Promise<string> {
  const recently = new Date((await databaseNow(prisma())).getTime() - 5 * 60_000);
  const last = await prisma().messageAttempt.findFirst({
    where: { at: { gt: recently }, message: { channel }, endedAt: { not: null } },
    orderBy: { at: "desc" },
  });
  return last?.error ?? "";
}

/** Either those of these numbers, or all in one of these states. */
interface Which {
  numbers: number[];
  states: MessageState[];
}

/**
 * Makes messages due now that are not sent, or perhaps: their readers may get those twice. Returns how many. Of all that
 * wait only what was tried: the reminders of weeks to come are not for today.
 */
export async function retryMessages({ numbers, states }: Which): Promise<number> {
  const chosen: Prisma.MessageWhereInput =
    numbers.length > 0
      ? { number: { in: numbers } }
      : { state: { in: states }, OR: [{ state: { not: "waiting" } }, { error: { not: "" } }] };
  const { count } = await prisma().message.updateMany({
    where: { AND: [chosen, { state: { in: ["waiting", "failed", "unknown", "cancelled"] } }] },
    data: { state: "waiting", dueAt: await databaseNow(prisma()), firstDueAt: null, attempts: 0, error: "" },
  });
  return count;
}

/** What is not yet sent is not to be sent. What is being sent at this moment may still arrive. */
export async function cancelMessages(numbers: number[], by: string): Promise<number> {
  const { count } = await prisma().message.updateMany({
    where: { number: { in: numbers }, state: { in: ["waiting", "sending"] } },
    data: { state: "cancelled", error: `by ${by}` },
  });
  return count;
}

/** A message that only says that sending works. Returns its number. */
export async function createTest(contact: Contact, by: string): Promise<number> {
  const { number } = await prisma().message.create({ data: { kind: "test", by, ...contact } });
  return Number(number);
}
