import "server-only";
import { query } from "@/lib/server/db/query";
import { refuseOtherSites } from "@/lib/server/http/call";
import { CallError, databaseAway } from "@/lib/server/http/call-error";
import { clientAddress, networkOf } from "@/lib/server/http/client-address";
import { countAgainst } from "@/lib/server/http/limits";
import { logLateFailure } from "@/lib/server/http/log";
import { readJsonObject } from "@/lib/server/http/read-body";
import { readiness } from "@/lib/server/http/readiness";
import { hashToken, isTokenShaped } from "@/lib/server/links/token";
import { currentSettings } from "@/lib/server/settings";

/**
 * Takes the wish and answers; the token is looked up afterwards. So neither what the answer says nor the time that it
 * takes tells whether there is such a link, and what became of it.
 */
export async function askForFreshLink(request: Request): Promise<void> {
  refuseOtherSites(request);
  const { token } = await readJsonObject(request);
  if (!isTokenShaped(token))
    throw new CallError(422, "This link is not complete. Please open it once more from our message.");
  if ((await readiness()).status === "unready") throw databaseAway(undefined);
  await countAgainst("freshLinks", networkOf(clientAddress(request.headers)));
  setImmediate(() => makeFreshLink(token).catch((error) => logLateFailure("fresh-link", error)));
}

/** Then only operations write: a dead link could otherwise ask for ever. */
const mostUnused = 5;

/**
 * To the contact that was invited, since anybody with the form open can change the other, and to none that wants no messages.
 * An application gets one in a day, and five since it was last saved, decided or reissued. Its id follows from the one before
 * it, so of any number of concurrent statements one inserts. A revocation closes whatever links there are: only what was
 * issued after it can be made fresh.
 *
 * Locked as an erasure and a revocation lock them, the application first: what they have changed while this waited, Postgres
 * reads and judges again.
 */
const make = `
  WITH about AS MATERIALIZED (
    SELECT a.id, a."updatedAt", l.id AS "linkId", i.channel, i.recipient
    FROM link_tokens t
    JOIN links l ON l.id = t."linkId"
    JOIN applications a ON a.id = l."applicationId"
    CROSS JOIN LATERAL (SELECT
      (CASE WHEN $2 AND a."invitedEmail" <> '' THEN 'email' WHEN $3 AND a."invitedMobile" <> '' THEN 'sms' END
        )::"MessageChannel" AS channel,
      CASE WHEN $2 AND a."invitedEmail" <> '' THEN a."invitedEmail" ELSE a."invitedMobile" END AS recipient) i
    WHERE t."tokenHash" = $1 AND a."erasedAt" IS NULL AND i.channel IS NOT NULL
    FOR NO KEY UPDATE OF a
  ), dead AS MATERIALIZED (
    SELECT about.* FROM about JOIN links l ON l.id = about."linkId"
    WHERE l."expiresAt" <= now() AND l."revokedAt" IS NULL
    FOR NO KEY UPDATE OF l
  )
  INSERT INTO messages (id, "applicationId", kind, channel, recipient)
  SELECT left(encode(sha256(convert_to('fresh-link ' || dead.id || ' ' || earlier.last, 'UTF8')), 'hex'), 32)::uuid, dead.id,
    'fresh-link', dead.channel, dead.recipient
  FROM dead
  CROSS JOIN LATERAL (
    SELECT COALESCE(max(number), 0) AS last, max("createdAt") AS at,
      count(*) FILTER (WHERE "createdAt" > dead."updatedAt") AS unused
    FROM messages WHERE "applicationId" = dead.id AND kind = 'fresh-link'
  ) earlier
  WHERE earlier.unused < ${mostUnused} AND (earlier.at IS NULL OR earlier.at <= now() - interval '1 day')
    AND NOT EXISTS (
      SELECT FROM suppressions s WHERE s.channel = dead.channel
        -- As addressHash makes it. Addresses are of ASCII, which both languages lower alike.
        AND s."addressHash" = encode(sha256(convert_to(dead.channel || ':' || lower(dead.recipient), 'UTF8')), 'hex')
    )
  ON CONFLICT (id) DO NOTHING`;

async function makeFreshLink(token: string): Promise<void> {
  const { email, sms } = currentSettings().sending;
  const values = [Buffer.from(hashToken(token)), Boolean(email), Boolean(sms)];
  await query({ name: "make-fresh-link", text: make, values });
}
