import { prisma } from "@/lib/server/db/client";
import { transactionTime } from "@/lib/server/db/locks";
import type { MessageChannel, MessageState, Prisma } from "@/prisma/generated/client";

/** The states that a person looks after, in the order of the desk. */
export const outstandingStates = ["failed", "unknown", "waiting"] as const satisfies MessageState[];
export type OutstandingState = (typeof outstandingStates)[number];

export const outstandingPerPage = 50;
/** Counts stop here: there may be millions of messages. */
export const maxCounted = 1000;
const dayMs = 86_400_000;

/** Waiting counts once a message is due or an attempt has failed. The longest delay after an attempt is a day. */
async function whereIn(state: OutstandingState): Promise<Prisma.MessageWhereInput> {
  if (state !== "waiting") return { state };
  const now = await transactionTime(prisma());
  const soon = new Date(now.getTime() + dayMs);
  return { state, dueAt: { lte: soon }, OR: [{ dueAt: { lte: now } }, { error: { not: "" } }] };
}

/** One page, the latest first. `after` is the cursor that the page before returned. */
export async function listOutstanding(state: OutstandingState, after = "") {
  const [, at, number] = /^(\d{1,15})-(\d{1,15})$/.exec(after) ?? [];
  const dueAt = new Date(Number(at));
  const rest = at ? { OR: [{ dueAt: { lt: dueAt } }, { dueAt, number: { lt: Number(number) } }] } : {};
  const found = await prisma().message.findMany({
    where: { AND: [await whereIn(state), rest] },
    include: { application: { select: { reference: true } } },
    orderBy: [{ dueAt: "desc" }, { number: "desc" }],
    take: outstandingPerPage + 1,
  });
  const page = found.slice(0, outstandingPerPage);
  const last = found.length > outstandingPerPage ? page.at(-1) : undefined;
  return {
    messages: page.map(
      ({ number, kind, channel, recipient, error, attempts, dueAt: due, firstDueAt, application }) => ({
        ...{ number: Number(number), kind, channel, recipient, error, attempts },
        due: (state !== "waiting" && firstDueAt) || due,
        reference: application?.reference ?? "",
      }),
    ),
    next: last && `${last.dueAt.getTime()}-${last.number}`,
  };
}

/** How many messages of each channel are in this state, up to one more than `maxCounted`. */
export async function countOutstanding(state: OutstandingState): Promise<[MessageChannel, number][]> {
  const where = await whereIn(state);
  const counts: [MessageChannel, number][] = [];
  for (const channel of ["email", "sms", "webhook"] as const)
    counts.push([channel, await prisma().message.count({ where: { ...where, channel }, take: maxCounted + 1 })]);
  return counts;
}

/**
 * The error for which a channel pauses; empty if it does not. Only the worker's memory knows for certain. From outside, a channel
 * pauses if its last attempt reached no provider, or if three in a row were put off with the same reply.
 */
export async function pauseOf(channel: MessageChannel): Promise<string> {
  const recently = new Date((await transactionTime(prisma())).getTime() - 5 * 60_000);
  const last = await prisma().messageAttempt.findMany({
    where: { at: { gt: recently }, message: { channel }, contactedAt: { not: null }, endedAt: { not: null } },
    select: { outcome: true, error: true },
    orderBy: { at: "desc" },
    take: 3,
  });
  const [latest] = last;
  if (latest?.outcome !== "later") return "";
  const isReply = /^(HTTP )?\d{3}\b/.test(latest.error);
  const isRepeated =
    last.length === 3 && last.every(({ outcome, error }) => outcome === "later" && error === latest.error);
  return isReply && !isRepeated ? "" : latest.error;
}
