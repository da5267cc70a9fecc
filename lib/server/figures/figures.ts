import { z } from "zod";
import { answerSteps } from "@/lib/domain/journey";
import { writeCents } from "@/lib/domain/money";
import { decidedStatuses, keepingStatuses, type StatusAfterSubmission, statuses } from "@/lib/domain/statuses";
import { savedAtColumns, storedStatus } from "@/lib/server/db/application-row";
import { type Db, prisma } from "@/lib/server/db/client";
import { addressHashOf, mailSystem } from "@/lib/server/outbox/reachability";
import { currentSettings } from "@/lib/server/settings";
import { type Application, Prisma } from "@/prisma/generated/client";

export interface FiguresFilter {
  batch?: string;
  /** Only applications invited since then. */
  since: Date | null;
  by?: GroupBy;
}

/** When a step was last saved. An erasure removes that time but not the events, which then supply it. */
const savedAt = (step: (typeof answerSteps)[number]) => `COALESCE(a."${savedAtColumns[step]}", CASE
  WHEN a."erasedAt" IS NOT NULL THEN (SELECT max(e.at) FROM events e
    WHERE e."applicationId" = a.id AND e.kind = 'step_saved' AND e.detail = 'step ${step}') END)`;

const listOf = (names: string[]) => names.map((name) => `'${name}'`).join(", ");

const times = {
  invited: `a."createdAt"`,
  sent: `min(m."sentAt") FILTER (WHERE m.kind = 'invitation')`,
  opened: `min(l."openedAt")`,
  step1: savedAt(1),
  step2: savedAt(2),
  step3: savedAt(3),
  reviewed: `CASE WHEN num_nulls(${answerSteps.map(savedAt).join(", ")}) = 0
    THEN GREATEST(${answerSteps.map(savedAt).join(", ")}) END`,
  submitted: `a."submittedAt"`,
  // The detail of an event begins with the new status.
  decided: `CASE WHEN a.status IN (${listOf([...decidedStatuses, ...keepingStatuses])}) THEN (
    SELECT CASE WHEN split_part(e.detail, ' ', 1) IN (${listOf(decidedStatuses)}) THEN e.at END FROM events e
    WHERE e."applicationId" = a.id AND e.kind = 'status_changed' AND split_part(e.detail, ' ', 1) NOT IN (${listOf(keepingStatuses)})
    ORDER BY e.id DESC LIMIT 1) END`,
};

/** What applicants asked for, and the part of it in each status. 'submitted' is where every application begins. */
const { submitted: _, ...laterStatuses } = statuses;
export const amountNames = ["asked", ...Object.keys(laterStatuses)] as ("asked" | keyof typeof laterStatuses)[];

export type Stage = keyof typeof times;
export const stages = Object.keys(times) as Stage[];

/** The figures of all applications together, whose `group` is empty, and of each group. */
export const figuresSchema = z.array(
  z.object({
    group: z.string(),
    stages: z.array(
      z.object({
        stage: z.enum(stages),
        /** Applications that reached this stage or a later one: a submitted one counts as opened even if no opening is recorded. */
        count: z.number(),
        /** Applications that came no further. */
        stopped: z.number(),
        /** From 0 to 1; null if no application was invited. */
        ofInvited: z.nullable(z.number()),
        ofBefore: z.nullable(z.number()),
        /** The median time since the stage before, for applications whose two times are known and in order. */
        medianSeconds: z.nullable(z.number()),
      }),
    ),
    /** Applications with an invitation or a reminder that could not be delivered. */
    bounced: z.number(),
    /** The advances that were asked for, without those of erased applications. Whoever was paid counts as approved, too. */
    amounts: z.array(
      z.object({
        name: z.enum(amountNames),
        count: z.number(),
        /** In dollars, such as '2450.50'. */
        total: z.string(),
        median: z.nullable(z.string()),
      }),
    ),
    optedOut: z.number(),
  }),
);
export type Figures = z.infer<typeof figuresSchema>[number];

const device = `COALESCE((array_agg(l.device ORDER BY l."openedAt") FILTER (WHERE l.device IS NOT NULL))[1], 'unknown')`;

const groups = {
  source: () => Prisma.raw(`COALESCE(NULLIF(a.source, ''), 'none')`),
  batch: () => Prisma.raw(`COALESCE(NULLIF(a.batch, ''), 'none')`),
  /** The Monday of the week of the invitation. */
  week: () =>
    Prisma.sql`to_char(date_trunc('week', a."createdAt" AT TIME ZONE ${currentSettings().brand.timeZone}), 'YYYY-MM-DD')`,
  device: () => Prisma.raw(device),
};
export type GroupBy = keyof typeof groups;
export const groupings = Object.keys(groups) as GroupBy[];

/** Whether somebody has opted out. Excludes the mail system's suppressions: a bounce is not an opt-out. */
function hasOptedOut(channel: string, column: keyof Application): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT FROM suppressions s WHERE s.channel = ${channel}::"MessageChannel" AND s.by <> ${mailSystem}
    AND s."addressHash" = ${addressHashOf(channel, column)})`;
}

const columnsOf = stages.map((stage) => `${times[stage]} AS ${stage}`).join(", ");
const counts = stages.map((stage, index) => {
  const further = stages.slice(index).join(", ");
  const before = stages[index - 1];
  const median = before
    ? `percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM ${stage} - ${before})) FILTER (WHERE ${stage} >= ${before})`
    : "NULL";
  return `count(*) FILTER (WHERE num_nonnulls(${further}) > 0) AS ${stage}, (${median})::float8 AS "${stage}Median"`;
});

export type AmountName = (typeof amountNames)[number];

const amountColumns = amountNames.map((name) => {
  const isPart = ([status, { after }]: [string, { after?: string }]) => status === name || after === name;
  const parts = Object.entries(statuses)
    .filter(isPart)
    .map(([status]) => storedStatus(status as StatusAfterSubmission));
  const where = name === "asked" ? "" : `FILTER (WHERE status IN (${listOf(parts)}))`;
  return `count(cents) ${where} AS "${name}Number", COALESCE(sum(cents) ${where}, 0)::float8 AS "${name}Total",
    percentile_cont(0.5) WITHIN GROUP (ORDER BY cents) ${where} AS "${name}MedianCents"`;
});

type Row = { group: string | null; bounced: bigint; optedOut: bigint } & Record<Stage, bigint> &
  Record<`${Stage}Median`, number | null> &
  Record<`${AmountName}Number`, bigint> &
  Record<`${AmountName}Total`, number> &
  Record<`${AmountName}MedianCents`, number | null>;

/** Reads how far applications have come: first for all together, then for each group. */
export async function readFigures({ batch, since, by }: FiguresFilter, db: Db = prisma()): Promise<Figures[]> {
  const conditions = [
    Prisma.sql`true`,
    ...(batch === undefined ? [] : [Prisma.sql`a.batch = ${batch}`]),
    ...(since ? [Prisma.sql`a."createdAt" >= ${since}`] : []),
  ];
  const group = by ? groups[by]() : Prisma.sql`''`;
  // Raw: one pass over all applications, with medians.
  const rows = await db.$queryRaw<Row[]>`
    WITH one AS (
      SELECT ${group} AS "group", ${Prisma.raw(columnsOf)}, a.status,
        CASE WHEN a.status <> 'draft' THEN (a."loanAmount" * 100)::float8 END AS cents, COALESCE(bool_or(m.state = 'failed'), false) AS bounced,
        ${hasOptedOut("email", "invitedEmail")} OR ${hasOptedOut("sms", "invitedMobile")} AS "optedOut"
      FROM applications a LEFT JOIN links l ON l."applicationId" = a.id AND l."openedAt" IS NOT NULL
        LEFT JOIN messages m ON m."applicationId" = a.id
          AND (m.kind = 'invitation' OR (m.kind = 'reminder' AND m.state = 'failed'))
      WHERE ${Prisma.join(conditions, " AND ")} GROUP BY a.id
    )
    SELECT ${Prisma.raw(by ? `"group"` : "''")} AS "group", ${Prisma.raw(counts.join(", "))},
      ${Prisma.raw(amountColumns.join(", "))}, count(*) FILTER (WHERE bounced) AS bounced, count(*) FILTER (WHERE "optedOut") AS "optedOut"
    FROM one GROUP BY ${Prisma.raw(by ? `GROUPING SETS ((), ("group")) ORDER BY grouping("group") DESC, 1` : "()")}`;
  return rows.map(figuresOf);
}

function figuresOf(row: Row): Figures {
  const ratio = (count: number, whole: number) => (whole === 0 ? null : count / whole);
  const counted = stages.map((stage) => Number(row[stage]));
  return {
    group: row.group ?? "",
    stages: stages.map((stage, index) => {
      const count = counted[index] ?? 0;
      return {
        stage,
        count,
        stopped: count - (counted[index + 1] ?? 0),
        ofInvited: ratio(count, counted[0] ?? 0),
        ofBefore: ratio(count, counted[index - 1] ?? count),
        medianSeconds: row[`${stage}Median`],
      };
    }),
    bounced: Number(row.bounced),
    amounts: amountNames.map((name) => {
      const median = row[`${name}MedianCents`];
      return {
        name,
        count: Number(row[`${name}Number`]),
        total: writeCents(row[`${name}Total`]),
        median: median === null ? null : writeCents(Math.round(median)),
      };
    }),
    optedOut: Number(row.optedOut),
  };
}
