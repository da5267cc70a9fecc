import "server-only";
import {
  type AgreedConsent,
  type ApplicationAnswers,
  type ApplicationView,
  answers,
  defaultAnswers,
  type InvitedAnswers,
  invitableAnswers,
  namesOf,
  type SavedAnswer,
  savedAnswers,
} from "@/lib/domain/application";
import { type AnswerStep, answerSteps, reviewStep } from "@/lib/domain/journey";
import { centsOf, writeCents } from "@/lib/domain/money";
import { type ApplicationRow, invitedColumn, savedAtColumns, statusOf } from "@/lib/server/database/application-row";

/** Money without needless zeros: '2450' for the '2450.00' of the database. */
function written(name: SavedAnswer, stored: string | null, otherwise: string): string {
  if (stored === null) return otherwise;
  return answers[name].kind === "money" ? writeCents(centsOf(stored)) : stored;
}

export function invitedAnswers(row: ApplicationRow): InvitedAnswers {
  const said = invitableAnswers.map((name) => [name, written(name, row[invitedColumn(name)], "")]);
  return Object.fromEntries(said) as InvitedAnswers;
}

/** After submission the consent record's answers: it never changes. */
function heldBy(row: ApplicationRow): Partial<Record<SavedAnswer, string | null>> {
  return row.consentAnswers ?? row;
}

/** The answers, with the default in place of null. */
function answersIn(row: ApplicationRow): ApplicationAnswers {
  const held = heldBy(row);
  const saved = savedAnswers.map((name) => [name, written(name, held[name] ?? null, defaultAnswers[name])]);
  const ticks = namesOf(reviewStep).map((name) => [name, row[name] ?? defaultAnswers[name]]);
  return Object.fromEntries([...saved, ...ticks]) as ApplicationAnswers;
}

function agreedConsent({ consentVersion, consentDocument, consentedAt }: ApplicationRow): AgreedConsent | null {
  if (consentVersion === null || consentDocument === null || consentedAt === null) return null;
  return { version: consentVersion, document: consentDocument, consentedAt: consentedAt.toISOString() };
}

/** Saved, and with every answer that has been declared since. */
function isSaved(row: ApplicationRow, step: AnswerStep): boolean {
  const names = namesOf(step) as SavedAnswer[];
  return row[savedAtColumns[step]] !== null && names.every((name) => heldBy(row)[name] !== null);
}

/** What the applicant may see of the row. */
export function toView(row: ApplicationRow): ApplicationView {
  return {
    ...answersIn(row),
    reference: row.reference,
    status: statusOf(row.status),
    submittedAt: row.submittedAt?.toISOString() ?? null,
    version: row.answersVersion,
    consent: agreedConsent(row),
    invited: invitedAnswers(row),
    savedSteps: answerSteps.filter((step) => isSaved(row, step)),
  };
}
