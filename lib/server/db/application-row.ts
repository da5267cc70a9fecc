import { hash } from "node:crypto";
import {
  type AnswerKind,
  defaultAnswers,
  type InvitableAnswer,
  invitableAnswers,
  kindOf,
  type SavedAnswer,
  savedAnswers,
} from "@/lib/domain/application";
import { centsOf, writeCents } from "@/lib/domain/money";
import type { ApplicationStatus } from "@/lib/domain/statuses";
import type { Application, ConsentRecord, Prisma } from "@/prisma/generated/client";

/** A row as Prisma returns it, or as JSON from a raw statement, where times and dates are text and amounts are numbers. */
type Stored<Row> = {
  [Column in keyof Row]:
    | Row[Column]
    | (Date extends Row[Column] ? string : never)
    | (Prisma.Decimal extends Row[Column] ? number : never);
};

/** An application as the database holds it, with its consent record. Never sent to the browser; see to-view.ts. */
export type ApplicationRow = Stored<Application> & { consentRecord: Stored<ConsentRecord> | null };

/** The column that holds the invitation's value of an answer: `invitedEmail` for `email`. */
export function invitedColumn<N extends InvitableAnswer>(name: N): `invited${Capitalize<N>}` {
  return `invited${name[0]?.toUpperCase()}${name.slice(1)}` as `invited${Capitalize<N>}`;
}

export type InvitedColumns = { [N in InvitableAnswer as `invited${Capitalize<N>}`]: string | null };

/** The columns that hold when each step was last saved. The compiler refuses a step without such a column. */
export const savedAtColumns = { 1: "landlordSavedAt", 2: "agentSavedAt", 3: "leaseSavedAt" } as const;

type Replaced<Name, From extends string, To extends string> = Name extends `${infer Start}${From}${infer End}`
  ? `${Start}${To}${End}`
  : Name;

/** The status 'in-review' is stored as 'in_review', because values of Prisma's enums cannot contain a dash. */
export function statusOf(stored: Application["status"]): ApplicationStatus {
  return stored.replace("_", "-") as Replaced<Application["status"], "_", "-">;
}

export function storedStatus(status: ApplicationStatus): Application["status"] {
  return status.replace("-", "_") as Replaced<ApplicationStatus, "-", "_">;
}

type StoredValue = string | number | Date | Prisma.Decimal | null;
export type StoredAnswers = { [Name in SavedAnswer & keyof Application]?: StoredValue };

/** An answer as the applicant gave it: money without needless zeros, dates as YYYY-MM-DD; `fallback` if it is null. */
function formatAnswer(name: SavedAnswer, stored: StoredValue | undefined, fallback: string): string {
  if (stored === null || stored === undefined) return fallback;
  return columns[kindOf(name)].read(stored);
}

interface Column {
  type: "text" | "date" | "numeric";
  read: (stored: NonNullable<StoredValue>) => string;
}

const text: Column = { type: "text", read: String };

const columns: Record<Exclude<AnswerKind, "checkbox">, Column> = {
  text,
  email: text,
  phone: text,
  choice: text,
  source: text,
  // Prisma returns a Date, and a raw statement returns text.
  date: { type: "date", read: (date) => (date instanceof Date ? calendarDay(date) : String(date)) },
  money: { type: "numeric", read: (amount) => writeCents(centsOf(String(amount))) },
};

/** The YYYY-MM-DD of a date column, which Prisma returns as midnight UTC. */
export const calendarDay = (date: Date) => date.toISOString().slice(0, 10);

export const columnType = (name: SavedAnswer) => columns[kindOf(name)].type;

/** The answers in the form that views show, hashes cover and consent records store. The default replaces null. */
export function formatAnswers(stored: StoredAnswers): Record<SavedAnswer, string> {
  const formatted: Partial<Record<SavedAnswer, string>> = {};
  for (const name of savedAnswers) formatted[name] = formatAnswer(name, stored[name], defaultAnswers[name]);
  return formatted as Record<SavedAnswer, string>;
}

/** The invitation's values; '' if the invitation had none. */
export function invitedAnswers(row: ApplicationRow): Record<InvitableAnswer, string> {
  const invited: Partial<Record<InvitableAnswer, string>> = {};
  for (const name of invitableAnswers) invited[name] = formatAnswer(name, row[invitedColumn(name)], "");
  return invited as Record<InvitableAnswer, string>;
}

/** SHA-256, in hex, of formatted answers as canonical JSON: sorted by name, without spaces. */
export function versionOf(formatted: Record<string, string>): string {
  const json = JSON.stringify(formatted, Object.keys(formatted).sort());
  return hash("sha256", json);
}
