import {
  type ApplicationView,
  type ConsentAnswers,
  defaultAnswers,
  namesOf,
  type ReceiptSection,
  type SavedAnswer,
} from "@/lib/domain/application";
import { type AnswerStep, answerSteps, reviewStep } from "@/lib/domain/journey";
import { mayBeEmpty } from "@/lib/schemas/steps";
import {
  type ApplicationRow,
  formatAnswers,
  invitedAnswers,
  type StoredAnswers,
  savedAtColumns,
  statusOf,
  versionOf,
} from "@/lib/server/db/application-row";
import { currentSettings } from "@/lib/server/settings";

/** After the submission, the answers come from the consent record, which never changes. */
function answersOf({ consentRecord, ...row }: ApplicationRow): StoredAnswers {
  return (consentRecord?.answers as StoredAnswers | null | undefined) ?? row;
}

function ticksIn({ consentRecord }: ApplicationRow): ConsentAnswers {
  const ticks: Partial<ConsentAnswers> = {};
  for (const name of namesOf(reviewStep)) ticks[name] = consentRecord?.[name] ?? defaultAnswers[name];
  return ticks as ConsentAnswers;
}

const instant = (time: Date | string) => new Date(time).toISOString();

/** Whether a step was saved and has every answer, even one that was declared after the save. Optional texts may be ''. */
function isSaved(row: ApplicationRow, step: AnswerStep): boolean {
  const stored = answersOf(row);
  const { brand } = currentSettings();
  const isGiven = (name: SavedAnswer) => stored[name] !== null && (stored[name] !== "" || mayBeEmpty(name, brand));
  return row[savedAtColumns[step]] !== null && namesOf(step).every(isGiven);
}

export const savedStepsOf = (row: ApplicationRow) => answerSteps.filter((step) => isSaved(row, step));

export function toView(row: ApplicationRow): ApplicationView {
  const { consentRecord: agreed } = row;
  // Object.assign, because spreading this many properties into a literal takes V8 ten times as long.
  return Object.assign(formatAnswers(answersOf(row)), ticksIn(row), {
    version: versionOf(formatAnswers(row)),
    reference: row.reference,
    status: statusOf(row.status),
    submittedAt: row.submittedAt && instant(row.submittedAt),
    consent: agreed && {
      version: agreed.version,
      document: agreed.document,
      consentedAt: instant(agreed.consentedAt),
      receipt: (agreed.receipt ?? []) as ReceiptSection[],
    },
    invited: invitedAnswers(row),
    savedSteps: savedStepsOf(row),
  });
}
