import { fullName } from "@/lib/domain/application";
import { reviewStep, type StepNumber } from "@/lib/domain/journey";
import type { ApplicationStatus } from "@/lib/domain/statuses";
import { savedAtColumns, statusOf, storedStatus } from "@/lib/server/db/application-row";
import { type Db, readSnapshot } from "@/lib/server/db/client";
import { addressHashOf, mailSystem } from "@/lib/server/outbox/reachability";
import { type Application, Prisma } from "@/prisma/generated/client";

/** Which applications a list or an export holds. */
export interface Filter {
  statuses: ApplicationStatus[];
  /** Only applications submitted since then, and drafts invited since then. */
  since: Date | null;
}

export interface ListFilter extends Filter {
  batch?: string;
  /** Whether one of the application's links was ever opened. */
  isOpened?: boolean;
  step?: StepNumber;
  takenBy?: string;
  documents?: Documents;
  isDuplicate?: boolean;
  sort?: Sort;
}

export const documentsBy = ["agent", "self"] as const;
/** Who sends the documents, as the applicant agreed: the agent or the applicant. */
type Documents = (typeof documentsBy)[number];

export type ListedApplication = Awaited<ReturnType<typeof listedIn>>[number];

const columns = [
  "reference",
  "status",
  "firstName",
  "lastName",
  "mobile",
  "email",
  "propertyAddress",
  "agencyName",
  "managerFirstName",
  "managerLastName",
  "loanAmount",
  "erasedAt",
  "submittedAt",
  "createdAt",
  "takenBy",
  "batch",
] as const;
interface Row extends Pick<Application, (typeof columns)[number]> {
  step: StepNumber | null;
  openedAt: Date | null;
  documents: Documents | null;
  note: string | null;
  warning: string;
  isOptedOut: boolean;
  isBounced: boolean;
}

/** The step of a draft: the first that is not saved. */
const stepOf = Prisma.raw(
  `CASE WHEN a.status <> 'draft' THEN NULL ${Object.entries(savedAtColumns)
    .map(([step, column]) => `WHEN a."${column}" IS NULL THEN ${step}`)
    .join(" ")} ELSE ${reviewStep} END`,
);
const openedAt = Prisma.raw(`(SELECT min(l."openedAt") FROM links l WHERE l."applicationId" = a.id)`);
const documents = Prisma.raw(
  `(SELECT CASE WHEN c."provideSelf" THEN 'self' ELSE 'agent' END FROM consent_records c WHERE c."applicationId" = a.id)`,
);
const isLive = `l."revokedAt" IS NULL AND l."expiresAt" > now()`;
/** Open applications, in the sense of an invitation's check: not submitted, with a live link. */
const open = Prisma.raw(`applications b WHERE b.status = 'draft' AND b.mobile <> '' AND EXISTS (
  SELECT FROM links l WHERE l."applicationId" = b.id AND ${isLive})`);
const note = Prisma.raw(`(SELECT e.reason FROM events e WHERE e."applicationId" = a.id AND e.kind = 'noted'
  ORDER BY e.id DESC LIMIT 1)`);
/** Whether the mail system or a person has stopped an invited contact. */
const isStopped = (by: Prisma.Sql) => Prisma.sql`(
  ${addressHashOf("email", "invitedEmail")} IN (SELECT s."addressHash" FROM suppressions s WHERE s.by ${by})
  OR ${addressHashOf("sms", "invitedMobile")} IN (SELECT s."addressHash" FROM suppressions s WHERE s.by ${by}))`;
const isOptedOut = isStopped(Prisma.sql`<> ${mailSystem}`);
const isBounced = isStopped(Prisma.sql`= ${mailSystem}`);
const selected = Prisma.raw(columns.map((column) => `a."${column}"`).join(", "));

/** When an application was submitted or, for a draft, invited. */
export const listedAt = Prisma.raw(`COALESCE(a."submittedAt", a."createdAt")`);

export const orders = {
  newest: Prisma.sql`${listedAt} DESC`,
  oldest: listedAt,
  // In the collation C, Łukasz would come after Zhang.
  name: Prisma.raw(`search_text(a."lastName"), search_text(a."firstName")`),
  status: Prisma.raw("a.status"),
  step: stepOf,
  opened: openedAt,
  // Applications without a batch, or that nobody has taken, come last.
  batch: Prisma.raw(`NULLIF(a.batch, '')`),
  "taken-by": Prisma.raw(`NULLIF(a."takenBy", '')`),
};
export type Sort = keyof typeof orders;
export const sorts = Object.keys(orders) as Sort[];

/** Open applications whose mobile has another one. */
const shareMobile = Prisma.sql`a.status = 'draft' AND a.mobile IN (
  SELECT b.mobile FROM ${open} GROUP BY b.mobile HAVING count(*) > 1)
  AND EXISTS (SELECT FROM links l WHERE l."applicationId" = a.id AND ${Prisma.raw(isLive)})`;

/** Newest first, in a form that no index has, so that Postgres sorts what the index of the texts finds. */
export const newestWithoutIndex = Prisma.sql`${listedAt} + interval '0' DESC`;

export const listed = (condition: Prisma.Sql, most: number | null, order = orders.newest) =>
  readSnapshot((tx) => listedIn(tx, condition, most, order));

/** Within a snapshot. */
export const listedAs = (tx: Db, reference: string) =>
  listedIn(tx, Prisma.sql`a.reference = ${reference}`, 1, orders.newest);

async function listedIn(tx: Db, condition: Prisma.Sql, most: number | null, order: Prisma.Sql) {
  const sorted = Prisma.sql`ORDER BY ${order}, a.reference`;
  // Raw: a search by expression, in the order of the index on `listedAt`. Other tables are read only for the rows found.
  const rows = await tx.$queryRaw<Row[]>`
    WITH found AS MATERIALIZED (SELECT a.*, warning_of(a) AS warning FROM applications a WHERE ${condition} ${sorted} LIMIT ${most})
    SELECT ${selected}, ${stepOf} AS step, ${openedAt} AS "openedAt", ${documents} AS documents, ${note} AS note, a.warning,
      ${isOptedOut} AS "isOptedOut", ${isBounced} AS "isBounced"
    FROM found a ${sorted}`;
  const drafts = rows.filter(({ status }) => status === "draft").map(({ mobile }) => mobile);
  // Raw: any number of mobiles. Prisma's `in` needs a parameter for each, and Prisma sends 32,766 at most.
  const shared = await tx.$queryRaw<Pick<Row, "mobile" | "reference">[]>`
    SELECT b.mobile, b.reference FROM ${open} AND b.mobile = ANY (${drafts}) ORDER BY b.reference`;
  const openBy = new Map<string, string[]>();
  for (const { mobile, reference } of shared) openBy.set(mobile, [...(openBy.get(mobile) ?? []), reference]);
  return rows.map((row) => ({
    reference: row.reference,
    status: statusOf(row.status),
    name: fullName(row),
    mobile: row.mobile,
    email: row.email,
    property: row.propertyAddress,
    agent: [row.managerFirstName, row.managerLastName, row.agencyName && `(${row.agencyName})`]
      .filter(Boolean)
      .join(" "),
    /** The amount asked for; null before the third step. */
    amount: row.loanAmount?.toFixed(2) ?? null,
    marks: marksOf(row),
    submittedAt: row.submittedAt?.toISOString() ?? null,
    invitedAt: row.createdAt.toISOString(),
    /** The step at which a draft continues; null after the submission. */
    step: row.step,
    openedAt: row.openedAt?.toISOString() ?? null,
    takenBy: row.takenBy,
    batch: row.batch,
    /** Null while it is a draft. */
    documents: row.documents,
    /** Other open applications with the same mobile, while this one is a draft. */
    duplicateOf: othersOf(openBy.get(row.mobile) ?? [], row.reference),
    note: row.note ?? "",
    /** 'agent changed' if the agent's number is still the invitation's but other details of the agent are not; else empty. */
    warning: row.warning,
  }));
}

/** An erased draft that its applicant has filled in again is not erased any more. */
function marksOf({ erasedAt, email, isOptedOut, isBounced }: Row): string[] {
  const marks = { erased: erasedAt !== null && email === "", "opted out": isOptedOut, bounced: isBounced };
  return Object.entries(marks).flatMap(([mark, isSet]) => (isSet ? mark : []));
}

/** The others, if `own` is one of these open applications. Two applications share a mobile only while both are open. */
function othersOf(open: string[], own: string): string[] {
  return open.includes(own) ? open.filter((reference) => reference !== own) : [];
}

function conditionsOf({ statuses, since }: Filter): Prisma.Sql[] {
  const stored = statuses.map(storedStatus);
  return [
    ...(stored.length > 0 ? [Prisma.sql`a.status = ANY (${stored}::"ApplicationStatus"[])`] : []),
    ...(since ? [Prisma.sql`${listedAt} >= ${since}::timestamptz`] : []),
  ];
}

/** The references that come after this one, in order. */
export async function findReferences(tx: Db, filter: Filter, after: string, most: number): Promise<string[]> {
  const condition = Prisma.join([Prisma.sql`a.reference > ${after}`, ...conditionsOf(filter)], " AND ");
  // Raw: a search by the indexed expression of `since`.
  const found = await tx.$queryRaw<Pick<Application, "reference">[]>`
    SELECT a.reference FROM applications a WHERE ${condition} ORDER BY a.reference LIMIT ${most}`;
  return found.map(({ reference }) => reference);
}

/** Newest first, unless the filter says how to sort. */
export function listApplications(filter: ListFilter): Promise<ListedApplication[]> {
  return listed(conditionOf(filter), null, orders[filter.sort ?? "newest"]);
}

/** Uses the expression of the index applications_taken_by_idx. */
const takenByIs = (name: string) =>
  name ? Prisma.sql`a."takenBy" <> '' AND lower(a."takenBy") = lower(${name})` : Prisma.sql`a."takenBy" = ''`;

export function conditionOf(filter: ListFilter): Prisma.Sql {
  const { batch, isOpened, step, takenBy } = filter;
  const conditions = [
    Prisma.sql`true`,
    ...conditionsOf(filter),
    ...(batch === undefined ? [] : [Prisma.sql`a.batch = ${batch}`]),
    ...(isOpened === undefined ? [] : [Prisma.sql`(${openedAt} IS NOT NULL) = ${isOpened}`]),
    ...(step === undefined ? [] : [Prisma.sql`${stepOf} = ${step}`]),
    ...(takenBy === undefined ? [] : [takenByIs(takenBy)]),
    ...(filter.documents === undefined ? [] : [Prisma.sql`${documents} = ${filter.documents}`]),
    ...(filter.isDuplicate ? [shareMobile] : []),
  ];
  return Prisma.join(conditions, " AND ");
}
