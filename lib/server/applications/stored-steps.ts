import "server-only";
import { answers, lockedAnswers, namesOf, type SavedAnswer, type StepAnswers } from "@/lib/domain/application";
import { type AnswerStep, answerSteps, steps } from "@/lib/domain/journey";
import { shownAnswers } from "@/lib/domain/shown-answers";
import { check, type Schema } from "@/lib/schemas/check";
import { stepSchema } from "@/lib/schemas/steps";
import { type ApplicationRow, savedAtColumns } from "@/lib/server/db/application-row";
import { CallError } from "@/lib/server/http/call-error";
import { currentSettings } from "@/lib/server/settings";
import { Prisma } from "@/prisma/generated/client";
import { invitedAnswers, toView } from "./to-view";

/** A step's schema, with this lender's currency in its messages. */
export function schemaOf<S extends AnswerStep>(step: S): Schema<StepAnswers[S]> {
  return stepSchema(step, currentSettings().brand);
}

function assignment(name: SavedAnswer, value: string): Prisma.Sql {
  const column = Prisma.raw(`"${name}"`);
  // An empty source keeps the one that the link gave.
  if (answers[name].kind === "source") return Prisma.sql`${column} = COALESCE(NULLIF(${value}, ''), ${column})`;
  // Postgres reads the text as what its column holds.
  return Prisma.sql`${column} = ${value}`;
}

/** The SET list that saves a step: its declared answers and its saved-at time, and no other column. */
export function assignments<S extends AnswerStep>(step: S, saved: StepAnswers[S]): Prisma.Sql {
  const values = saved as Record<SavedAnswer, string>;
  const names = namesOf(step) as SavedAnswer[];
  const savedAt = Prisma.raw(`"${savedAtColumns[step]}" = now()`);
  return Prisma.join([...names.map((name) => assignment(name, values[name])), savedAt]);
}

/** Replaces the phone numbers that the invitation carried with the invitation's: the applicant may not change them. */
export function withLockedAnswers(data: unknown, row: ApplicationRow): unknown {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return data;
  const invited = invitedAnswers(row);
  return { ...data, ...Object.fromEntries(lockedAnswers(invited).map((name) => [name, invited[name]])) };
}

/** Throws 422 for the first step that is not valid as stored. */
export function requireComplete(row: ApplicationRow): void {
  // As the form shows them: an amount that was never given is not the 0 that stands for it in a view.
  const stored = shownAnswers(toView(row), row.source);
  for (const step of answerSteps) {
    const { errors } = check(schemaOf(step), stored);
    if (errors) {
      const { title } = steps[step];
      throw new CallError(422, `Step ${step} (${title}) is not complete`, { errors, data: { step } });
    }
  }
}
