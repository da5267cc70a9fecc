import "server-only";
import { createHash } from "node:crypto";
import {
  defaultAnswers,
  type InvitableAnswer,
  invitableAnswers,
  type Kind,
  kindOf,
  type SavedAnswer,
  savedAnswers,
} from "@/lib/domain/application";
import type { AnswerStep, ApplicationStatus } from "@/lib/domain/journey";
import { centsOf, writeCents } from "@/lib/domain/money";
import type { Application, ConsentRecord, Prisma } from "@/prisma/generated/client";

/** A row as Prisma returns it, or as JSON from a raw statement: there times and dates are text, amounts numbers. */
type Stored<Row> = {
  [Column in keyof Row]:
    | Row[Column]
    | (Date extends Row[Column] ? string : never)
    | (Prisma.Decimal extends Row[Column] ? number : never);
};

/** An application as the database holds it, with its consent record. Never sent to the browser; see to-view.ts. */
export type ApplicationRow = Stored<Application> & { consentRecord: Stored<ConsentRecord> | null };

/** The column with the invitation's value of an answer: `invitedEmail` for `email`. */
export function invitedColumn<N extends InvitableAnswer>(name: N): `invited${Capitalize<N>}` {
  return `invited${name[0]?.toUpperCase()}${name.slice(1)}` as `invited${Capitalize<N>}`;
}

export type InvitedColumns = { [N in InvitableAnswer as `invited${Capitalize<N>}`]: string | null };

/** When each step was last saved. The compiler refuses a step without such a column. */
export const savedAtColumns = {
  1: "landlordSavedAt",
  2: "agentSavedAt",
  3: "leaseSavedAt",
} as const satisfies Record<AnswerStep, keyof Application>;

/** The values of Prisma's enums cannot contain a dash. */
export function statusOf(stored: Application["status"]): ApplicationStatus {
  return stored === "in_review" ? "in-review" : stored;
}

export function storedStatus(status: ApplicationStatus): Application["status"] {
  return status === "in-review" ? "in_review" : status;
}

type StoredValue = string | number | Date | Prisma.Decimal | null;
/** Of a row, or as a consent record keeps them. */
export type StoredAnswers = { [Name in SavedAnswer & keyof Application]?: StoredValue };

/** An answer as its applicant gave it: money without needless zeros, dates as YYYY-MM-DD. */
export function formatAnswer(name: SavedAnswer, stored: StoredValue | undefined, otherwise: string): string {
  if (stored === null || stored === undefined) return otherwise;
  return format[kindOf(name)](stored);
}

const asText = (stored: NonNullable<StoredValue>) => String(stored);

/** How an answer of each kind is read: Prisma gives dates as a Date, and raw statements as text. */
const format: Record<Exclude<Kind, "tick">, typeof asText> = {
  text: asText,
  email: asText,
  phone: asText,
  choice: asText,
  source: asText,
  date: (stored) => (stored instanceof Date ? stored.toISOString().slice(0, 10) : String(stored)),
  money: (stored) => writeCents(centsOf(String(stored))),
};

/** The answers as views show them, hashes cover them and consent records keep them; the default in place of null. */
export function formatAnswers(stored: StoredAnswers): Record<SavedAnswer, string> {
  const formatted: Partial<Record<SavedAnswer, string>> = {};
  for (const name of savedAnswers) formatted[name] = formatAnswer(name, stored[name], defaultAnswers[name]);
  return formatted as Record<SavedAnswer, string>;
}

/** What the invitation said; '' where it said nothing. */
export function invitedAnswers(row: ApplicationRow): Record<InvitableAnswer, string> {
  const invited: Partial<Record<InvitableAnswer, string>> = {};
  for (const name of invitableAnswers) invited[name] = formatAnswer(name, row[invitedColumn(name)], "");
  return invited as Record<InvitableAnswer, string>;
}

/** SHA-256, in hex, of formatted answers as canonical JSON: sorted by name, without spaces. */
export function versionOf(formatted: Record<string, string>): string {
  const json = JSON.stringify(formatted, Object.keys(formatted).sort());
  return createHash("sha256").update(json).digest("hex");
}
