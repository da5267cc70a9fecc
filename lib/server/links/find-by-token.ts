import "server-only";
import { type ApplicationRow, rowColumns, withTimes } from "@/lib/server/db/application-row";
import { query } from "@/lib/server/db/query";
import { dueOnOpening, insertDue } from "@/lib/server/messages/outbox/due";
import { hashToken, isTokenShaped } from "./token";

/** The application behind a live link. */
export interface Access {
  linkId: string;
  row: ApplicationRow;
}

/** Of `links AS l`. Expiry is compared with the database's clock, so that all processes agree. */
export const isLive = `l."revokedAt" IS NULL AND l."expiresAt" > now()`;

/** As one JSON value: the driver learns a result's columns anew each time, which for so many takes longer than the rest. */
const find = `
  WITH found AS (
    SELECT ${rowColumns}, l.id AS "linkId", l."openedAt"
    FROM link_tokens t
    JOIN links l ON l.id = t."linkId"
    JOIN applications a ON a.id = l."applicationId"
    LEFT JOIN consent_records c ON c."applicationId" = a.id
    WHERE t."tokenHash" = $1 AND ${isLive}
  )`;

const findOnly = { name: "find-by-token", text: `${find} SELECT to_json(found) AS found FROM found` };

/**
 * One statement, so that an opening and its event and webhook are committed together. Like an erasure it locks the
 * application before the link, and finds nothing if the link has ended while it waited.
 */
const noteFirstOpening = `
  WITH live AS (
    SELECT l.id FROM applications a JOIN links l ON l."applicationId" = a.id WHERE l.id = $1 AND ${isLive}
    FOR NO KEY UPDATE OF a FOR NO KEY UPDATE OF l
  ), opened AS (
    UPDATE links SET "openedAt" = now() FROM live WHERE links.id = live.id AND "openedAt" IS NULL
    RETURNING links.id, "applicationId"
  ), noted AS (
    INSERT INTO events ("applicationId", "linkId", kind, address)
    SELECT "applicationId", id, 'link_opened', $2 FROM opened
  ), about AS (
    SELECT a.* FROM opened o JOIN applications a ON a.id = o."applicationId"
  ), due AS (
    ${insertDue("about", { by: "''", dues: "$3" })}
  )
  SELECT FROM live`;

type Found = ApplicationRow & { linkId: string; openedAt: string | null };

/**
 * Finds the application of a token; null if the token is unknown, expired or revoked. The first use is recorded; a link can
 * be used any number of times.
 */
export async function findByToken(token: unknown, address: string): Promise<Access | null> {
  if (!isTokenShaped(token)) return null;
  const values = [Buffer.from(hashToken(token))];
  const { rows } = await query<{ found: Found }>({ ...findOnly, values });
  const [first] = rows;
  if (!first) return null;
  const { linkId, openedAt, ...row } = withTimes(first.found);
  if (!openedAt) {
    const about = [linkId, address, JSON.stringify(dueOnOpening())];
    if ((await query({ text: noteFirstOpening, values: about })).count === 0) return null;
  }
  return { linkId, row };
}
