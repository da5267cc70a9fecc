import { prisma } from "@/lib/server/db/client";
import { hashToken, isTokenShaped, makeToken } from "@/lib/server/links/token";
import type { DeskSession } from "@/prisma/generated/client";
import { type Claims, type Role, roleOf } from "./rights";

/** Minutes without use after which a session ends, and the hours after which it ends in any case. */
const idleMinutes = 30;
const longestHours = 8;

export interface Person {
  /** The address, or the provider's user name where it verifies no address. Actions are recorded under it. */
  by: string;
  role: Role;
  /** When the session ends unless the desk is used again. */
  endsAt: Date;
}

/** Starts a session and returns the secret of its cookie. Deletes sessions that have ended. */
export async function startSession(by: string, { verifiedEmail, groups }: Claims): Promise<string> {
  const secret = makeToken();
  // Raw: the database's clock decides when sessions end.
  await prisma().$executeRaw`
    DELETE FROM desk_sessions WHERE NOT (
      "usedAt" > now() - make_interval(mins => ${idleMinutes}::int) AND "startedAt" > now() - make_interval(hours => ${longestHours}::int))`;
  await prisma().deskSession.create({
    data: { hash: hashToken(secret), by, verifiedEmail, groups },
    select: { hash: true },
  });
  return secret;
}

/**
 * The person of a session, or null if it has ended or the settings no longer name the person. `isUse` extends the session; a
 * page that asks for news by itself does not.
 */
export async function findSession(secret: string | undefined, { isUse }: { isUse: boolean }): Promise<Person | null> {
  if (!isTokenShaped(secret)) return null;
  // Raw: one statement by the database's clock, so that a session that has just ended is not extended.
  const [row] = await prisma().$queryRaw<(Pick<DeskSession, "by" | "verifiedEmail" | "groups"> & { endsAt: Date })[]>`
    UPDATE desk_sessions SET "usedAt" = CASE WHEN ${isUse} THEN now() ELSE "usedAt" END
    WHERE hash = ${hashToken(secret)} AND "usedAt" > now() - make_interval(mins => ${idleMinutes}::int)
      AND "startedAt" > now() - make_interval(hours => ${longestHours}::int)
    RETURNING by, "verifiedEmail", groups, least("usedAt" + make_interval(mins => ${idleMinutes}::int),
      "startedAt" + make_interval(hours => ${longestHours}::int)) AS "endsAt"`;
  const role = row && roleOf(row);
  return role ? { by: row.by, role, endsAt: row.endsAt } : null;
}

/** Ends a session at once, for copies of its cookie too. */
export async function endSession(secret: string | undefined): Promise<void> {
  if (isTokenShaped(secret)) await prisma().deskSession.deleteMany({ where: { hash: hashToken(secret) } });
}
