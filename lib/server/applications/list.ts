import "server-only";
import type { ApplicationStatus } from "@/lib/domain/journey";
import { readReference } from "@/lib/domain/reference";
import { statusOf } from "@/lib/server/db/application-row";
import { query } from "@/lib/server/db/query";
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

async function listed(condition: string, values: unknown[], most: number | "ALL"): Promise<Listed[]> {
  const text = `SELECT ${columns} FROM applications a WHERE ${condition} ORDER BY ${cameAt} DESC, a.reference LIMIT ${most}`;
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
  return listed(matches, valuesOf(filter), "ALL");
}

/** Every application is read for a name. concat_ws and ILIKE would take half as long again for each. */
const names = `lower(a."firstName" || ' ' || a."lastName" || ' ' || a."invitedFirstName" || ' ' || a."invitedLastName")`;

/** By a reference or mobile in any form, or by words of the names, as answered or as invited. Newest first. */
export async function findApplications(words: string): Promise<Listed[]> {
  const reference = readReference(words);
  const known = reference ? await listed("a.reference = $1", [reference], mostFound) : [];
  // Margaret may be a reference as well as a name.
  if (known.length > 0) return known;
  const digits = words.normalize("NFKC").replace(/\D/g, "");
  // 0412, 0011 61 412 and +61 412 are the same number.
  if (digits.length >= 4) return listed("a.mobile LIKE $1", [containing(digits.replace(/^0+(?:11)?/, ""))], mostFound);
  const wanted = words.split(/\s+/).filter(Boolean);
  const each = wanted.map((_, index) => `${names} LIKE lower($${index + 1})`).join(" AND ");
  return listed(each || "false", wanted.map(containing), mostFound);
}

function containing(word: string): string {
  return `%${word.replace(/[%_\\]/g, "\\$&")}%`;
}
