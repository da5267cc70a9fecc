import { addDays } from "@/lib/domain/zone-time";
import { isErasedSubmission } from "@/lib/server/applications/erase";
import { withLocked } from "@/lib/server/applications/find-by-reference";
import { statusOf } from "@/lib/server/db/application-row";
import { type Db, prisma } from "@/lib/server/db/client";
import { retryOnDeadlock } from "@/lib/server/db/errors";
import { clockTime, limitUnreadLinks, lockApplications } from "@/lib/server/db/locks";
import { hashToken, linkTo, makeToken } from "@/lib/server/links/token";
import { preferredContact } from "@/lib/server/outbox/enqueue";
import type { MessageKind } from "@/lib/server/outbox/message-kinds";
import { type Reachability, reachabilityOf } from "@/lib/server/outbox/reachability";
import { Refusal } from "@/lib/server/refusal";
import type { Application } from "@/prisma/generated/client";
import type { IssuedLink } from "./create-invitations";

/**
 * The caller has locked the applications. The time is that after the wait for the lock, so that no link is revoked before it was
 * issued.
 */
export async function revokeLive(tx: Db, applicationIds: string[], by: string): Promise<number> {
  const revoked = await tx.link.updateManyAndReturn({
    where: { applicationId: { in: applicationIds }, revokedAt: null },
    data: { revokedAt: await clockTime(tx) },
    select: { id: true, applicationId: true },
  });
  const events = revoked.map(({ id, applicationId }) => ({
    applicationId,
    linkId: id,
    kind: "link_revoked" as const,
    by,
  }));
  await tx.event.createMany({ data: events });
  return revoked.length;
}

/** Revokes every link of an application, from the next call on, unless it has changed since `seen`. Returns how many it revoked. */
export function revokeLinks(reference: string, by: string, seen?: string): Promise<number> {
  return withLocked(reference, (tx, { id }) => revokeLive(tx, [id], by), seen);
}

const liveIn = (batch: string) => ({ batch, links: { some: { revokedAt: null } } });

/** How many links of a batch are not revoked, and of how many applications. */
export async function countLiveLinks(batch: string) {
  const links = await prisma().link.count({ where: { revokedAt: null, application: { batch } } });
  return { links, applications: await prisma().application.count({ where: liveIn(batch) }) };
}

/** Applications per transaction, whose rows are locked meanwhile. */
const revokedAtOnce = 500;

/** Revokes every link of a batch, in transactions of 500 applications. Reports after each, and returns how many it revoked. */
export async function revokeLinksOf(batch: string, by: string, report: (revoked: number) => void): Promise<number> {
  for (let total = 0; ; report(total)) {
    const where = liveIn(batch);
    const found = await prisma().application.findMany({ where, take: revokedAtOnce, select: { id: true } });
    if (found.length === 0) return total;
    const ids = found.map(({ id }) => id);
    const revoke = async (tx: Db) => {
      await lockApplications(tx, ids);
      return revokeLive(tx, ids, by);
    };
    total += await retryOnDeadlock(() => prisma().$transaction(revoke));
  }
}

export interface ReissueOptions {
  expiresDays: number;
  by: string;
  /** Whether the app sends the link to the invited contact. If it cannot, reissuing throws. */
  send?: boolean;
  /** The id of the last event that a page showed. If there is another, reissuing throws. */
  seen?: string;
}

/** `beforeCommit` gets what was issued. If it fails, nothing is changed. */
export interface BeforeCommit<Issued = IssuedLink> {
  beforeCommit?: (issued: Issued) => Promise<void>;
}

/** Revokes every link of an application and issues a new one to the same answers. Throws if they were erased after submission. */
export function reissueLink(typedReference: string, options: ReissueOptions & BeforeCommit): Promise<IssuedLink> {
  const issue = async (tx: Db, application: Application) => {
    if (isErasedSubmission(application))
      throw new Refusal(`${application.reference} was erased after its submission, so a link would show nothing.`);
    await limitUnreadLinks(tx);
    const issued = await reissue(tx, application, options);
    await options.beforeCommit?.(issued);
    return issued;
  };
  return withLocked(typedReference, issue, options.seen);
}

/**
 * Like reissueLink, within a transaction. The application's row must be locked. `known` is how a message can reach the person, if
 * the caller has read it: an opt-out since then cancels the message before it is sent.
 */
export async function reissue(tx: Db, application: Application, options: ReissueOptions, known?: Reachability) {
  const { id, reference, source } = application;
  const token = makeToken();
  await revokeLive(tx, [id], options.by);
  const now = await clockTime(tx);
  // Retention depends on updatedAt. Without this update it could revoke the new link the next night.
  await tx.application.update({ where: { id }, data: { updatedAt: now }, select: { id: true } });
  const expiresAt = addDays(now, options.expiresDays);
  const link = await tx.link.create({
    data: { applicationId: id, createdAt: now, expiresAt, token: { create: { tokenHash: hashToken(token) } } },
  });
  await tx.event.createMany({ data: [{ applicationId: id, linkId: link.id, kind: "link_reissued", by: options.by }] });
  const sentBy = options.send ? await sendLink(tx, application, options.by, known) : undefined;
  return {
    reference,
    link: linkTo(token, source),
    token,
    expiresAt: expiresAt.toISOString(),
    ...(sentBy && { sentBy }),
  };
}

/** Enqueues a message with a link of its own, and returns the channel. Throws if no message can reach the person. */
async function sendLink(tx: Db, application: Application, by: string, known?: Reachability) {
  const { id, reference, status, invitedEmail, invitedMobile } = application;
  const kind = await kindFor(tx, application);
  // A bounce suppresses only invitations and reminders. Applicants who have submitted still get messages.
  const { contact, isOptedOut } =
    kind === "invitation"
      ? (known ?? (await reachabilityOf(tx, application)))
      : { contact: preferredContact(invitedEmail, invitedMobile), isOptedOut: false };
  const refusal = (why: string) => new Refusal(`${why}.`, "Without --send, the link is only printed.");
  if (!contact) throw refusal(`No message can reach the person invited as ${reference}`);
  if (isOptedOut) throw refusal(`Invitations and reminders to the contact of ${reference} are stopped`);
  if (kind !== "invitation" && contact.channel === "sms")
    throw refusal(`${reference} has been submitted, and messages about submitted applications go by email only`);
  const detail = kind === "status" ? statusOf(status) : "";
  // A message that waits or is being prepared would create another link of its own.
  const recipient = kind === "invitation" ? undefined : contact.recipient;
  await tx.message.updateMany({
    where: { applicationId: id, kind, recipient, state: { in: ["waiting", "sending"] } },
    data: {
      state: "cancelled",
      error: `superseded by another ${kind === "invitation" ? "invitation or reminder" : "email"}`,
    },
  });
  await tx.message.createMany({ data: [{ applicationId: id, kind, detail, by, ...contact }] });
  return contact.channel;
}

/**
 * The kind of message that carries a reissued link. A fresh-link message would say that its recipient asked for it. After the
 * submission an invitation would be wrong, so a confirmation or a status message carries the link. A confirmation does not say
 * the status.
 */
async function kindFor(tx: Db, { id, status }: Application): Promise<MessageKind> {
  if (status === "draft") return "invitation";
  if (status === "submitted") return "confirmation";
  // The email about a decision waits for STATUS_DELAY_MINUTES, so that a mistake can be corrected before anyone reads it.
  const dueAt = { gt: await clockTime(tx) };
  const waiting = await tx.message.count({ where: { applicationId: id, kind: "status", state: "waiting", dueAt } });
  return waiting > 0 ? "confirmation" : "status";
}
