import { fullName } from "@/lib/domain/application";
import { type StatusAfterSubmission, statuses } from "@/lib/domain/statuses";
import { statusOf, storedStatus } from "@/lib/server/db/application-row";
import { type Db, longTransaction, prisma } from "@/lib/server/db/client";
import { retryOnDeadlock } from "@/lib/server/db/errors";
import { clockTime, lockApplications } from "@/lib/server/db/locks";
import { liveAt } from "@/lib/server/links/token";
import { enqueue, messagesForStatus } from "@/lib/server/outbox/enqueue";
import { Refusal } from "@/lib/server/refusal";
import { currentSettings } from "@/lib/server/settings";
import type { ApplicationStatus, Message, Prisma } from "@/prisma/generated/client";
import { isErasedSubmission } from "./erase";
import { findByReference } from "./find-by-reference";
import { refuseIfChanged } from "./refuse-if-changed";

export interface Decision {
  /** As somebody typed it, in any form that findByReference accepts. */
  reference: string;
  status: StatusAfterSubmission;
  reason?: string;
  /** What the status was when the decision was confirmed. */
  before?: StatusAfterSubmission;
  /** Whether the answers had been erased by then. */
  isErased?: boolean;
  /** The id of the last event that was seen by then. */
  seen?: string;
}

export interface ChangeOptions {
  by: string;
  /** Suppresses the email, for a correction that nobody needs to hear about. */
  isSilent?: boolean;
}

/** What a decision changes, and whom an email reports it to. */
export type PlannedChange = Awaited<ReturnType<typeof planChange>>;

/** Plans a decision without changing anything. Throws for a draft, and for a status that cannot follow the current one. */
export async function planChange(db: Db, decision: Decision, isSilent = false) {
  const { status } = decision;
  const application = await findByReference(decision.reference, db);
  const { id, reference, erasedAt } = application;
  const before = statusOf(application.status);
  const isErased = isErasedSubmission(application);
  // The reason that the current status already has is not added again.
  const isKnown = before === status && decision.reason === (await lastReason(db, id));
  const reason = isKnown ? "" : (decision.reason ?? "");
  if (erasedAt && reason)
    throw new Refusal(`${reference} was erased: set its status without a reason. Nothing was changed.`);
  if (before === "draft") throw new Refusal(`${reference} has not been submitted yet.`);
  if (decision.before && before !== decision.before)
    throw new Refusal(
      `${reference} is now ${before}, because someone changed it in the meantime. Nothing was changed.`,
    );
  const { after } = statuses[status];
  if (after && before !== status && before !== after)
    throw new Refusal(
      `${reference} is ${before}: only an application that is ${after} can be set to ${status}. Nothing was changed.`,
    );
  if (decision.isErased === false && isErased)
    throw new Refusal(`${reference} has been erased in the meantime. Nothing was changed.`);
  const isReported = before !== status && !isSilent && currentSettings().sending.email !== undefined;
  const email = isReported && !(await wasReported(db, id, status)) ? application.email : "";
  const name = fullName(application);
  // `email` is the recipient, empty if none is sent; `isErased` says that a new link would show nothing.
  return { id, reference, name, before, status, reason, email, isErased };
}

/** The reason that was given last for the current status. */
async function lastReason(db: Db, applicationId: string): Promise<string | undefined> {
  const where = { applicationId, kind: { in: ["status_changed", "reason_added"] } } satisfies Prisma.EventWhereInput;
  return (await db.event.findFirst({ where, orderBy: { id: "desc" } }))?.reason;
}

/**
 * Whether the last email to the applicant about a status reported this one, so that a mistake corrected before its email was
 * sent is not reported. A claimed email does not count until the mail server is contacted, because it is checked again before
 * that. An email that was cancelled while it was being sent counts. If the last email may not have been sent, the status counts
 * as not yet reported. A correction during an email's attempt is therefore reported, even if that attempt is deferred afterwards.
 */
async function wasReported(db: Db, applicationId: string, status: StatusAfterSubmission): Promise<boolean> {
  const last = await db.message.findFirst({
    where: {
      applicationId,
      kind: "status",
      OR: [
        { state: { in: ["sent", "delivered", "unknown"] } },
        { state: "cancelled", sentAt: { not: null } },
        { tries: { some: { contactedAt: { not: null }, endedAt: null } } },
      ],
    },
    orderBy: { number: "desc" },
  });
  if (!last) return status === "submitted";
  const isCertain = last.state === "sending" || (last.sentAt !== null && last.state !== "unknown");
  return isCertain && last.detail === status;
}

/**
 * Sets the status of submitted applications, even back to an earlier one, records who did it and why, and enqueues the messages: all
 * of them, or none. Locks the rows first, because an email could otherwise go to an address that is being erased.
 */
export async function setStatuses(decisions: Decision[], options: ChangeOptions) {
  const ids: string[] = [];
  for (const { reference } of decisions) ids.push((await findByReference(reference)).id);
  const decide = async (tx: Db) => {
    await lockApplications(tx, ids);
    const changes: Awaited<ReturnType<typeof change>>[] = [];
    for (const decision of decisions) {
      const { reference, seen } = decision;
      if (seen !== undefined) await refuseIfChanged(tx, await findByReference(reference, tx), seen);
      changes.push(await change(tx, decision, options));
    }
    return changes;
  };
  return retryOnDeadlock(() => prisma().$transaction(decide, longTransaction));
}

async function change(tx: Db, decision: Decision, { by, isSilent }: ChangeOptions) {
  const first = await planChange(tx, decision, isSilent);
  const { id, before, status, reason } = first;
  // An email about an earlier decision would otherwise be sent if the status came back before it is due.
  const outdated = { applicationId: id, kind: "status", state: "waiting" } as const;
  const error = before === status ? `by ${by}` : "the status has changed";
  const isOutdated = before !== status || isSilent;
  const data = { state: "cancelled", error } as const;
  const cancelled = isOutdated ? await tx.message.updateManyAndReturn({ where: outdated, data }) : [];
  // An email that the mail server has just deferred was still being sent, and so counted, when the change was planned.
  const planned = cancelled.length > 0 ? await planChange(tx, decision, isSilent) : first;
  const { email } = planned;
  await changeStatus(tx, id, { status: storedStatus(status), by, reason });
  if (before === status && reason !== "")
    await tx.event.create({ data: { applicationId: id, kind: "reason_added", detail: status, by, reason } });
  const now = await clockTime(tx);
  const emailedAt = email ? new Date(now.getTime() + currentSettings().STATUS_DELAY_MINUTES * 60_000) : null;
  if (before !== status) await enqueue(tx, id, messagesForStatus(status, email, emailedAt ?? now), by);
  const { _max } = await tx.link.aggregate({ where: { applicationId: id, ...liveAt(now) }, _max: { expiresAt: true } });
  const lost = cancelled.filter(({ recipient }) => recipient.toLowerCase() !== email.toLowerCase());
  const isNewLinkLost = lost.length > 0 && (await carriedNewLink(tx, lost));
  return {
    ...planned,
    /** Until when the applicant's latest link shows the status; null if no link works. */
    shownUntil: _max.expiresAt,
    /** When the email is sent, unless the status changes before that; null if none is sent. */
    emailedAt,
    /** How many emails about an earlier decision are not sent. */
    cancelled: cancelled.length,
    /** One of them was to bring the link of a reissue to the invited address, where no other email brings one now. */
    isNewLinkLost,
  };
}

/** Whether one of these emails was to carry the link of a reissue. Its event was written in the same transaction. */
async function carriedNewLink(tx: Db, emails: Message[]): Promise<boolean> {
  const sameTime = emails.map(({ applicationId, createdAt: at }) => ({ applicationId: applicationId ?? "", at }));
  return (await tx.event.count({ where: { kind: "link_reissued", OR: sameTime } })) > 0;
}

/** Sets the status of a submitted application, and records who did it and why. */
async function changeStatus(
  tx: Db,
  id: string,
  { status, by, reason }: { status: ApplicationStatus; by: string; reason: string },
): Promise<void> {
  // Raw: a SECURITY DEFINER function, because operations may not write a status.
  await tx.$queryRaw`SELECT set_application_status(${id}::uuid, ${status}::"ApplicationStatus", ${by}, ${reason})`;
}
