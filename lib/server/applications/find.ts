import { readReference } from "@/lib/domain/reference";
import { searchWords, splitSearch } from "@/lib/domain/search-text";
import { readSnapshot } from "@/lib/server/db/client";
import { isStatementTimeout } from "@/lib/server/db/errors";
import { Prisma } from "@/prisma/generated/client";
import { type ListedApplication, listed, listedAs, newestWithoutIndex, orders } from "./search";

/** The maximum number of results. With more matches, the user adds a word to the search. */
export const maxSearchResults = 100;

/** The expression of the index `applications_search_mobiles`. */
export const mobilesExpression = `(a."mobile" || ' ' || a."invitedMobile")`;
const mobiles = Prisma.raw(mobilesExpression);

/** A search that reads the newest applications first has this long to find enough. */
const newestFirstMs = 2000;

/**
 * Finds the newest by the index of their times or, if that takes too long, by another one: Postgres expects what is frequent among
 * the newest, and if only the oldest have it, reads the whole table.
 */
export async function newestFirst<T>(
  find: (order: Prisma.Sql, limitMs?: number) => Promise<T>,
  limitMs = newestFirstMs,
): Promise<T> {
  return find(orders.newest, limitMs).catch((error) => {
    if (!isStatementTimeout(error)) throw error;
    return find(newestWithoutIndex);
  });
}

/**
 * Finds by a reference or mobile in any form, or by words regardless of accents and apostrophes. Digits are searched as both,
 * because they may be a postcode. Newest first. Tests set a shorter limit.
 */
export async function findApplications(words: string, limitMs = newestFirstMs): Promise<ListedApplication[]> {
  const reference = readReference(words);
  const byReference = reference ? await readSnapshot((tx) => listedAs(tx, reference)) : [];
  // Without a match the words are searched, because 'Margaret' has the form of a reference but is a name.
  if (byReference.length > 0) return byReference;
  const terms = searchWords(words);
  if (terms.length === 0) return [];
  const most = maxSearchResults;
  return newestFirst(
    (order, ms) => listed(matching(terms, { condition: Prisma.sql`true`, order, most }), most, order, ms),
    limitMs,
  );
}

interface Matching {
  /** What holds besides the words. */
  condition: Prisma.Sql;
  order: Prisma.Sql;
  most: number;
}

/** The condition that an application matches all words. With a number, only the first `most` in this order match. */
export function matching(terms: string[], { condition, order, most }: Matching): Prisma.Sql {
  const inText = (word: string) => Prisma.sql`a."searchText" LIKE search_text(${containing(word)})`;
  const { number, others } = splitSearch(terms);
  if (number === null) return Prisma.join([condition, ...terms.map(inText)], " AND ");
  const inMobile = Prisma.sql`${mobiles} LIKE ${containing(number)}`;
  const idsOf = (conditions: Prisma.Sql[]) => Prisma.sql`(
    SELECT a.id FROM applications a WHERE ${Prisma.join([condition, ...conditions], " AND ")}
    ORDER BY ${order}, a.reference LIMIT ${most})`;
  // With OR, Postgres could not use the index of the texts.
  return Prisma.sql`a.id IN (${idsOf(terms.map(inText))} UNION ${idsOf([inMobile, ...others.map(inText)])})`;
}

function containing(word: string): string {
  return `%${word.replace(/[%_\\]/g, "\\$&")}%`;
}
