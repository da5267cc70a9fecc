import { type Db, onSeparateConnection } from "@/lib/server/db/client";
import { isStatementTimeout } from "@/lib/server/db/errors";
import { limitStatements, transactionTime } from "@/lib/server/db/locks";
import type { PrismaClient } from "@/prisma/generated/client";
import { type Figures, type FiguresFilter, figuresSchema, type GroupBy, groupings, readFigures } from "./figures";

export interface CountedFigures {
  /** Of all applications that match, then of each group. */
  figures: Figures[];
  countedAt: Date;
  isStored?: true;
}

/** The limit for counting while somebody waits who could have the stored figures. */
const promptMs = 1_000;
/** Over millions of applications, counting takes longer than other statements of a command may. */
const longMs = 600_000;
/** Figures that are stored every night are at most this old. */
const maxAgeMs = 25 * 3_600_000;

/**
 * Counts, for up to 10 minutes. If all applications are asked for and their figures were stored in the last 25 hours, those are
 * returned instead once counting takes longer than a second.
 */
export async function countOrReadFigures(filter: FiguresFilter, url: string): Promise<CountedFigures> {
  const isOfAll = filter.batch === undefined && filter.since === null;
  return onSeparateConnection(url, longMs, async (db) => {
    const stored = isOfAll ? await readStoredFigures(filter.by, db) : null;
    try {
      return await countWithin(stored ? promptMs : longMs, filter, db);
    } catch (error) {
      if (!stored || !isStatementTimeout(error)) throw error;
      return stored;
    }
  });
}

/** Of two runs at once, the one that counted first may end last. It does not replace figures that were counted later. */
export async function storeFigures(url: string): Promise<void> {
  await onSeparateConnection(url, longMs, async (db) => {
    for (const grouping of groupings) {
      const { figures, countedAt } = await countWithin(longMs, { since: null, by: grouping }, db);
      const stored = { figures, countedAt };
      await db.storedFigures.createMany({ data: [{ grouping, ...stored }], skipDuplicates: true });
      await db.storedFigures.updateMany({ where: { grouping, countedAt: { lt: countedAt } }, data: stored });
    }
  });
}

/** Returns the figures of all applications that were stored in the last 25 hours; null if there are none. */
export async function readStoredFigures(by: GroupBy | undefined, db: Db): Promise<CountedFigures | null> {
  const countedAt = { gte: new Date((await transactionTime(db)).getTime() - maxAgeMs) };
  const stored = await db.storedFigures.findUnique({ where: { grouping: by ?? "week", countedAt } });
  // Another version of the app may have stored other stages.
  const { data } = figuresSchema.safeParse(stored?.figures);
  return stored && data ? { figures: by ? data : data.slice(0, 1), countedAt: stored.countedAt, isStored: true } : null;
}

/** Counts in a transaction, whose beginning is the time of the figures. */
export async function countFigures(filter: FiguresFilter, tx: Db): Promise<CountedFigures> {
  return { countedAt: await transactionTime(tx), figures: await readFigures(filter, tx) };
}

function countWithin(timeoutMs: number, filter: FiguresFilter, db: PrismaClient): Promise<CountedFigures> {
  return db.$transaction(async (tx) => {
    // Replaces the role's limit, which applies behind a pooler.
    await limitStatements(tx, timeoutMs);
    return countFigures(filter, tx);
  });
}
