import {
  type ApplicationView,
  lockedAnswers,
  namesOf,
  type SavedAnswer,
  type StepAnswers,
} from "@/lib/domain/application";
import type { AnswerStep } from "@/lib/domain/journey";
import type { Schema } from "@/lib/schemas/check";
import { stepSchema } from "@/lib/schemas/steps";
import { type ApplicationRow, columnType, invitedAnswers, savedAtColumns } from "@/lib/server/db/application-row";
import { type Db, prisma, queryByDriver } from "@/lib/server/db/client";
import { transactionTime } from "@/lib/server/db/locks";
import { type VerifiedCall, validated } from "@/lib/server/http/call";
import { alreadySubmitted, unknownToken } from "@/lib/server/http/call-error";
import { findLiveLink } from "@/lib/server/links/find-by-token";
import { currentSettings } from "@/lib/server/settings";
import { Prisma } from "@/prisma/generated/client";
import { toView } from "./to-view";

/** A step's schema, with this lender's currency in its messages. */
export function schemaOf<S extends AnswerStep>(step: S): Schema<StepAnswers[S]> {
  return stepSchema(step, currentSettings().brand);
}

/** Replaces phone numbers with those of the invitation, if it had any, because the applicant may not change them. */
export function withLockedAnswers(data: unknown, row: ApplicationRow): unknown {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return data;
  const invited = invitedAnswers(row);
  return { ...data, ...Object.fromEntries(lockedAnswers(invited).map((name) => [name, invited[name]])) };
}

/** Throws 401 if the link of a call has ended since the call found it. */
export async function requireLiveLink(db: Db, { linkId }: VerifiedCall, now: Date): Promise<void> {
  if (!(await findLiveLink(db, linkId, now))) throw unknownToken();
}

function assignment(name: SavedAnswer, value: string): Prisma.Sql {
  const column = Prisma.raw(`"${name}"`);
  // An empty source keeps the stored one, which came from the link.
  if (name === "source") return Prisma.sql`${column} = COALESCE(NULLIF(${value}, ''), ${column})`;
  return Prisma.sql`${column} = ${value}::${Prisma.raw(columnType(name))}`;
}

/** The SET list that saves a step: its declared answers and its saved-at time, and no other column. */
function assignments<S extends AnswerStep>(step: S, saved: StepAnswers[S]): Prisma.Sql {
  const values = saved as Record<SavedAnswer, string>;
  const names = namesOf(step);
  const savedAt = Prisma.raw(`"${savedAtColumns[step]}" = now()`);
  return Prisma.join([...names.map((name) => assignment(name, values[name])), savedAt]);
}

/** Saves all steps of a draft at once. The UPDATE locks the row for the submission that follows. */
export async function saveAll(tx: Db, { row }: VerifiedCall, steps: { [S in AnswerStep]: StepAnswers[S] }) {
  const all = Prisma.join([assignments(1, steps[1]), assignments(2, steps[2]), assignments(3, steps[3])]);
  // Raw: uses the assignments of saveStep.
  await tx.$executeRaw`UPDATE applications SET ${all} WHERE id = ${row.id}::uuid AND status = 'draft'`;
}

/**
 * The action of a submit-step call. Answers with every step as this statement left it, because another device may have saved
 * other steps meanwhile. A link's saves of a step leave one event per five minutes, so that no link can fill the table;
 * simultaneous ones may leave one each.
 */
export function saveStep(step: AnswerStep) {
  return async (call: VerifiedCall): Promise<ApplicationView> => {
    const { row, linkId, data, address } = call;
    if (row.status !== "draft") throw alreadySubmitted();
    const saved = validated(schemaOf(step), withLockedAnswers(data, row));
    const detail = `step ${step}`;
    // Raw: the most frequent call, and Prisma's own queries take twice the processor time. The order of
    // locks: Postgres waits for the application, then for the link, and checks the conditions again.
    const statement = Prisma.sql`
      WITH locked AS (
        SELECT a.id FROM applications a JOIN links l ON l."applicationId" = a.id
        WHERE a.id = ${row.id}::uuid AND l.id = ${linkId}::uuid AND a.status = 'draft'
          AND l."revokedAt" IS NULL AND l."expiresAt" > now()
        FOR NO KEY UPDATE OF a FOR SHARE OF l
      ), saved AS (
        UPDATE applications AS a SET ${assignments(step, saved)}, "updatedAt" = now()
        FROM locked WHERE a.id = locked.id RETURNING to_json(a) AS row
      ), event AS (
        INSERT INTO events ("applicationId", "linkId", kind, detail, address)
        SELECT ${row.id}::uuid, ${linkId}::uuid, 'step_saved', ${detail}, ${address} FROM saved WHERE NOT EXISTS (
          SELECT FROM events e WHERE e."applicationId" = ${row.id}::uuid AND e."linkId" = ${linkId}::uuid
            AND e.kind = 'step_saved' AND e.detail = ${detail} AND e.at > now() - interval '5 minutes'
        )
      )
      SELECT row FROM saved`;
    const [stored] = await queryByDriver<{ row: Omit<ApplicationRow, "consentRecord"> }>(`save ${detail}`, statement);
    if (!stored) {
      await requireLiveLink(prisma(), call, await transactionTime(prisma()));
      throw alreadySubmitted();
    }
    return toView({ ...stored.row, consentRecord: null });
  };
}
