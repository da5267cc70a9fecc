import { z } from "zod";
import { readReference } from "@/lib/domain/reference";
import { searchWords } from "@/lib/domain/search-text";
import { applicationStatuses } from "@/lib/domain/statuses";
import { storedStatus } from "@/lib/server/db/application-row";
import { prisma, readSnapshot } from "@/lib/server/db/client";
import { isStatementTimeout } from "@/lib/server/db/errors";
import { limitStatements, transactionTime } from "@/lib/server/db/locks";
import { Prisma } from "@/prisma/generated/client";
import { matching, newestMatching } from "./find";
import { conditionOf, type ListedApplication, type ListFilter, listed, listedAt } from "./search";

const pageSize = 50;
/** With more applications, only the newest come first, because no index has them in another order. */
export const maxSorted = 10_000;
/** Above this, a list says 'more than'. */
export const maxCounted = 1_000;
/** Counting ends after this time: to say how many there are, and to decide whether they can be sorted. */
const countMs = 100;
const sortCountMs = 2500;

interface Key {
  expression: Prisma.Sql;
  isDescending?: true;
  /** The key of the last application of a page, which the next page begins after. */
  write: (last: ListedApplication) => string;
  schema: z.ZodType<string>;
  value: (written: string, reference: string) => Prisma.Sql;
}

/** As toISOString writes it, in a year that Postgres knows too. */
const instant = z.iso.datetime({ precision: 3 }).regex(/^[1-9]/);

const time: Key = {
  expression: listedAt,
  isDescending: true,
  write: ({ submittedAt, invitedAt }) => submittedAt ?? invitedAt,
  schema: instant,
  value: (written) => Prisma.sql`${written}::timestamptz`,
};
const amount: Key = {
  // Those without an amount come last.
  expression: Prisma.raw(`COALESCE(a."loanAmount", -1)`),
  isDescending: true,
  write: (last) => last.amount ?? "-1",
  schema: z.string().regex(/^(-1|\d{1,10}\.\d\d)$/),
  value: (written) => Prisma.sql`${written}::numeric`,
};
const status: Key = {
  expression: Prisma.raw("a.status"),
  write: (last) => last.status,
  schema: z.enum(applicationStatuses),
  value: (written) => Prisma.sql`${storedStatus(z.enum(applicationStatuses).parse(written))}::"ApplicationStatus"`,
};
/** Read from the application, so that no name stands in an address. In the collation C, Łukasz would come after Zhang. */
const name = (column: "lastName" | "firstName"): Key => ({
  expression: Prisma.raw(`search_text(a."${column}")`),
  write: () => "",
  schema: z.literal(""),
  value: (_, reference) =>
    Prisma.sql`(SELECT search_text(c.${Prisma.raw(`"${column}"`)}) FROM applications c WHERE c.reference = ${reference})`,
});

const keysOf = {
  newest: [time],
  name: [name("lastName"), name("firstName")],
  amount: [amount, time],
  status: [status, time],
};
export type PageSort = keyof typeof keysOf;
export const pageSorts = Object.keys(keysOf) as PageSort[];

export interface PageRequest {
  words: string;
  filter: ListFilter;
  sort: PageSort;
  /** Where the page before ended, as it said itself. Anything else begins the list. */
  after: string;
}

interface Page {
  applications: ListedApplication[];
  /** How many match: at least `maxCounted` if it is more than that; null if counting took too long. */
  count: number | null;
  /** The order of this page: newest first if too many match for another. */
  sort: PageSort;
  /** What the next page comes after; null on the last page. */
  next: string | null;
}

/** A page of the applications that match the words and the filter. Tests set other sizes. */
export async function readListPage(
  { words, filter, sort: wanted, after }: PageRequest,
  { size = pageSize, most = maxSorted } = {},
): Promise<Page> {
  const condition = conditionOf(filter);
  const reference = readReference(words);
  const one = reference ? await listed(Prisma.sql`a.reference = ${reference} AND ${condition}`, 1) : [];
  if (one.length > 0) return { applications: one, count: 1, sort: wanted, next: null };
  const terms = searchWords(words);
  if (words.trim() !== "" && terms.length === 0) return { applications: [], count: 0, sort: wanted, next: null };
  const counting = countUpTo(1 + (wanted === "newest" ? maxCounted : most), terms, condition);
  // The page may reject first.
  counting.catch(() => {});
  const isSorted = wanted === "newest" || ((await counting) ?? Number.POSITIVE_INFINITY) <= most;
  const sort = isSorted ? wanted : "newest";
  const begin = readAfter(after, sort);
  const found = await (sort === "newest"
    ? newestMatching(terms, { condition, after: begin, most: size + 1 })
    : sortedMatching(terms, Prisma.sql`${begin} AND ${condition}`, orderBy(keysOf[sort]), size + 1));
  const applications = found.slice(0, size);
  const last = found.length > size ? applications.at(-1) : undefined;
  const next = last ? [...keysOf[sort].map(({ write }) => write(last)), last.reference].join("~") : null;
  const isWhole = !next && begin === anywhere;
  return { applications, count: (await counting) ?? (isWhole ? applications.length : null), sort, next };
}

const sortedMatching = (terms: string[], condition: Prisma.Sql, order: Prisma.Sql, most: number) =>
  listed(matching(terms, { condition, order, most }), most, order);

const orderBy = (keys: Key[]) =>
  Prisma.join(keys.map(({ expression, isDescending }) => Prisma.sql`${expression} ${descending(isDescending)}`));
const descending = (isDescending?: boolean) => Prisma.raw(isDescending ? "DESC" : "ASC");

const anywhere = Prisma.sql`true`;

function readAfter(after: string, sort: PageSort): Prisma.Sql {
  const written = after.split("~");
  const reference = readReference(written.pop() ?? "");
  const keys = keysOf[sort];
  if (!reference || written.length !== keys.length) return anywhere;
  if (!keys.every(({ schema }, index) => schema.safeParse(written[index]).success)) return anywhere;
  // The first comparison is one that an index can use.
  const beyond = (index: number): Prisma.Sql => {
    const key = keys[index];
    if (!key) return Prisma.sql`a.reference > ${reference}`;
    const value = key.value(written[index] ?? "", reference);
    const than = Prisma.raw(key.isDescending ? "<" : ">");
    return Prisma.sql`(${key.expression} ${than}= ${value} AND (${key.expression} ${than} ${value} OR ${beyond(index + 1)}))`;
  };
  return beyond(0);
}

async function countUpTo(most: number, terms: string[], condition: Prisma.Sql): Promise<number | null> {
  // The newest, which an index has in order: for a frequent word, Postgres would otherwise first find all that have it.
  const order = Prisma.sql`${listedAt} DESC`;
  const found = matching(terms, { condition, order, most });
  try {
    return await readSnapshot(async (tx) => {
      await limitStatements(tx, most > maxCounted + 1 ? sortCountMs : countMs);
      // Raw: the conditions of the list.
      const [row] = await tx.$queryRaw<[{ count: number }]>`
        SELECT count(*)::int AS count FROM (
          SELECT FROM applications a WHERE ${found} ORDER BY ${order}, a.reference LIMIT ${most}) AS found`;
      return row.count;
    });
  } catch (error) {
    if (isStatementTimeout(error)) return null;
    throw error;
  }
}

/** A submission commits at most this long after its `submittedAt`. */
const longestSubmissionMs = 60_000;

/**
 * What a list needs to announce submissions that it does not show: the time from which it counts them, and how many there are
 * already. Counting from now would miss one that commits after the list was read.
 */
export async function newsBaseline(): Promise<{ since: string; known: number }> {
  const since = new Date(+(await transactionTime(prisma())) - longestSubmissionMs).toISOString();
  return { since, known: await countSubmittedSince(since) };
}

/** How many applications were submitted since then; none if that is no time. */
export async function countSubmittedSince(since: string): Promise<number> {
  if (!instant.safeParse(since).success) return 0;
  // Raw: a search by the indexed expression of the list.
  const [row] = await prisma().$queryRaw<[{ count: number }]>`
    SELECT count(*)::int AS count FROM applications a
    WHERE ${listedAt} > ${since}::timestamptz AND a."submittedAt" IS NOT NULL`;
  return row.count;
}
