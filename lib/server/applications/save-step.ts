import "server-only";
import type { ApplicationView } from "@/lib/domain/application";
import type { AnswerStep } from "@/lib/domain/journey";
import { type SavedColumns, savedColumns } from "@/lib/server/db/application-row";
import { query } from "@/lib/server/db/query";
import { type Visit, validated } from "@/lib/server/http/call";
import { alreadySubmitted } from "@/lib/server/http/call-error";
import { Prisma } from "@/prisma/generated/client";
import { lockDraft, requireLiveLink } from "./lock-draft";
import { assignments, schemaOf, withLockedAnswers } from "./stored-steps";
import { toView } from "./to-view";

/**
 * The action of a submit-step call. One statement, so that the answers and their event are committed together. Answers with every step as that
 * statement left it: another device may have saved the others meanwhile.
 * One link's saves of a step leave one event in five minutes, so that no link can fill the table.
 */
export function saveStep(step: AnswerStep) {
  return async (visit: Visit): Promise<ApplicationView> => {
    const { row, linkId, data, address } = visit;
    if (row.status !== "draft") throw alreadySubmitted();
    const answers = validated(schemaOf(step), withLockedAnswers(data, row));
    const told = `step ${step}`;
    const { text, values } = Prisma.sql`
      WITH locked AS (${lockDraft(visit)}), saved AS (
        UPDATE applications AS a SET ${assignments(step, answers)}, "updatedAt" = now()
        FROM locked WHERE a.id = locked.id RETURNING ${Prisma.raw(savedColumns)}
      ), told AS (
        INSERT INTO events ("applicationId", "linkId", kind, detail, address)
        SELECT ${row.id}::uuid, ${linkId}::uuid, 'step_saved', ${told}, ${address} FROM saved WHERE NOT EXISTS (
          SELECT FROM events e WHERE e."applicationId" = ${row.id}::uuid AND e."linkId" = ${linkId}::uuid
            AND e.kind = 'step_saved' AND e.detail = ${told} AND e.at > now() - interval '5 minutes'
        )
      )
      SELECT * FROM saved`;
    const { rows } = await query<SavedColumns>({ name: `save-${step}`, text, values });
    const [saved] = rows;
    if (!saved) {
      await requireLiveLink(visit);
      throw alreadySubmitted();
    }
    return toView({ ...row, ...saved });
  };
}
