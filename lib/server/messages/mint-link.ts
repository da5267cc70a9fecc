import "server-only";
import type { SenderTransaction } from "@/lib/server/db/sender-pool";
import { linkTo } from "@/lib/server/links/link-address";
import { hashToken, makeToken } from "@/lib/server/links/token";
import { kindOf } from "@/lib/server/messages/outbox/kinds";
import { currentSettings } from "@/lib/server/settings";
import { Prisma } from "@/prisma/generated/client";
import type { About } from "./about";
import type { Claimed } from "./claim";
import { makeStopCode, stopHash } from "./stop-code";

/** Live links of one application; the oldest goes first. */
const mostLive = 10;
const days = 30;

interface Minted {
  linkId: string;
  link: string;
  linkUntil: Date;
}

/**
 * Makes a link for this attempt: its token is in memory alone, and its hash is committed before it is sent. Other links go
 * on working. That of an invitation or a reminder ends when the invitation does. The application's row is locked, so that a
 * revocation or an erasure comes before it or ends it.
 */
export async function mintLink(
  query: SenderTransaction,
  { applicationId, kind }: Claimed,
  about: About,
): Promise<Minted> {
  const token = makeToken();
  const hash = Buffer.from(hashToken(token));
  const least = kindOf(kind).isCommercial ? 0 : days;
  const { text, values } = Prisma.sql`
    WITH made AS (
      INSERT INTO links ("applicationId", "expiresAt")
      SELECT ${applicationId}::uuid, GREATEST(${about.liveUntil}::timestamptz, now() + make_interval(days => ${least}))
      RETURNING id, "applicationId", "expiresAt"
    ), hashed AS (
      INSERT INTO link_tokens ("linkId", "tokenHash") SELECT id, ${hash} FROM made
    ), noted AS (
      INSERT INTO events ("applicationId", "linkId", kind, detail) SELECT "applicationId", id, 'link_issued', ${kind} FROM made
    ), oldest AS (
      UPDATE links SET "revokedAt" = now() WHERE id IN (
        SELECT id FROM links WHERE "applicationId" = ${applicationId}::uuid AND "revokedAt" IS NULL AND "expiresAt" > now()
        ORDER BY "createdAt" DESC OFFSET ${mostLive - 1}::int
      )
    )
    SELECT id AS "linkId", "expiresAt" AS "linkUntil" FROM made`;
  const [made] = await query<Omit<Minted, "link">>({ text, values });
  if (!made) throw new Error("No link was made");
  return { link: linkTo(token, about.source), ...made };
}

/** The address of the page on which the reader of this attempt stops such messages. Only the hash of its code is kept. */
export async function mintStop(query: SenderTransaction, { attempt }: Claimed): Promise<string> {
  const code = makeStopCode();
  const values = [stopHash(code), attempt];
  await query({ text: `UPDATE message_attempts SET "stopHash" = $1 WHERE id = $2`, values });
  return `${currentSettings().appUrl}/stop?code=${code}`;
}
