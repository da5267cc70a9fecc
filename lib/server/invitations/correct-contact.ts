import { findByReference } from "@/lib/server/applications/find-by-reference";
import { refuseIfChanged } from "@/lib/server/applications/refuse-if-changed";
import { type Db, prisma } from "@/lib/server/db/client";
import { retryOnDeadlock } from "@/lib/server/db/errors";
import { limitUnreadLinks, lockApplications, lockMobiles, transactionTime } from "@/lib/server/db/locks";
import { commercialKinds } from "@/lib/server/outbox/message-kinds";
import {
  correctedError,
  hasBounced,
  hasOptedOut,
  insteadOfEmail,
  invitedContacts,
  reachabilityOf,
  stoppedError,
} from "@/lib/server/outbox/reachability";
import { Refusal } from "@/lib/server/refusal";
import type { Application, Message } from "@/prisma/generated/client";
import type { IssuedLink } from "./create-invitations";
import { requireNoOpenApplication } from "./issued-already";
import { type BeforeCommit, type ReissueOptions, reissue, revokeLive } from "./links";

export interface CorrectedContact {
  email?: string;
  mobile?: string;
}

/** The new link, and the contact that was replaced. */
export type Corrected = IssuedLink & { replaced: Required<CorrectedContact> };

/**
 * Corrects the contact of a draft's invitation: revokes every link and issues a new one. Cancels the invitations, reminders and
 * fresh links that wait, and enqueues the invitations and reminders to the right contact instead. The rest of the application
 * stays. A message that is being sent meanwhile has a revoked link.
 */
export async function correctContact(
  typedReference: string,
  right: CorrectedContact,
  options: ReissueOptions & BeforeCommit<Corrected> & { allowDuplicates?: boolean },
): Promise<Corrected> {
  const { id: applicationId, reference } = await findByReference(typedReference);
  const where = { id: applicationId };
  const correct = async (tx: Db) => {
    if (right.mobile && !options.allowDuplicates) {
      // Like every invitation, so that only one of two concurrent invitations or corrections succeeds.
      await lockMobiles(tx, [right.mobile]);
      await requireNoOpenApplication(tx, [right.mobile], reference);
    }
    await lockApplications(tx, [applicationId]);
    if (options.seen !== undefined) await refuseIfChanged(tx, { id: applicationId, reference }, options.seen);
    await limitUnreadLinks(tx);
    const { invitedEmail: oldEmail, invitedMobile: oldMobile } = await tx.application.findUniqueOrThrow({ where });
    if ((right.email ?? oldEmail) === oldEmail && (right.mobile ?? oldMobile) === oldMobile)
      throw new Refusal(
        `${reference} already has these contact details.`,
        "'npm run links -- reissue' issues a new link.",
      );
    if (!(await correctContactOf(tx, applicationId, right, options.by)))
      throw new Refusal(`${reference} has been submitted or erased, so its contact details can no longer be changed.`);
    // The order of locks: links before messages.
    await revokeLive(tx, [applicationId], options.by);
    const cancelled = await tx.message.updateManyAndReturn({
      where: { applicationId, kind: { in: [...commercialKinds, "fresh-link"] }, state: { in: ["waiting", "sending"] } },
      data: { state: "cancelled", error: correctedError },
    });
    const waiting = cancelled.sort((a, b) => Number(a.number - b.number));
    const corrected = await tx.application.findUniqueOrThrow({ where });
    const issued = await reissue(tx, corrected, options);
    const { contact } = await reachabilityOf(tx, corrected);
    const resent = waiting.filter(({ kind }) => kind === "reminder" || (kind === "invitation" && !options.send));
    if (contact?.channel === "email") resent.push(...(await bouncedReminders(tx, corrected, oldEmail, resent)));
    if (contact)
      await tx.message.createMany({
        // The dueAt of a claimed message is the end of its lease.
        data: resent.map(({ kind, dueAt, firstDueAt, detail }) => ({
          applicationId,
          kind,
          detail: contact.channel === "email" && detail === insteadOfEmail ? "" : detail,
          dueAt: firstDueAt ?? dueAt,
          by: options.by,
          ...contact,
        })),
      });
    const result = { ...issued, replaced: { email: oldEmail, mobile: oldMobile } };
    await options.beforeCommit?.(result);
    return result;
  };
  return retryOnDeadlock(() => prisma().$transaction(correct));
}

/** Future reminders that were cancelled because the old address bounced. Empty if somebody has opted out there or elsewhere. */
async function bouncedReminders(tx: Db, corrected: Application, email: string, resent: Message[]): Promise<Message[]> {
  const address = { channel: "email", recipient: email } as const;
  if (!(await hasBounced(tx, address)) || (await hasOptedOut(tx, [address, ...invitedContacts(corrected)]))) return [];
  const cancelled = await tx.message.findMany({
    where: {
      applicationId: corrected.id,
      kind: "reminder",
      recipient: email,
      state: "cancelled",
      error: stoppedError,
      dueAt: { gt: await transactionTime(tx) },
    },
    orderBy: { number: "asc" },
  });
  return cancelled.filter(({ detail }) => !resent.some((message) => message.detail === detail));
}

/** Corrects the contact of a draft's invitation, and records who did it. Returns false if there is no such draft. */
async function correctContactOf(
  tx: Db,
  id: string,
  { email = null, mobile = null }: { email?: string | null; mobile?: string | null },
  by: string,
): Promise<boolean> {
  // Raw: a SECURITY DEFINER function, because operations may not write answers.
  const [row] = await tx.$queryRaw<[{ done: boolean }]>`
    SELECT correct_contact(${id}::uuid, ${email}, ${mobile}, ${by}) AS done`;
  return row.done;
}
