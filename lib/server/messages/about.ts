import "server-only";
import type { ApplicationStatus } from "@/lib/domain/journey";
import { statusOf } from "@/lib/server/db/application-row";
import type { SenderTransaction } from "@/lib/server/db/sender-pool";
import { commercialKinds } from "@/lib/server/messages/outbox/kinds";
import { Prisma } from "@/prisma/generated/client";
import type { Claimed } from "./claim";
import { addressHash } from "./suppressions";

/** What decides whether a message is still to be sent, and what it says, read just before it is sent. */
export interface About {
  reference: string;
  status: ApplicationStatus;
  source: string;
  name: string;
  submittedAt: Date | null;
  /** The rental advance asked for, as in '2450.00'. */
  amount: string | null;
  openedAt: Date | null;
  /** Until when the last of the links works; null where none does. */
  liveUntil: Date | null;
  /** Operations have withdrawn the links, and issued none since. */
  isRevoked: boolean;
  /** The recipient is the contact that was invited. */
  isToInvited: boolean;
  isErased: boolean;
  isStopped: boolean;
  /** An earlier message of its sort is still to come, or went out within a day. */
  isCollapsed: boolean;
  /** A later message of the same kind reports a later status. */
  hasLaterStatus: boolean;
}

type Row = Omit<About, "status"> & { status: Parameters<typeof statusOf>[0] };

/** Null where it is about no application. */
export async function readAbout(
  query: SenderTransaction,
  { id, applicationId, channel, recipient, number }: Claimed,
): Promise<About | null> {
  const { text, values } = Prisma.sql`
    SELECT a.reference, a.status, a.source, a."firstName" AS name, a."submittedAt", a."loanAmount"::text AS amount, a."erasedAt" IS NOT NULL AS "isErased",
      COALESCE(issued."isRevoked", false) AS "isRevoked", issued.until AS "liveUntil", issued.opened AS "openedAt",
      lower(${recipient}) IN (lower(a."invitedEmail"), a."invitedMobile") AS "isToInvited",
      EXISTS (SELECT FROM suppressions s WHERE s.channel = ${channel}::"MessageChannel"
        AND s."addressHash" = ${addressHash(channel, recipient)}) AS "isStopped",
      EXISTS (SELECT FROM messages m WHERE m."applicationId" = a.id AND m.kind = ANY (${commercialKinds})
        AND m.number < ${number}::bigint AND m.id <> ${id}::uuid
        AND (m.state IN ('waiting', 'sending') OR m."sentAt" > now() - interval '1 day')) AS "isCollapsed",
      EXISTS (SELECT FROM messages m WHERE m."applicationId" = a.id AND m.kind = 'status' AND m.number > ${number}::bigint
      ) AS "hasLaterStatus"
    FROM applications a
    CROSS JOIN LATERAL (
      SELECT bool_and("revokedAt" IS NOT NULL) AS "isRevoked",
        max("expiresAt") FILTER (WHERE "revokedAt" IS NULL AND "expiresAt" > now()) AS until, min("openedAt") AS opened
      FROM links WHERE "applicationId" = a.id
    ) issued
    WHERE a.id = ${applicationId}::uuid`;
  const [row] = await query<Row>({ text, values });
  return row ? { ...row, status: statusOf(row.status) } : null;
}
