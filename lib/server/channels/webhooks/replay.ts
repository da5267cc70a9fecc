import { prisma } from "@/lib/server/db/client";
import { type KindOfChannel, messageKinds } from "@/lib/server/outbox/message-kinds";
import { Prisma } from "@/prisma/generated/client";

type WebhookType = KindOfChannel<"webhook">;
export const webhookTypes = (Object.keys(messageKinds) as (keyof typeof messageKinds)[]).filter(
  (kind): kind is WebhookType => messageKinds[kind].channels.some((channel) => channel === "webhook"),
);

/** Selects events by their time and type; null selects all. */
export interface Events {
  since: Date | null;
  type: WebhookType | null;
}

/** The messages that are sent again, that are created for events without one, and that stay because a worker is sending them. */
export type ReplayCounts = Record<"resent" | "created" | "beingSent", number>;

/**
 * The selected events, each with the message that reports it. One transaction writes both, so they have the same time.
 * `message` is null if WEBHOOK_URL was not set at that time.
 */
// Raw: the common part of a count and of a bulk update and insert, which keep the order of the events.
const happened = ({ since, type }: Events) => Prisma.sql`
  happened AS (
    SELECT e.*, row_number() OVER (ORDER BY e.at, e.event) AS place, m.id AS message, m.state
    FROM (
      SELECT id AS event, "applicationId", at, split_part(detail, ' ', 1) AS status,
        CASE kind WHEN 'submitted' THEN 'application.submitted' WHEN 'status_changed' THEN 'application.status_changed'
          ELSE 'link.opened' END AS type
      FROM events WHERE kind IN ('submitted', 'status_changed', 'link_opened')
    ) e
    LEFT JOIN messages m ON m."applicationId" = e."applicationId" AND m.channel = 'webhook' AND m.kind = e.type
      AND m."createdAt" = e.at
    WHERE (${since}::timestamptz IS NULL OR e.at >= ${since}::timestamptz) AND (${type}::text IS NULL OR e.type = ${type})
  )`;

export async function countReplay(events: Events): Promise<ReplayCounts> {
  const [counted] = await prisma().$queryRaw<[ReplayCounts]>`
    WITH ${happened(events)}
    SELECT count(*) FILTER (WHERE message IS NULL)::int AS created, count(*) FILTER (WHERE state = 'sending')::int AS "beingSent",
      count(*) FILTER (WHERE state <> 'sending')::int AS resent
    FROM happened`;
  return counted;
}

/**
 * Makes every message of these events due now, and creates the missing ones. They keep their order, one millisecond apart,
 * and their retry schedule restarts. The id of a created message is derived from its event, so that two concurrent replays
 * create it once.
 */
export async function replay(events: Events, by: string): Promise<ReplayCounts> {
  // Raw: a bulk update and insert.
  const [replayed] = await prisma().$queryRaw<[ReplayCounts]>`
    WITH ${happened(events)}, timed AS (
      SELECT *, now() + place * interval '1 millisecond' AS moment FROM happened
    ), resent AS (
      UPDATE messages AS m SET state = 'waiting', attempts = 0, error = '', "dueAt" = timed.moment, "firstDueAt" = NULL FROM timed
      WHERE m.id = timed.message AND m.state <> 'sending' RETURNING m.id
    ), created AS (
      INSERT INTO messages (id, "applicationId", kind, channel, detail, "createdAt", "dueAt", by)
      SELECT md5('webhook of event ' || event)::uuid, "applicationId", type, 'webhook', status, at, moment, ${by}
      FROM timed WHERE message IS NULL ORDER BY place
      ON CONFLICT (id) DO NOTHING RETURNING id
    )
    SELECT (SELECT count(*) FROM resent)::int AS resent, (SELECT count(*) FROM created)::int AS created,
      ((SELECT count(message) FROM happened) - (SELECT count(*) FROM resent))::int AS "beingSent"`;
  return replayed;
}
