import "server-only";
import {
  type AgreedConsent,
  type ApplicationView,
  answers,
  type ConsentAnswers,
  defaultAnswers,
  type InvitedAnswers,
  invitableAnswers,
  namesOf,
  type SavedAnswer,
  savedAnswers,
} from "@/lib/domain/application";
import { type AnswerStep, answerSteps, reviewStep } from "@/lib/domain/journey";
import { centsOf, writeCents } from "@/lib/domain/money";
import { versionOf } from "@/lib/server/db/answers-version";
import { type ApplicationRow, invitedColumn, savedAtColumns, statusOf } from "@/lib/server/db/application-row";

const invitedColumns = invitableAnswers.map((name) => [name, invitedColumn(name)] as const);

/** Money without needless zeros: '2450' for the '2450.00' of the database. */
function written(name: SavedAnswer, stored: string | null, otherwise: string): string {
  if (stored === null) return otherwise;
  return answers[name].kind === "money" ? writeCents(centsOf(stored)) : stored;
}

export function invitedAnswers(row: ApplicationRow): InvitedAnswers {
  const invited: Partial<InvitedAnswers> = {};
  for (const [name, column] of invitedColumns) invited[name] = written(name, row[column], "");
  return invited as InvitedAnswers;
}

type HeldAnswers = Partial<Record<SavedAnswer, string | null>>;

/** After submission the consent record's answers: it never changes. */
function heldBy(row: ApplicationRow): HeldAnswers {
  return row.consentAnswers ?? row;
}

/** The answers, with the default in place of null. */
function answersIn(held: HeldAnswers): Record<SavedAnswer, string> {
  const shown: Partial<Record<SavedAnswer, string>> = {};
  for (const name of savedAnswers) shown[name] = written(name, held[name] ?? null, defaultAnswers[name]);
  return shown as Record<SavedAnswer, string>;
}

function ticksIn(row: ApplicationRow): ConsentAnswers {
  const ticks: Partial<ConsentAnswers> = {};
  for (const name of namesOf(reviewStep)) ticks[name] = row[name] ?? defaultAnswers[name];
  return ticks as ConsentAnswers;
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
  // Not spread into a literal, which takes V8 ten times as long with so many properties.
  return Object.assign(answersIn(heldBy(row)), ticksIn(row), {
    version: versionOf(answersIn(row)),
    reference: row.reference,
    status: statusOf(row.status),
    submittedAt: row.submittedAt?.toISOString() ?? null,
    consent: agreedConsent(row),
    invited: invitedAnswers(row),
    savedSteps: answerSteps.filter((step) => isSaved(row, step)),
  });
}
