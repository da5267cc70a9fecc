import "server-only";
import { query } from "@/lib/server/db/query";
import type { Message } from "@/prisma/generated/client";

export const webhookTypes = ["application.submitted", "application.status_changed", "link.opened"] as const;
export type WebhookType = (typeof webhookTypes)[number];

/** Which events: since when, and of which type; null for all. */
export interface Events {
  since: Date | null;
  type: WebhookType | null;
}

/**
 * What happened, beside the message that tells it. One statement writes both, so they have the same time. `message` is null
 * where none was written, because no WEBHOOK_URL was set then. $1 and $2 are the values of Events.
 */
export const happened = `
  happened AS (
    SELECT e.*, row_number() OVER (ORDER BY e.at, e.event) AS place, m.id AS message, m.number, m.state, m.attempts, m.error,
      m."dueAt", m."sentAt"
    FROM (
      SELECT id AS event, "applicationId", at, split_part(detail, ' ', 1) AS status,
        CASE kind WHEN 'submitted' THEN 'application.submitted' WHEN 'status_changed' THEN 'application.status_changed'
          ELSE 'link.opened' END AS type
      FROM events WHERE kind IN ('submitted', 'status_changed', 'link_opened')
    ) e
    LEFT JOIN messages m ON m."applicationId" = e."applicationId" AND m.channel = 'webhook' AND m.kind = e.type
      AND m."createdAt" = e.at
    WHERE ($1::timestamptz IS NULL OR e.at >= $1) AND ($2::text IS NULL OR e.type = $2)
  )`;

export interface Delivery {
  type: WebhookType;
  reference: string;
  /** The new status of application.status_changed; empty for the others. */
  status: string;
  at: string;
  /** 'missing': there is no message. */
  state: Message["state"] | "missing";
  attempts: number;
  error: string;
  /** The header webhook-id, which is the same for every attempt; null without a message. */
  webhookId: string | null;
  sentAt: string | null;
  /** When it is tried next; null unless it waits. */
  dueAt: string | null;
}

interface Row extends Omit<Delivery, "at" | "sentAt" | "dueAt"> {
  at: Date;
  sentAt: Date | null;
  dueAt: Date | null;
}

/** Every event that the receiver should know of, oldest first, and whether it does. */
export async function listDeliveries({ since, type }: Events): Promise<Delivery[]> {
  const { rows } = await query<Row>({
    text: `WITH ${happened}
      SELECT type, reference, happened.status, at, COALESCE(state::text, 'missing') AS state, COALESCE(attempts, 0) AS attempts,
        COALESCE(error, '') AS error, 'msg_' || message AS "webhookId", "sentAt",
        CASE state WHEN 'waiting' THEN "dueAt" END AS "dueAt"
      FROM happened JOIN applications a ON a.id = "applicationId" ORDER BY place`,
    values: [since, type],
  });
  return rows.map(({ at, sentAt, dueAt, ...row }) => ({
    ...row,
    at: at.toISOString(),
    sentAt: sentAt?.toISOString() ?? null,
    dueAt: dueAt?.toISOString() ?? null,
  }));
}
