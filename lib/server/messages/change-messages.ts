import "server-only";
import { query } from "@/lib/server/db/query";
import type { Contact } from "@/lib/server/messages/outbox/invited-contact";
import type { MessageState } from "./list-messages";

/** Either those of these numbers, or all in one of these states. */
interface Which {
  numbers: number[];
  states: MessageState[];
}

const chosen = `(number = ANY ($1::bigint[]) OR (cardinality($1::bigint[]) = 0 AND state = ANY ($2::"MessageState"[])))`;

/**
 * Makes messages due now that are not sent, or perhaps: their readers may get those twice. Returns how many. Of all that
 * wait only what was tried: the reminders of weeks to come are not for today.
 */
export async function retryMessages({ numbers, states }: Which): Promise<number> {
  const { count } = await query({
    text: `UPDATE messages SET state = 'waiting', "dueAt" = now(), "firstDueAt" = NULL, attempts = 0, error = ''
      WHERE ${chosen} AND state IN ('waiting', 'failed', 'unknown', 'cancelled')
        AND (state <> 'waiting' OR error <> '' OR number = ANY ($1::bigint[]))`,
    values: [numbers, states],
  });
  return count;
}

/** What is not yet sent is not to be sent. What is being sent at this moment may still arrive. */
export async function cancelMessages(numbers: number[], by: string): Promise<number> {
  const { count } = await query({
    text: `UPDATE messages SET state = 'cancelled', error = 'by ' || $2 WHERE number = ANY ($1::bigint[]) AND state IN ('waiting', 'sending')`,
    values: [numbers, by],
  });
  return count;
}

/** A message that only says that sending works. Returns its number. */
export async function createTest({ channel, recipient }: Contact, by: string): Promise<number> {
  const { rows } = await query<{ number: string }>({
    text: `INSERT INTO messages (kind, channel, recipient, by) VALUES ('test', $1, $2, $3) RETURNING number`,
    values: [channel, recipient, by],
  });
  return Number(rows[0]?.number);
}
