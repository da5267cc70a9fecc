import "server-only";
import { findByReference } from "@/lib/server/applications/find-by-reference";
import { type Db, prisma } from "@/lib/server/db/client";
import { correctContactOf, databaseNow, lockApplications } from "@/lib/server/db/statements";
import { commercialKinds } from "@/lib/server/messages/outbox/kinds";
import {
  byReader,
  insteadOfEmail,
  mailSystem,
  reachableContact,
  stoppedAmong,
} from "@/lib/server/messages/outbox/stopped";
import type { Message } from "@/prisma/generated/client";
import type { IssuedLink } from "./create-invitations";
import { requireNoOpen } from "./issued-already";
import { type ReissueTerms, reissue } from "./links";

export interface RightContact {
  email?: string | undefined;
  mobile?: string | undefined;
}

/**
 * Corrects the contact of a draft's invitation: revokes every link, issues a new one, and sends what still waits for the old
 * contact to the right one. The rest of the application stays. A message that is being sent as this commits has a dead link.
 */
export async function correctContact(
  given: string,
  right: RightContact,
  terms: ReissueTerms & { allowDuplicates?: boolean },
): Promise<IssuedLink> {
  const application = await findByReference(given);
  const { id: applicationId, reference } = application;
  const where = { id: applicationId };
  return prisma().$transaction(async (tx) => {
    if (!terms.allowDuplicates) await requireNoOpen(tx, right.mobile, reference);
    await lockApplications(tx, [applicationId]);
    const { invitedEmail: wrong } = await tx.application.findUniqueOrThrow({ where });
    if (!(await correctContactOf(tx, applicationId, right, terms.by)))
      throw new Error(`${reference} has been submitted or erased, so its contact can no longer be changed.`);
    const cancelled = await tx.message.updateManyAndReturn({
      where: {
        applicationId,
        kind: { in: [...commercialKinds, "fresh-link"] },
        state: { in: ["waiting", "sending"] },
      },
      data: { state: "cancelled", error: "the contact was corrected" },
    });
    const waiting = cancelled.sort((one, other) => Number(one.number - other.number));
    const issued = await reissue(tx, application, terms);
    const contact = await reachableContact(tx, await tx.application.findUniqueOrThrow({ where }));
    const wanted = waiting.filter(({ kind }) => kind === "reminder" || (kind === "invitation" && !terms.send));
    if (contact?.channel === "email") wanted.push(...(await remindersBounced(tx, applicationId, wrong, wanted)));
    if (contact)
      await tx.message.createMany({
        // A claimed message is due when its lease ends.
        data: wanted.map(({ kind, dueAt, firstDueAt, detail }) => ({
          applicationId,
          kind,
          detail: contact.channel === "email" && detail === insteadOfEmail ? "" : detail,
          dueAt: firstDueAt ?? dueAt,
          by: terms.by,
          ...contact,
        })),
      });
    return issued;
  });
}

/** Reminders to come that were cancelled because nothing reached the wrong address; its reader has stopped none. */
async function remindersBounced(tx: Db, applicationId: string, wrong: string, others: Message[]): Promise<Message[]> {
  const address = [{ channel: "email", recipient: wrong } as const];
  const isDead = (await stoppedAmong(tx, address, { by: mailSystem })).size > 0;
  if (!isDead || (await stoppedAmong(tx, address, byReader)).size > 0) return [];
  const cancelled = await tx.message.findMany({
    where: {
      applicationId,
      kind: "reminder",
      recipient: wrong,
      state: "cancelled",
      error: "stopped",
      dueAt: { gt: await databaseNow(tx) },
    },
    orderBy: { number: "asc" },
  });
  return cancelled.filter(({ detail }) => !others.some((one) => one.detail === detail));
}
