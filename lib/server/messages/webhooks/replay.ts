import "server-only";
import { query } from "@/lib/server/db/query";
import { type Events, happened } from "./deliveries";

export interface Replayed {
  /** Messages that are sent once more, under their id. */
  again: number;
  /** Messages made for events that had none. */
  made: number;
  /** Messages that a worker was just sending: left alone. */
  underWay: number;
}

/** What replay would do. */
export async function countReplay({ since, type }: Events): Promise<Replayed> {
  const { rows } = await query<Replayed>({
    text: `WITH ${happened}
      SELECT count(*) FILTER (WHERE message IS NULL)::int AS made, count(*) FILTER (WHERE state = 'sending')::int AS "underWay",
        count(*) FILTER (WHERE state <> 'sending')::int AS again
      FROM happened`,
    values: [since, type],
  });
  return rows[0] ?? { again: 0, made: 0, underWay: 0 };
}

/**
 * Makes every message of these events due now, and makes the messages that are missing. They keep their order, each a
 * millisecond after the one before, and begin the schedule anew. A made message's id follows from its event: of two
 * replays at once only one makes it.
 */
export async function replay({ since, type }: Events, by: string): Promise<Replayed> {
  const { rows } = await query<Replayed>({
    text: `WITH ${happened}, due AS (
        SELECT *, now() + place * interval '1 millisecond' AS moment FROM happened
      ), again AS (
        UPDATE messages AS m SET state = 'waiting', attempts = 0, error = '', "dueAt" = due.moment FROM due
        WHERE m.id = due.message AND m.state <> 'sending' RETURNING m.id
      ), made AS (
        INSERT INTO messages (id, "applicationId", kind, channel, detail, "createdAt", "dueAt", by)
        SELECT md5('webhook of event ' || event)::uuid, "applicationId", type, 'webhook', status, at, moment, $3
        FROM due WHERE message IS NULL ORDER BY place
        ON CONFLICT (id) DO NOTHING RETURNING id
      )
      SELECT (SELECT count(*) FROM again)::int AS again, (SELECT count(*) FROM made)::int AS made,
        (SELECT count(*) FROM happened WHERE state = 'sending')::int AS "underWay"`,
    values: [since, type, by],
  });
  return rows[0] ?? { again: 0, made: 0, underWay: 0 };
}
