import "server-only";
import { query } from "@/lib/server/database/query";

/** How long the oldest message that is due has been due; 0 if none is. Sent in time, that is a few seconds. */
export async function oldestDueSeconds(): Promise<number> {
  const { rows } = await query<{ seconds: number }>({
    text: `SELECT COALESCE(extract(epoch FROM now() - min("dueAt")), 0)::float AS seconds FROM messages
      WHERE state IN ('waiting', 'sending') AND "dueAt" <= now()`,
    values: [],
  });
  return Math.round(rows[0]?.seconds ?? 0);
}
