import "server-only";
import { database } from "@/lib/server/database/client";
import { alreadySubmitted } from "@/lib/server/http/call-error";
import type { Visit } from "@/lib/server/http/user-call";
import { Prisma } from "@/prisma/generated/client";
import { type StepRules, withLockedFields } from "./answer-steps";

/**
 * The action of a submit-step call: a step is saved whole or not at all, and only while the application is a draft.
 * One statement, so that the answers and the event that tells of them stand or fall together; prepared, and sent by the
 * driver itself, since it is what the form does most.
 */
export function saveStep(rules: StepRules) {
  return async ({ row, linkId, data, address }: Visit): Promise<void> => {
    if (row.status !== "draft") throw alreadySubmitted();
    const answers = rules.assignments(withLockedFields(data, row));
    const { text, values } = Prisma.sql`
      WITH saved AS (
        UPDATE applications SET ${answers}, "updatedAt" = now()
        WHERE id = ${row.id}::uuid AND status = 'draft' RETURNING id
      )
      INSERT INTO events ("applicationId", "linkId", kind, detail, address)
      SELECT id, ${linkId}::uuid, 'step_saved', ${`step ${rules.step}`}, ${address} FROM saved`;
    const { rowCount } = await database().pool.query({ name: `save-${rules.step}`, text, values });
    if (rowCount === 0) throw alreadySubmitted();
  };
}
