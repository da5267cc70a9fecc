import "server-only";
import { prisma, withDeadline } from "@/lib/server/db/client";
import { CallError } from "@/lib/server/http/call-error";
import { countAgainst, countGuess } from "@/lib/server/http/limits";
import { hashToken, makeToken } from "@/lib/server/links/token";

/** What a key may be used for. */
export const scopes = ["create", "read"] as const;
export type Scope = (typeof scopes)[number];

export interface Caller {
  id: string;
  name: string;
  /** The key itself: of it the tokens of links are made. */
  secret: string;
}

const shape = /^Bearer (rak_[A-Za-z0-9_-]{43})$/;

/** Throws 404 while there is no key at all, a revoked one included. */
export async function requireInvitationApi(): Promise<void> {
  const any = await withDeadline(() => prisma().apiKey.findFirst({ select: { id: true } }));
  if (any === null) throw new CallError(404, "There is no such call");
}

/**
 * Whose key a call has. Throws 401 for one that is unknown or revoked, 403 for one of another
 * scope, and 429 after too many wrong ones or too many calls.
 */
export async function requireKey({ headers }: Request, scope: Scope, address: string): Promise<Caller> {
  const secret = shape.exec(headers.get("authorization") ?? "")?.[1];
  const keyHash = hashToken(secret ?? "");
  const found = secret ? await prisma().apiKey.findUnique({ where: { keyHash } }) : null;
  if (!secret || !found || found.revokedAt !== null) {
    await countGuess(address);
    throw new CallError(401, "The key is not valid");
  }
  const { id, name } = found;
  if (!found.scopes.includes(scope)) throw new CallError(403, `The key is not for this: its scope ${scope} is missing`);
  await countAgainst("invitations", id);
  const now = new Date();
  const isStale = { OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: new Date(now.getTime() - 60_000) } }] };
  await prisma().apiKey.updateMany({ where: { id, ...isStale }, data: { lastUsedAt: now } });
  return { id, name, secret };
}

/** Returns the key, which is stored nowhere. */
export async function createKey(name: string, wanted: Scope[], by: string): Promise<string> {
  const secret = `rak_${makeToken()}`;
  const data = [{ name, keyHash: hashToken(secret), scopes: wanted, by }];
  const { count } = await prisma().apiKey.createMany({ data, skipDuplicates: true });
  if (count === 0) throw new Error(`There is a key ${name} already, perhaps a revoked one: choose another name.`);
  return secret;
}

const listed = { name: true, scopes: true, by: true, createdAt: true, lastUsedAt: true, revokedAt: true } as const;

export const listKeys = () => prisma().apiKey.findMany({ select: listed, orderBy: { createdAt: "asc" } });

export async function revokeKey(name: string): Promise<void> {
  const { count } = await prisma().apiKey.updateMany({
    where: { name, revokedAt: null },
    data: { revokedAt: new Date() },
  });
  if (count === 0) throw new Error(`There is no valid key ${name}.`);
}
