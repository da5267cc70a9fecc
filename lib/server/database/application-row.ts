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

/** Where the invitation's own word on an answer stands, beside the answer. */
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
  // As text: the driver would make a date midnight in this machine's time zone.
  const isDate = column in answers && answers[column as SavedAnswer].kind === "date";
  return isDate ? `to_char(a."${column}", 'YYYY-MM-DD') AS "${column}"` : `a."${column}"`;
}

/**
 * The columns of an application that a call needs, as they stand in a SELECT from `applications AS a`. By name: a prepared
 * `*` fails once when a migration adds a column under load.
 */
export const applicationColumns = [...ownColumns, ...answerColumns, ...invitedColumns, ...Object.values(savedAtColumns)]
  .map(selected)
  .join(", ");

/** Amounts are dollars with two decimals, calendar dates YYYY-MM-DD; null where nobody has answered. */
type Column<N extends SavedAnswer> = N extends NamesWith<{ kind: "money" | "date" }> ? string | null : string;

export type InvitedColumns = { [N in InvitableAnswer as `invited${Capitalize<N>}`]: Column<N> };

/** Empty until the application is submitted. */
type RecordedConsent = { [Box in keyof ConsentAnswers]: boolean | null } & {
  consentVersion: string | null;
  consentDocument: string | null;
  consentedAt: Date | null;
};

/** An application as the database holds it, with what was consented to. Never leaves the server. */
export type ApplicationRow = Pick<Application, (typeof ownColumns)[number] | (typeof savedAtColumns)[AnswerStep]> & {
  [N in SavedAnswer]: Column<N>;
} & InvitedColumns &
  RecordedConsent;

/** Postgres's names have no dash in them. */
export function statusOf(stored: Application["status"]): ApplicationStatus {
  return stored === "in_review" ? "in-review" : stored;
}

export function storedStatus(status: ApplicationStatus): Application["status"] {
  return status === "in-review" ? "in_review" : status;
}
