import "server-only";
import type { ApplicationStatus } from "@/lib/domain/journey";
import { readReference } from "@/lib/domain/reference";
import { statusOf } from "@/lib/server/database/application-row";
import { query } from "@/lib/server/database/query";
import type { Application } from "@/prisma/generated/client";
import { cameAt, type Filter, matches, valuesOf } from "./filter";

/** An application as a line of a list. */
export interface Listed {
  reference: string;
  status: ApplicationStatus;
  name: string;
  mobile: string;
  /** Null while it is a draft. */
  submittedAt: string | null;
  invitedAt: string;
}

/** More are not shown: who looks for somebody adds a word. */
export const mostFound = 100;

const columns = `a.reference, a.status, trim(a."firstName" || ' ' || a."lastName") AS name, a.mobile, a."submittedAt",
  a."createdAt" AS "invitedAt"`;

interface Row {
  reference: string;
  status: Application["status"];
  name: string;
  mobile: string;
  submittedAt: Date | null;
  invitedAt: Date;
}

async function listed(condition: string, values: unknown[], most: number | null): Promise<Listed[]> {
  const limit = most === null ? "" : `LIMIT ${most}`;
  const text = `SELECT ${columns} FROM applications a WHERE ${condition} ORDER BY ${cameAt} DESC, a.reference ${limit}`;
  const { rows } = await query<Row>({ text, values });
  return rows.map(({ status, submittedAt, invitedAt, ...row }) => ({
    ...row,
    status: statusOf(status),
    submittedAt: submittedAt?.toISOString() ?? null,
    invitedAt: invitedAt.toISOString(),
  }));
}

/** Newest first. */
export function listApplications(filter: Filter): Promise<Listed[]> {
  return listed(matches, valuesOf(filter), null);
}

const names = `concat_ws(' ', a."firstName", a."lastName", a."invitedFirstName", a."invitedLastName")`;

/** By a reference or mobile in any form, or by words of the names, as answered or as invited. Newest first. */
export function findApplications(words: string): Promise<Listed[]> {
  const wanted = words.split(/\s+/).filter(Boolean);
  // $1 is the reference: a name of its letters, Margaret, is looked for as both.
  const ways = ["a.reference = $1"];
  const digits = words.normalize("NFKC").replace(/\D/g, "");
  const isNumber = digits.length >= 4;
  if (isNumber) ways.push("a.mobile LIKE $2");
  else if (wanted.length > 0) ways.push(wanted.map((_, index) => `${names} ILIKE $${index + 2}`).join(" AND "));
  // 0412, 0011 61 412 and +61 412 are the same number.
  const patterns = isNumber ? [containing(digits.replace(/^0+(?:11)?/, ""))] : wanted.map(containing);
  return listed(`(${ways.join(" OR ")})`, [readReference(words), ...patterns], mostFound);
}

function containing(word: string): string {
  return `%${word.replace(/[%_\\]/g, "\\$&")}%`;
}
