import "server-only";
import type { QueryConfig, QueryResultRow } from "pg";
import { database } from "./client";

/**
 * Sends a statement to the driver, bypassing Prisma, for what every call does (docs/decisions/one-pool-two-doors.md). A
 * statement with a name is prepared once per connection.
 */
export async function query<Row extends QueryResultRow>(
  statement: QueryConfig,
): Promise<{ rows: Row[]; count: number }> {
  const { rows, rowCount } = await database().pool.query<Row>(statement);
  return { rows, count: rowCount ?? 0 };
}
