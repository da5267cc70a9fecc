import type { Db } from "@/lib/server/db/client";
import { setLocal } from "@/lib/server/db/locks";
import type { ConsentRecord, Event, EvidenceLeaf } from "@/prisma/generated/client";

/** A row in JSON, where times are text. */
export type Json<Row> = { [Column in keyof Row]: Row[Column] extends Date ? string : Row[Column] };

export interface LoggedLeaf extends Json<EvidenceLeaf> {
  event: Json<Event> | null;
  reference: string;
  record: Json<ConsentRecord> | null;
}

/**
 * Reads all leaves in order, in batches, each with its event and, for a submission, its consent record. Needs a transaction. A
 * batch is read while the caller works on the one before.
 */
export async function* readEvidence(tx: Db): AsyncGenerator<LoggedLeaf[]> {
  // The first rows must come at once: sorting millions would exceed the time limit.
  await setLocal(tx, "cursor_tuple_fraction", "0.0001");
  // Raw: a cursor.
  await tx.$executeRaw`
    DECLARE leaves NO SCROLL CURSOR FOR SELECT row_to_json(leaf)::text AS leaf FROM (
      SELECT l.*, e AS event, a.reference, c AS record
      FROM evidence_log l LEFT JOIN events e ON e.id = l."eventId" LEFT JOIN applications a ON a.id = e."applicationId"
      LEFT JOIN consent_records c ON c."applicationId" = a.id AND e.kind = 'submitted'
      ORDER BY l.index
    ) AS leaf`;
  // Raw: each row as one JSON text. Prisma takes ten times as long to read typed rows.
  const fetchBatch = async () => tx.$queryRaw<{ leaf: string }[]>`FETCH 1000 FROM leaves`;
  let next = fetchBatch();
  for (;;) {
    const rows = await next;
    if (rows.length === 0) return;
    next = fetchBatch();
    yield rows.map(({ leaf }) => JSON.parse(leaf));
  }
}

/**
 * Finds events that should have a leaf but have none, unless they are queued and dated between `since` and now, and applications
 * that contradict their evidence. An event and a consent record have the time of the same transaction. The events of an
 * application have rising numbers, because each transaction that adds one has locked the application.
 */
export function unloggedEvidence(db: Db, since: Date): Promise<{ reference: string; problem: string }[]> {
  // Raw: rows that have no counterpart in another table. Materialised, so that Postgres looks into the queue only for the few
  // events without a leaf. For all of them, it may read the queue each time, with the dead rows that a burst has left.
  return db.$queryRaw<{ reference: string; problem: string }[]>`
    WITH unlogged AS MATERIALIZED (
      SELECT * FROM events e WHERE kind IN ('submitted', 'status_changed', 'erased', 'link_reissued')
        AND NOT EXISTS (SELECT FROM evidence_log l WHERE l."eventId" = e.id)
    )
    SELECT a.reference, replace(e.kind::text, '_', ' ') || ' has no leaf' AS problem
    FROM unlogged e JOIN applications a ON a.id = e."applicationId"
    WHERE NOT (e.at BETWEEN ${since} AND now() + interval '10 minutes' AND EXISTS (SELECT FROM evidence_pending p WHERE p."eventId" = e.id))
    UNION ALL
    SELECT a.reference, found.problem FROM consent_records c JOIN applications a ON a.id = c."applicationId"
    LEFT JOIN LATERAL (
      SELECT at FROM events e WHERE e."applicationId" = a.id AND kind = 'submitted' ORDER BY id LIMIT 1
    ) AS submitted ON true
    LEFT JOIN LATERAL (
      SELECT replace(split_part(detail, ' ', 1), '-', '_') AS status FROM events e
      WHERE e."applicationId" = a.id AND kind = 'status_changed' ORDER BY id DESC LIMIT 1
    ) AS decision ON true
    CROSS JOIN LATERAL (VALUES
      (submitted.at IS NULL, 'the consent record has no leaf'),
      (a."submittedAt" IS DISTINCT FROM c."consentedAt" OR submitted.at <> c."consentedAt",
        'the time of the submission is not that of the consent'),
      ((SELECT count(*) FROM events e WHERE e."applicationId" = a.id AND kind = 'submitted') > 1, 'there are several submissions'),
      (a.status::text <> COALESCE(decision.status, 'submitted'), 'the status is not that of the last decision')
    ) AS found (isSo, problem) WHERE found.isSo
    UNION ALL
    SELECT a.reference, 'the time of the erasure is not that of the last one recorded' FROM applications a
    WHERE "erasedAt" IS DISTINCT FROM (
      SELECT at FROM events e WHERE e."applicationId" = a.id AND kind = 'erased' ORDER BY id DESC LIMIT 1)
    UNION ALL
    SELECT a.reference, replace(e.kind::text, '_', ' ') || ' has no link of this application'
    FROM events e JOIN applications a ON a.id = e."applicationId" LEFT JOIN links l ON l.id = e."linkId"
    WHERE e.kind IN ('submitted', 'link_reissued') AND e."linkId" IS NOT NULL AND l."applicationId" IS DISTINCT FROM a.id
    UNION ALL
    SELECT DISTINCT a.reference, 'its leaves and its events are in different orders' FROM (
      SELECT e."applicationId", l.index < lag(l.index) OVER (PARTITION BY e."applicationId" ORDER BY e.id) AS "isMoved"
      FROM evidence_log l JOIN events e ON e.id = l."eventId"
    ) AS leaf JOIN applications a ON a.id = leaf."applicationId" WHERE "isMoved"
    UNION ALL
    SELECT reference, 'there is no consent record' FROM applications a
    WHERE status <> 'draft' AND NOT EXISTS (SELECT FROM consent_records c WHERE c."applicationId" = a.id)`;
}
