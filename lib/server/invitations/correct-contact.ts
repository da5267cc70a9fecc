import "server-only";
import { findByReference } from "@/lib/server/applications/find-by-reference";
import { prisma } from "@/lib/server/db/client";
import { correctContactOf, lockApplications } from "@/lib/server/db/statements";
import { invitedContact } from "@/lib/server/messages/outbox/enqueue";
import { commercialKinds } from "@/lib/server/messages/outbox/kinds";
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
  return prisma().$transaction(async (tx) => {
    if (!terms.allowDuplicates) await requireNoOpen(tx, right.mobile, reference);
    await lockApplications(tx, [applicationId]);
    if (!(await correctContactOf(tx, applicationId, right, terms.by)))
      throw new Error(`${reference} is submitted or erased: its contact is not changed any more.`);
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
    const { invitedEmail, invitedMobile } = await tx.application.findUniqueOrThrow({ where: { id: applicationId } });
    const contact = invitedContact(invitedEmail, invitedMobile);
    const wanted = waiting.filter(({ kind }) => kind === "reminder" || (kind === "invitation" && !terms.send));
    if (contact)
      await tx.message.createMany({
        // A claimed message is due when its lease ends.
        data: wanted.map(({ kind, dueAt, firstDueAt, detail }) => ({
          applicationId,
          kind,
          detail,
          dueAt: firstDueAt ?? dueAt,
          by: terms.by,
          ...contact,
        })),
      });
    return issued;
  });
}
