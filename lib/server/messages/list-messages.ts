import "server-only";
import { query } from "@/lib/server/db/query";

export const messageStates = ["waiting", "sending", "sent", "delivered", "failed", "unknown", "cancelled"] as const;
export type MessageState = (typeof messageStates)[number];

/** A message as a line of a list. */
export interface ListedMessage {
  number: number;
  /** Empty where it is about no application. */
  reference: string;
  kind: string;
  channel: string;
  recipient: string;
  detail: string;
  state: MessageState;
  due: string;
  sent: string | null;
  attempts: number;
  error: string;
  by: string;
}

export interface MessageFilter {
  /** None: all. */
  states?: MessageState[];
  /** Due since then. */
  since?: Date | null;
  reference?: string | null;
  number?: number | null;
}

interface Row extends Omit<ListedMessage, "number" | "due" | "sent"> {
  number: string;
  due: Date;
  sent: Date | null;
}

/** Newest first. */
export async function listMessages(filter: MessageFilter): Promise<ListedMessage[]> {
  const { states = [], since = null, reference = null, number = null } = filter;
  const { rows } = await query<Row>({
    text: `SELECT m.number, COALESCE(a.reference, '') AS reference, m.kind, m.channel, m.recipient, m.detail, m.state,
        m."dueAt" AS due, m."sentAt" AS sent, m.attempts, m.error, m.by
      FROM messages m LEFT JOIN applications a ON a.id = m."applicationId"
      WHERE (cardinality($1::text[]) = 0 OR m.state = ANY ($1::"MessageState"[]))
        AND ($2::timestamptz IS NULL OR m."dueAt" >= $2) AND ($3::text IS NULL OR a.reference = $3)
        AND ($4::bigint IS NULL OR m.number = $4)
      ORDER BY m.number DESC`,
    values: [states, since, reference, number],
  });
  return rows.map((row) => ({
    ...row,
    number: Number(row.number),
    due: row.due.toISOString(),
    sent: row.sent?.toISOString() ?? null,
  }));
}

/** Why the last attempt of a channel failed, if that was within the last minutes: the code; empty where none has failed. */
export async function lastTrouble(channel: "email" | "sms"): Promise<string> {
  const { rows } = await query<{ error: string }>({
    text: `SELECT t.error FROM message_attempts t JOIN messages m ON m.id = t."messageId"
      WHERE t.at > now() - interval '5 minutes' AND m.channel = $1::"MessageChannel" AND t."endedAt" IS NOT NULL
      ORDER BY t.at DESC LIMIT 1`,
    values: [channel],
  });
  return rows[0]?.error ?? "";
}
