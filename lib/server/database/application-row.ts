import "server-only";
import {
  answers,
  type ConsentAnswers,
  type InvitableAnswer,
  invitableAnswers,
  type NamesWith,
  type SavedAnswer,
  savedAnswers,
} from "@/lib/domain/application";
import type { AnswerStep, ApplicationStatus } from "@/lib/domain/journey";
import type { Application } from "@/prisma/generated/client";

/** The column with the invitation's value of an answer: `invitedEmail` for `email`. */
export function invitedColumn<N extends InvitableAnswer>(name: N): `invited${Capitalize<N>}` {
  return `invited${name[0]?.toUpperCase()}${name.slice(1)}` as `invited${Capitalize<N>}`;
}

/** When each step was last saved. The compiler refuses a step without such a column. */
export const savedAtColumns = {
  1: "landlordSavedAt",
  2: "agentSavedAt",
  3: "leaseSavedAt",
} as const satisfies Record<AnswerStep, keyof Application>;

/** The compiler refuses a declared answer that has no column in schema.prisma. */
const answerColumns: readonly (keyof Application)[] = savedAnswers;
const invitedColumns: readonly (keyof Application)[] = invitableAnswers.map(invitedColumn);
const ownColumns = ["id", "reference", "status", "submittedAt"] as const satisfies readonly (keyof Application)[];

function selected(column: string): string {
  // As text: the driver would parse a date as midnight in this machine's time zone.
  const isDate = column in answers && answers[column as SavedAnswer].kind === "date";
  return isDate ? `to_char(a."${column}", 'YYYY-MM-DD') AS "${column}"` : `a."${column}"`;
}

/** What a save may have changed, of `applications AS a`. */
export const savedColumns = [...answerColumns, ...Object.values(savedAtColumns)].map(selected).join(", ");

/**
 * The columns of `applications AS a` that a call selects. Listed by name, because a prepared `SELECT *` fails once on
 * each connection after a migration has added a column.
 */
export const applicationColumns = [...ownColumns, ...invitedColumns].map(selected).concat(savedColumns).join(", ");

/** The same with what was consented to, from `applications AS a LEFT JOIN consent_records AS c`. */
export const rowColumns = `${applicationColumns}, c."authoriseAgent", c."provideSelf", c."confirmLoan",
  c.version AS "consentVersion", c.document AS "consentDocument", c."consentedAt", c.answers AS "consentAnswers"`;

/** Amounts have two decimals ('2450.00'), dates are YYYY-MM-DD. Both are null until they are answered. */
type Column<N extends SavedAnswer> = N extends NamesWith<{ kind: "money" | "date" }> ? string | null : string;

export type SavedColumns = Pick<Application, (typeof savedAtColumns)[AnswerStep]> & {
  [N in SavedAnswer]: Column<N>;
};

export type InvitedColumns = { [N in InvitableAnswer as `invited${Capitalize<N>}`]: Column<N> };

/** Null until the application is submitted. */
type RecordedConsent = { [Box in keyof ConsentAnswers]: boolean | null } & {
  consentVersion: string | null;
  consentDocument: string | null;
  consentedAt: Date | null;
  /** The answers as they were submitted. Null in a record from before they were kept. */
  consentAnswers: Partial<Record<SavedAnswer, string>> | null;
};

/** An application as the database holds it, with its consent record. Never sent to the browser; see to-view.ts. */
export type ApplicationRow = Pick<Application, (typeof ownColumns)[number]> &
  SavedColumns &
  InvitedColumns &
  RecordedConsent;

/** The values of Prisma's enums cannot contain a dash. */
export function statusOf(stored: Application["status"]): ApplicationStatus {
  return stored === "in_review" ? "in-review" : stored;
}

export function storedStatus(status: ApplicationStatus): Application["status"] {
  return status === "in-review" ? "in_review" : status;
}
