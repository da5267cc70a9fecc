import { type Db, prisma, withDeadline } from "@/lib/server/db/client";
import { transactionTime } from "@/lib/server/db/locks";
import { CallError } from "@/lib/server/http/call-error";
import { countAgainst, countGuess } from "@/lib/server/http/limits";
import { hashToken, makeToken } from "@/lib/server/links/token";

export const scopes = ["create", "read"] as const;
type Scope = (typeof scopes)[number];

export interface Caller {
  id: string;
  name: string;
  /** The key itself, from which the tokens of links are derived. */
  secret: string;
}

/** The scheme may be in any letter case, and several spaces may follow it (RFC 9110, sections 11.1 and 11.4). */
const shape = /^bearer +(rak_[\w-]{43})$/i;

/** Throws 404 until the first key is created. A revoked key counts, too. */
export async function requireInvitationApi(): Promise<void> {
  const any = await withDeadline(() => prisma().apiKey.findFirst({ select: { id: true } }));
  if (any === null) throw new CallError(404, "There is no such endpoint");
}

/**
 * Returns the owner of a call's key. Throws 401 for an unknown or revoked key, 403 for a key without
 * the scope, and 429 after too many wrong keys or too many calls.
 */
export async function requireKey({ headers }: Request, scope: Scope, address: string): Promise<Caller> {
  const secret = shape.exec(headers.get("authorization") ?? "")?.[1];
  const keyHash = hashToken(secret ?? "");
  const found = secret ? await prisma().apiKey.findUnique({ where: { keyHash } }) : null;
  if (!secret || !found || found.revokedAt !== null) {
    await countGuess(address);
    throw invalidKey();
  }
  const { id, name } = found;
  if (!found.scopes.includes(scope)) throw new CallError(403, `This key lacks the scope ${scope}`);
  await countAgainst("invitations", id);
  // Once a minute is enough. A time in the future comes from a clock that was ahead.
  if (Math.abs(Date.now() - Number(found.lastUsedAt)) > 60_000)
    await prisma().apiKey.updateMany({ where: { id }, data: { lastUsedAt: new Date() } });
  return { id, name, secret };
}

/** A 401 must name the scheme (RFC 9110, section 15.5.2). */
const invalidKey = () => new CallError(401, "The key is not valid", { headers: { "www-authenticate": "Bearer" } });

/** Throws 401 if the key was revoked after `requireKey`, for example while the body of the call arrived. */
export async function requireStillValid(db: Db, { id }: Caller): Promise<void> {
  if (!(await db.apiKey.findFirst({ where: { id, revokedAt: null } }))) throw invalidKey();
}

/** Creates a key and returns it. Only its hash is stored. */
export async function createKey(name: string, granted: Scope[], by: string, db: Db = prisma()): Promise<string> {
  const secret = `rak_${makeToken()}`;
  const data = [{ name, keyHash: hashToken(secret), scopes: granted, by }];
  const { count } = await db.apiKey.createMany({ data, skipDuplicates: true });
  if (count === 0) throw new Error(`A key named ${name} already exists, perhaps a revoked one: choose another name.`);
  return secret;
}

const listed = { name: true, scopes: true, by: true, createdAt: true, lastUsedAt: true, revokedAt: true } as const;

export const listKeys = () => prisma().apiKey.findMany({ select: listed, orderBy: { createdAt: "asc" } });

export async function revokeKey(name: string, db: Db = prisma()): Promise<void> {
  const { count } = await db.apiKey.updateMany({
    where: { name, revokedAt: null },
    data: { revokedAt: await transactionTime(db) },
  });
  if (count === 0) throw new Error(`There is no valid key ${name}.`);
}
