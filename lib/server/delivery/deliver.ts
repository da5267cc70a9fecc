import { setTimeout as sleep } from "node:timers/promises";
import { addDays } from "@/lib/domain/zone-time";
import { sendEmail } from "@/lib/server/channels/email/send-email";
import { sendSms } from "@/lib/server/channels/sms/send-sms";
import { sendWebhook, webhookBody } from "@/lib/server/channels/webhooks/send-webhook";
import type { Db } from "@/lib/server/db/client";
import { isDatabaseUnavailable, isStatementTimeout } from "@/lib/server/db/errors";
import { lockApplications, transactionTime } from "@/lib/server/db/locks";
import { appendAll } from "@/lib/server/evidence/append";
import { evidenceOf } from "@/lib/server/evidence/receipt";
import { type CountedFigures, countFigures, readStoredFigures } from "@/lib/server/figures/stored-figures";
import { hashToken, linkDays, linkTo, liveAt, makeToken } from "@/lib/server/links/token";
import { loadMessageContext, type MessageContext } from "@/lib/server/outbox/message-context";
import { messageKindOf, messageKinds } from "@/lib/server/outbox/message-kinds";
import type { Outcome } from "@/lib/server/outbox/outcome";
import { makeStopCode, stopHash } from "@/lib/server/outbox/suppressions";
import { currentSettings, deskLink } from "@/lib/server/settings";
import { figuresPage } from "@/lib/server/templates/figures-page";
import type { TemplateData } from "@/lib/server/templates/letter";
import { smsTo, templatesOf } from "@/lib/server/templates/texts";
import type { PrismaClient } from "@/prisma/generated/client";
import { checkMessage } from "./check-message";
import { type Claimed, workerTransaction } from "./claim";
import { finish, finishAttempt } from "./finish";

interface Delivered {
  outcome: Outcome;
  reference?: string;
  /** The message has failed because no retry is left. */
  isGivenUp?: boolean;
}

/** Final, because a retry would take as long again, every minute. */
const tooSlow: Outcome = { state: "failed", error: "the figures take too long" };

/** For a kind from a newer version, whose worker has its text. During an upgrade, workers of both versions claim messages. */
const withoutTemplate: Outcome = { state: "later", error: "no text" };

const superseded: Outcome = { state: "superseded", error: "another worker has it, or it was cancelled" };

/**
 * What becomes of a claimed message: it is decided and prepared in one transaction that locks its application, sent while no
 * transaction is open, and finished. A revocation, an erasure, a submission or an opt-out thus either commits first and is
 * respected, or waits until the message is prepared.
 */
export async function deliver(db: PrismaClient, message: Claimed): Promise<Delivered> {
  if (!Object.hasOwn(messageKinds, message.kind)) return finishUnsent(db, message, withoutTemplate);
  const { hasEvidence, hasFigures } = messageKindOf(message.kind);
  // Events that were committed with this message get their leaves in the evidence log before the message quotes one.
  if (hasEvidence) await appendAll(db);
  const figures = hasFigures ? await weeklyFigures(db) : undefined;
  if (figures === null) return finishUnsent(db, message, tooSlow);
  const prepared = await workerTransaction(db, async (tx) => {
    const { isHeld, now, context } = await lockAndRead(tx, message);
    const refused = decide(message, isHeld, context, now);
    if (!refused) return { context, refused, ...(await prepare(tx, message, context, now)) };
    await finish(tx, message, refused);
    return { context, refused };
  });
  const reference = prepared.context?.reference;
  if (prepared.refused) return { outcome: prepared.refused, reference };
  const { context, data, linkId } = prepared;
  const outcome = isLeased(message) ? await send(message, context, { ...data, figures }) : superseded;
  const isGivenUp = await finishSent(db, message, outcome, linkId);
  return { outcome, reference, isGivenUp };
}

async function finishUnsent(db: PrismaClient, message: Claimed, outcome: Outcome): Promise<Delivered> {
  return { outcome, isGivenUp: await finishAttempt(db, message, outcome) };
}

/** Returns the stored figures, or else counts; null if that takes longer than the worker waits for a statement. */
async function weeklyFigures(db: PrismaClient): Promise<CountedFigures | null> {
  const read = async (tx: Db) => (await readStoredFigures("week", tx)) ?? countFigures({ since: null, by: "week" }, tx);
  try {
    return await workerTransaction(db, read);
  } catch (error) {
    if (isStatementTimeout(error)) return null;
    throw error;
  }
}

async function lockAndRead(tx: Db, message: Claimed) {
  const { applicationId } = message;
  if (applicationId) await lockApplications(tx, [applicationId]);
  const isHeld = await holdsClaim(tx, message);
  const now = await transactionTime(tx);
  const context = await loadMessageContext(tx, message, now);
  return { isHeld, now, context };
}

/** Returns why the message must not be sent, or not yet, and null if it may. */
function decide(message: Claimed, isHeld: boolean, context: MessageContext | null, now: Date): Outcome | null {
  // An SMS counts as possibly sent once `contactedAt` is set, so a worker whose lease has ended must not set it.
  const mayBeSent = isHeld && message.dueAt > now && isLeased(message);
  return mayBeSent ? checkMessage(message, context, now) : superseded;
}

/** A process that was suspended for longer than its lease may have lost the message to another worker. */
const isLeased = ({ leaseEnds, leaseEndsAt }: Claimed) => performance.now() < leaseEnds && Date.now() < leaseEndsAt;

/** Updates the row without changing it, to lock it: a cancellation or an opt-out then waits until the transaction ends. */
async function holdsClaim(tx: Db, { id, dueAt }: Claimed): Promise<boolean> {
  const { count } = await tx.message.updateMany({ where: { id, state: "sending", dueAt }, data: { state: "sending" } });
  return count > 0;
}

/** Creates the link and the opt-out code of this attempt, and records that the provider is about to be contacted. */
async function prepare(tx: Db, message: Claimed, context: MessageContext | null, now: Date) {
  const { link, isCommercial, hasEvidence } = messageKindOf(message.kind);
  const hasLink =
    context && !context.isRevoked && (link === "always" || (link === "to-invited" && context.isToInvited));
  const { linkId, ...minted } = hasLink ? await mintLink(tx, message, context, now) : {};
  const stop = isCommercial ? await mintStop(tx, message) : undefined;
  const evidence = (hasEvidence && (await evidenceOf(tx, message.applicationId))) || undefined;
  const { reference = "", name = "", submittedAt, amount, status }: Partial<MessageContext> = context ?? {};
  await tx.messageAttempt.updateMany({ where: { id: message.attemptId }, data: { contactedAt: now } });
  const desk = reference ? deskLink(reference) : undefined;
  const data: TemplateData = { reference, name, desk, submittedAt, amount, status, evidence, stop, ...minted };
  return { data, linkId };
}

/** An application has at most this many live links; the oldest expires first. */
const maxLiveLinks = 10;

/**
 * Creates a link for this attempt. The token exists only in memory, and its hash is committed before the message is sent.
 * The nine newest earlier links keep working. The link of an invitation or a reminder expires together with the last of them.
 */
export async function mintLink(tx: Db, { applicationId, kind }: Claimed, context: MessageContext, now: Date) {
  if (applicationId === null) throw new Error("A message without an application cannot carry a link");
  const token = makeToken();
  const earliest = messageKindOf(kind).isCommercial ? now : addDays(now, linkDays);
  const { liveUntil } = context;
  const linkUntil = liveUntil && liveUntil > earliest ? liveUntil : earliest;
  const surplus = await tx.link.findMany({
    where: { applicationId, ...liveAt(now) },
    orderBy: { createdAt: "desc" },
    skip: maxLiveLinks - 1,
    select: { id: true },
  });
  await tx.link.updateMany({ where: { id: { in: surplus.map(({ id }) => id) } }, data: { expiresAt: now } });
  const { id: linkId } = await tx.link.create({
    data: { applicationId, expiresAt: linkUntil, token: { create: { tokenHash: hashToken(token) } } },
  });
  await tx.event.create({ data: { applicationId, linkId, kind: "link_issued", detail: kind } });
  return { linkId, link: linkTo(token, context.source), linkUntil };
}

/** Returns the address of the page where the recipient can opt out. Only the hash of its code is stored. */
async function mintStop(tx: Db, { attemptId }: Claimed): Promise<string> {
  const code = makeStopCode();
  await tx.messageAttempt.updateMany({ where: { id: attemptId }, data: { stopHash: stopHash(code) } });
  return `${currentSettings().appUrl}/stop?code=${code}`;
}

async function send(message: Claimed, context: MessageContext | null, data: TemplateData): Promise<Outcome> {
  const { id, channel, kind, recipient } = message;
  const { brand } = currentSettings();
  if (channel === "webhook") return sendWebhook({ id, body: webhookBody(message, context, data.evidence) });
  const { email, sms } = templatesOf(kind);
  if (channel === "sms")
    return sms ? sendSms({ id, to: recipient, text: smsTo(recipient, sms, data, brand) }) : withoutTemplate;
  if (!email) return withoutTemplate;
  const attachments = data.figures && [{ filename: "figures.html", content: figuresPage(data.figures) }];
  return sendEmail(
    { id, to: recipient, ...email.render(data, brand), stop: data.stop, attachments },
    message.leaseEnds - performance.now(),
  );
}

const retryMs = 1000;

/** Retries until the lease ends while the database is unavailable. Without its outcome, an email would be sent again. */
async function finishSent(db: PrismaClient, message: Claimed, outcome: Outcome, linkId?: string): Promise<boolean> {
  try {
    return await finishAttempt(db, message, outcome, templateOf(message), linkId);
  } catch (error) {
    if (!isDatabaseUnavailable(error) || !isLeased(message)) throw error;
    await sleep(retryMs);
    return finishSent(db, message, outcome, linkId);
  }
}

function templateOf({ channel, kind }: Claimed): string {
  return channel === "webhook" ? kind : (templatesOf(kind)[channel]?.version ?? "");
}
