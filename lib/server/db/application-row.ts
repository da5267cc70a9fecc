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
const answerColumns: readonly (SavedAnswer & keyof Application)[] = savedAnswers;
const ownColumns = ["id", "reference", "status", "submittedAt"] as const satisfies readonly (keyof Application)[];

/** As text: the driver would parse a date as midnight in this machine's time zone, and JSON an amount as a fraction. */
function selected(column: keyof Application, name?: SavedAnswer): string {
  switch (name && answers[name].kind) {
    case "date":
      return `to_char(a."${column}", 'YYYY-MM-DD') AS "${column}"`;
    case "money":
      return `a."${column}"::text AS "${column}"`;
    default:
      return `a."${column}"`;
  }
}

/** What a save may have changed, of `applications AS a`. */
export const savedColumns = [
  ...answerColumns.map((name) => selected(name, name)),
  ...Object.values(savedAtColumns).map((column) => selected(column)),
].join(", ");

/**
 * The columns of `applications AS a` that a call selects. Listed by name, because a prepared `SELECT *` fails once on
 * each connection after a migration has added a column.
 */
export const applicationColumns = [
  ...ownColumns.map((column) => selected(column)),
  ...invitableAnswers.map((name) => selected(invitedColumn(name), name)),
  savedColumns,
].join(", ");

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

const times = ["submittedAt", "consentedAt", ...Object.values(savedAtColumns)] as const;

/** A row from JSON, in which times are text. */
export function withTimes<Row extends ApplicationRow>(json: Row): Row {
  for (const time of times) json[time] &&= new Date(json[time]);
  return json;
}

/** The values of Prisma's enums cannot contain a dash. */
export function statusOf(stored: Application["status"]): ApplicationStatus {
  return stored === "in_review" ? "in-review" : stored;
}

export function storedStatus(status: ApplicationStatus): Application["status"] {
  return status === "in-review" ? "in_review" : status;
}
