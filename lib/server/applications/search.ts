import "server-only";
import type { ApplicationStatus } from "@/lib/domain/journey";
import { readReference } from "@/lib/domain/reference";
import { statusOf, storedStatus } from "@/lib/server/db/application-row";
import { prisma } from "@/lib/server/db/client";
import { type Application, Prisma } from "@/prisma/generated/client";

/** Which applications a list or an export holds. */
export interface Filter {
  /** None: all. */
  statuses: ApplicationStatus[];
  /** Submitted since then; those that are not submitted: invited since then. */
  since: Date | null;
}

/** The same as Prisma's condition. */
export function whereOf({ statuses, since }: Filter): Prisma.ApplicationWhereInput {
  return {
    ...(statuses.length > 0 ? { status: { in: statuses.map(storedStatus) } } : {}),
    ...(since ? { OR: [{ submittedAt: { gte: since } }, { submittedAt: null, createdAt: { gte: since } }] } : {}),
  };
}

/** An application as a line of a list. */
export interface Listed {
  reference: string;
  status: ApplicationStatus;
  name: string;
  mobile: string;
  /** Null while it is a draft. */
  submittedAt: string | null;
  invitedAt: string;
  /** 'agent changed', where the agent's number is still the invitation's; else empty. */
  finding: string;
}

/** More are not shown: who looks for somebody adds a word. */
export const mostFound = 100;

const columns = ["reference", "status", "firstName", "lastName", "mobile", "submittedAt", "createdAt"] as const;
type Row = Pick<Application, (typeof columns)[number]> & { finding: string };
const selected = Prisma.raw(columns.map((column) => `a."${column}"`).join(", "));

/** When an application came to be what it is: submitted, or else invited. */
const cameAt = Prisma.raw(`COALESCE(a."submittedAt", a."createdAt")`);

async function listed(condition: Prisma.Sql, most: number | null): Promise<Listed[]> {
  // Raw: a search by expression; the index on `cameAt` gives the order.
  const rows = await prisma().$queryRaw<Row[]>`
    SELECT ${selected}, finding_of(a) AS finding FROM applications a WHERE ${condition} ORDER BY ${cameAt} DESC, a.reference LIMIT ${most}`;
  return rows.map(({ reference, status, firstName, lastName, mobile, submittedAt, createdAt, finding }) => ({
    reference,
    status: statusOf(status),
    name: `${firstName} ${lastName}`.trim(),
    mobile,
    submittedAt: submittedAt?.toISOString() ?? null,
    invitedAt: createdAt.toISOString(),
    finding,
  }));
}

/** Newest first. */
export function listApplications({ statuses, since }: Filter): Promise<Listed[]> {
  const stored = statuses.map(storedStatus);
  const ofStatus = Prisma.sql`a.status = ANY (${stored}::"ApplicationStatus"[])`;
  const conditions = [
    ...(stored.length > 0 ? [ofStatus] : []),
    ...(since ? [Prisma.sql`${cameAt} >= ${since}::timestamptz`] : []),
  ];
  return listed(conditions.length > 0 ? Prisma.join(conditions, " AND ") : Prisma.sql`true`, null);
}

/** Every application is read for a name. concat_ws and ILIKE would take half as long again for each. */
const names = Prisma.raw(
  `lower(a."firstName" || ' ' || a."lastName" || ' ' || a."invitedFirstName" || ' ' || a."invitedLastName")`,
);

/** By a reference or mobile in any form, or by words of the names, as answered or as invited. Newest first. */
export async function findApplications(words: string): Promise<Listed[]> {
  const reference = readReference(words);
  const known = reference ? await listed(Prisma.sql`a.reference = ${reference}`, mostFound) : [];
  // Margaret may be a reference as well as a name.
  if (known.length > 0) return known;
  const digits = words.normalize("NFKC").replace(/\D/g, "");
  // 0412, 0011 61 412 and +61 412 are the same number.
  if (digits.length >= 4)
    return listed(Prisma.sql`a.mobile LIKE ${containing(digits.replace(/^0+(?:11)?/, ""))}`, mostFound);
  const wanted = words.split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return [];
  const each = wanted.map((word) => Prisma.sql`${names} LIKE lower(${containing(word)})`);
  return listed(Prisma.join(each, " AND "), mostFound);
}

function containing(word: string): string {
  return `%${word.replace(/[%_\\]/g, "\\$&")}%`;
}
