import { readReference } from "@/lib/domain/reference";
import { searchWords, splitSearch } from "@/lib/domain/search-text";
import { readSnapshot } from "@/lib/server/db/client";
import { Prisma } from "@/prisma/generated/client";
import { type ListedApplication, listed, listedAs, listedAt, newestWithoutIndex, orders } from "./search";

/** The maximum number of results. With more matches, the user adds a word to the search. */
export const maxSearchResults = 100;

/** The expression of the index `applications_search_mobiles`. */
export const mobilesExpression = `(a."mobile" || ' ' || a."invitedMobile")`;
const mobiles = Prisma.raw(mobilesExpression);

/** How many of the newest are searched before the others. */
const newest = 8_000;

interface Sought {
  /** What must hold besides the words. */
  condition: Prisma.Sql;
  /** Where the page begins. */
  after: Prisma.Sql;
  most: number;
}

/**
 * The newest that match, newest first. Postgres assumes that matches are spread evenly over time. If only old applications match, a
 * search in the order of time would read the whole table. So the newest are searched first, and the others by the index of the texts.
 */
export async function newestMatching(
  terms: string[],
  { condition, after, most }: Sought,
): Promise<ListedApplication[]> {
  const ways = alternatives(terms);
  const among = await listed(
    Prisma.sql`a.id IN (
      SELECT a.id FROM (
        SELECT a.*, ${listedAt} AS came FROM applications a WHERE ${after} ORDER BY ${orders.newest}, a.reference LIMIT ${newest}
      ) AS a WHERE ${condition} AND (${Prisma.join(ways, " OR ")}) ORDER BY a.came DESC, a.reference LIMIT ${most})`,
    most,
  );
  if (among.length === most) return among;
  const found = await Promise.all(
    ways.map((way) => {
      const wanted = Prisma.sql`${after} AND ${condition} AND ${way}`;
      // Only the few that are listed need more than what they are sorted by.
      const ids = Prisma.sql`SELECT a.id FROM applications a WHERE ${wanted} ORDER BY ${newestWithoutIndex}, a.reference LIMIT ${most}`;
      return listed(Prisma.sql`a.id IN (${ids})`, most);
    }),
  );
  return found.length === 1 ? (found[0] ?? []) : merged(found.flat()).slice(0, most);
}

/** In the order of `orders.newest`. */
function merged(found: ListedApplication[]): ListedApplication[] {
  const time = ({ submittedAt, invitedAt }: ListedApplication) => submittedAt ?? invitedAt;
  const key = (one: ListedApplication) => [time(one), one.reference] as const;
  return [...new Map(found.map((one) => [one.reference, one])).values()].sort((one, other) => {
    const [[at, reference], [otherAt, otherReference]] = [key(one), key(other)];
    return at === otherAt ? (reference < otherReference ? -1 : 1) : at > otherAt ? -1 : 1;
  });
}

/**
 * Finds by a reference or mobile in any form, or by words regardless of accents and apostrophes. Digits are searched as both,
 * because they may be a postcode. Newest first.
 */
export async function findApplications(words: string): Promise<ListedApplication[]> {
  const reference = readReference(words);
  const byReference = reference ? await readSnapshot((tx) => listedAs(tx, reference)) : [];
  // Without a match the words are searched, because 'Margaret' has the form of a reference but is a name.
  if (byReference.length > 0) return byReference;
  const terms = searchWords(words);
  if (terms.length === 0) return [];
  const everything = Prisma.sql`true`;
  return newestMatching(terms, { condition: everything, after: everything, most: maxSearchResults });
}

interface Matching {
  /** What holds besides the words. */
  condition: Prisma.Sql;
  order: Prisma.Sql;
  most: number;
}

/** The condition that an application matches all words. With a number, only the first `most` in this order match. */
export function matching(terms: string[], { condition, order, most }: Matching): Prisma.Sql {
  const ways = alternatives(terms).map((alternative) => Prisma.sql`${condition} AND ${alternative}`);
  if (ways.length === 1) return ways[0] ?? condition;
  const ids = ways.map(
    (way) => Prisma.sql`(SELECT a.id FROM applications a WHERE ${way} ORDER BY ${order}, a.reference LIMIT ${most})`,
  );
  return Prisma.sql`a.id IN (${Prisma.join(ids, " UNION ")})`;
}

/**
 * An application matches all words if one of these holds. They are searched one by one: with OR, Postgres could not use the index of
 * the texts.
 */
function alternatives(terms: string[]): Prisma.Sql[] {
  const inText = (word: string) => Prisma.sql`a."searchText" LIKE search_text(${containing(word)})`;
  const all = (conditions: Prisma.Sql[]) => Prisma.join([Prisma.sql`true`, ...conditions], " AND ");
  const { number, others } = splitSearch(terms);
  const byText = all(terms.map(inText));
  if (number === null) return [byText];
  return [byText, all([Prisma.sql`${mobiles} LIKE ${containing(number)}`, ...others.map(inText)])];
}

function containing(word: string): string {
  return `%${word.replace(/[%_\\]/g, "\\$&")}%`;
}
