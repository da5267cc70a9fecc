import { type Db, prisma } from "@/lib/server/db/client";
import { transactionTime } from "@/lib/server/db/locks";
import { type Claimed, claim as claimOn } from "@/lib/server/delivery/claim";
import { deliver as deliverOn, mintLink as mintLinkIn } from "@/lib/server/delivery/deliver";
import { finishAttempt } from "@/lib/server/delivery/finish";
import { loadMessageContext, type MessageContext } from "@/lib/server/outbox/message-context";
import type { MessageKind } from "@/lib/server/outbox/message-kinds";
import type { Outcome } from "@/lib/server/outbox/outcome";
import type { MessageChannel } from "@/prisma/generated/client";

/** The functions of the worker, on the database client of the test. */
export const claim = (channel: MessageChannel, most: number) => claimOn(prisma(), channel, most);

/** Claims the message that has been due longest. */
export async function claimOne(channel: MessageChannel = "email"): Promise<Claimed> {
  const [claimed] = await claim(channel, 1);
  if (!claimed) throw new Error("Nothing is due");
  return claimed;
}

/** Claims the only email of this kind that is due for an application. */
export async function claimFor(applicationId: string, kind: MessageKind): Promise<Claimed> {
  const due = await claim("email", 100);
  const [claimed, ...others] = due.filter(
    (message) => message.applicationId === applicationId && message.kind === kind,
  );
  if (!claimed || others.length > 0) throw new Error(`${others.length + Number(Boolean(claimed))} are due.`);
  return claimed;
}

/** Ends the minute for which workers have claimed messages. */
export const endLeases = () =>
  prisma().$executeRaw`UPDATE messages SET "dueAt" = "dueAt" - interval '61 seconds' WHERE state = 'sending'`;

export const deliver = (message: Claimed) => deliverOn(prisma(), message);
export const finish = (message: Claimed, outcome: Outcome, template: string, linkId?: string) =>
  finishAttempt(prisma(), message, outcome, template, linkId);
export const contextOf = (message: Claimed) =>
  prisma().$transaction(async (tx) => loadMessageContext(tx, message, await transactionTime(tx)));
export const mintLink = (message: Claimed, context: MessageContext) =>
  prisma().$transaction(async (tx: Db) => mintLinkIn(tx, message, context, await transactionTime(tx)));

/** The token of the link in a message, or "" if it has none. */
export const tokenIn = (text = "") => /\?token=([\w-]{43})/.exec(text)?.[1] ?? "";
