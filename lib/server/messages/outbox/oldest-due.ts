import "server-only";
import { query } from "@/lib/server/db/query";

/**
 * How long ago the oldest message that is not sent was first due; 0 if none is. Sent in time, that is a few seconds. Each
 * attempt moves `dueAt`, so that alone would tell of no outage.
 */
export async function oldestDueSeconds(): Promise<number> {
  const { rows } = await query<{ seconds: number }>({
    text: `SELECT COALESCE(extract(epoch FROM now() - min(COALESCE("firstDueAt", "dueAt"))), 0)::float AS seconds FROM messages
      WHERE state IN ('waiting', 'sending') AND COALESCE("firstDueAt", "dueAt") <= now()`,
    values: [],
  });
  return Math.round(rows[0]?.seconds ?? 0);
}
