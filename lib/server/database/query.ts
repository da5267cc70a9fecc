import "server-only";
import type { QueryConfig, QueryResultRow } from "pg";
import { database } from "./client";

/**
 * A statement for the driver itself, past Prisma: for what every call does. One with a name is prepared, once for each
 * connection.
 */
export async function query<Row extends QueryResultRow>(
  statement: QueryConfig,
): Promise<{ rows: Row[]; count: number }> {
  const { rows, rowCount } = await database().pool.query<Row>(statement);
  return { rows, count: rowCount ?? 0 };
}
