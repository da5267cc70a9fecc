import "server-only";
import { prisma } from "@/lib/server/database/prisma";
import { alreadySubmitted } from "@/lib/server/http/call-error";
import type { Visit } from "@/lib/server/http/user-call";
import { type StepRules, withLockedFields } from "./answer-steps";

/**
 * The action of a submit-step call: a step is saved whole or not at all, and only while the application is a draft.
 * One statement, so that the answers and the event that tells of them stand or fall together.
 */
export function saveStep(rules: StepRules) {
  return async ({ row, linkId, data, address }: Visit): Promise<void> => {
    if (row.status !== "draft") throw alreadySubmitted();
    const answers = rules.assignments(withLockedFields(data, row));
    const saved = await prisma().$executeRaw`
      WITH saved AS (
        UPDATE applications SET ${answers}, "updatedAt" = now()
        WHERE id = ${row.id}::uuid AND status = 'draft' RETURNING id
      )
      INSERT INTO events ("applicationId", "linkId", kind, detail, address)
      SELECT id, ${linkId}::uuid, 'step_saved', ${`step ${rules.step}`}, ${address} FROM saved`;
    if (saved === 0) throw alreadySubmitted();
  };
}
