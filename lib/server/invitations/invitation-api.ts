import { createHmac, randomBytes } from "node:crypto";
import { z } from "zod";
import { readReference } from "@/lib/domain/reference";
import { unsavable } from "@/lib/schemas/kinds";
import { statusOf } from "@/lib/server/db/application-row";
import { type Db, prisma, withDeadline } from "@/lib/server/db/client";
import { databaseNow } from "@/lib/server/db/statements";
import { refuseOtherSites } from "@/lib/server/http/call";
import { CallError } from "@/lib/server/http/call-error";
import { readJson } from "@/lib/server/http/read-body";
import { linkTo } from "@/lib/server/links/token";
import { type Caller, requireKey } from "./api-keys";
import { contactOf, contactsOf, createInvitations } from "./create-invitations";
import { fieldFlags, type Invitation, invitationSchema } from "./invitation";

const maxInvitations = 100;
const maxBytes = 256 * 1024;
const dayMs = 86_400_000;

interface RequestedInvitation {
  invitation: Invitation;
  batch: string;
  send: boolean;
}

/** What is stored to repeat the answer to an Idempotency-Key. */
interface RepeatableAnswer {
  reference: string;
  expiresAt: string;
  source: string;
  send: boolean;
}

const termsSchema = z.object({
  batch: z
    .string("batch must be a string")
    .max(80, "batch must be 80 characters or fewer")
    .refine((text) => !unsavable.test(text), "batch contains characters that cannot be saved")
    .default(""),
  send: z.boolean("send must be true or false").default(false),
});

/** The errors by field. A Map, because a caller may send a field named '__proto__'. */
type Errors = Map<string, string>;

/** Reads one invitation of the body. Returns the errors of its fields if it is invalid. */
function readOne(item: unknown): RequestedInvitation | Errors {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return new Map([["body", "is not an object"]]);
  const { batch, send, ...fields } = item as Record<string, unknown>;
  const named = Object.entries(fields).map(([field, value]) => [fieldFlags.get(field) ?? `unknown ${field}`, value]);
  const invitation = invitationSchema.safeParse(Object.fromEntries(named));
  const terms = termsSchema.safeParse({ batch, send });
  if (invitation.data && terms.data) {
    if (!terms.data.send || contactOf(invitation.data)) return { invitation: invitation.data, ...terms.data };
    return new Map([["send", "there is no address that a message can be sent to"]]);
  }
  const errors: Errors = new Map();
  const fieldOf = (flag: string) => [...fieldFlags].find(([, value]) => value === flag)?.[0] ?? flag;
  for (const issue of [...(invitation.error?.issues ?? []), ...(terms.error?.issues ?? [])]) {
    if (issue.code === "unrecognized_keys")
      for (const key of issue.keys) errors.set(key.replace(/^unknown /, ""), "is not a field of an invitation");
    else {
      // Only a missing mobile is reported about the whole invitation.
      const flag = String(issue.path[0] ?? "mobile");
      errors.set(fieldOf(flag), issue.message.replace(`${flag} `, ""));
    }
  }
  return errors;
}

function readAll(body: unknown): RequestedInvitation[] {
  const isOne = !Array.isArray(body);
  const items = isOne ? [body] : body;
  if (items.length === 0 || items.length > maxInvitations)
    throw new CallError(422, `Send 1 to ${maxInvitations} invitations`);
  const read = items.map(readOne);
  const errors = read.flatMap((result, index) =>
    result instanceof Map ? [...result].map(([field, message]) => [isOne ? field : `${index}.${field}`, message]) : [],
  );
  if (errors.length > 0) throw invalidFields(errors);
  const all = read.filter((result): result is RequestedInvitation => !(result instanceof Map));
  if (new Set(all.map(({ batch, send }) => JSON.stringify([batch, send]))).size > 1)
    throw new CallError(422, "All invitations in a request must have the same batch and send");
  return all;
}

class Repeated extends Error {
  override name = "Repeated";
}

/** Derives the links again from the caller's key, because the database stores no tokens. */
function answerOf({ secret }: Caller, salt: string, kept: RepeatableAnswer[]) {
  return kept.map(({ reference, expiresAt, source, send }, index) => ({
    reference,
    expiresAt,
    ...(send ? {} : { link: linkTo(tokenOf(secret, salt, index), source) }),
  }));
}

const tokenOf = (secret: string, salt: string, index: number) =>
  createHmac("sha256", secret).update(`${salt}.${index}`).digest("base64url");

function idempotencyKeyOf({ headers }: Request): string | null {
  const key = headers.get("idempotency-key");
  if (key !== null && !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new CallError(400, "Idempotency-Key must be 1 to 255 visible characters of ASCII");
  return key;
}

export async function postInvitations(request: Request, { address }: { address: string }): Promise<unknown> {
  refuseOtherSites(request);
  const caller = await withDeadline(() => requireKey(request, "create", address));
  const idempotencyKey = idempotencyKeyOf(request);
  const { bytes, body } = await readJson(request, maxBytes);
  const all = readAll(body);
  const answer = await withDeadline((signal) =>
    create({ caller, idempotencyKey, bodyHash: hashOf(caller, bytes), isOne: !Array.isArray(body), all, signal }),
  );
  return Array.isArray(body) ? answer : answer[0];
}

/** The hash is keyed, because anyone could find a mobile from a plain hash by trying them all. The key is not stored. */
const hashOf = ({ secret }: Caller, body: Uint8Array) => createHmac("sha256", secret).update(body).digest("hex");

/** A name that is not ours may be personal data, such as an address as a key, so it is not logged. */
function invalidFields(errors: string[][]): CallError {
  const names = errors.map(([field = ""]) => field.replace(/^\d+\./, ""));
  const ours = [...fieldFlags.keys(), "batch", "send", "body"];
  const fields = [...new Set(names.map((name) => (ours.includes(name) ? name : "unknown")))];
  return new CallError(422, "Some fields are not valid", { errors: Object.fromEntries(errors), fields });
}

interface Order {
  caller: Caller;
  idempotencyKey: string | null;
  bodyHash: string;
  isOne: boolean;
  all: RequestedInvitation[];
  /** Aborted once the caller has received 503 because the database did not answer in time. */
  signal: AbortSignal;
}

async function create(order: Order): Promise<object[]> {
  const { caller, idempotencyKey, bodyHash, all, signal } = order;
  const before = idempotencyKey && (await answeredBefore(caller, idempotencyKey, bodyHash));
  if (before) return before;
  if (idempotencyKey !== null) await deleteExpired(caller);
  const salt = randomBytes(16).toString("hex");
  const [{ batch, send } = { batch: "", send: false }] = all;
  let kept: RepeatableAnswer[] = [];
  const invitations = all.map(({ invitation }) => invitation);
  try {
    await createInvitations(invitations, {
      by: `key ${caller.name}`,
      batch,
      send,
      apiKeyId: caller.id,
      tokens: all.map((_, index) => tokenOf(caller.secret, salt, index)),
      begin: (tx, now) => claim(tx, caller, idempotencyKey, { bodyHash, salt, now }),
      async beforeCommit(issued, _, tx) {
        if (send) await requireReachable(tx, invitations, order.isOne);
        kept = issued.map(({ reference, expiresAt }, index) => {
          return { reference, expiresAt, source: invitations[index]?.source ?? "", send };
        });
        const where = { keyId: caller.id, idempotencyKey: idempotencyKey ?? "" };
        if (idempotencyKey !== null) await tx.apiRequest.updateMany({ where, data: { answer: kept as object[] } });
        signal.throwIfAborted();
      },
    });
  } catch (error) {
    // Repeats the other request's answer, or creates the invitations if that answer has just expired.
    if (error instanceof Repeated) return create(order);
    throw error;
  }
  return answerOf(caller, salt, kept);
}

async function requireReachable(tx: Db, invitations: Invitation[], isOne: boolean): Promise<void> {
  const contacts = await contactsOf(tx, invitations);
  const errors = contacts.flatMap((contact, index) =>
    contact ? [] : [[isOne ? "send" : `${index}.send`, "messages to this contact are stopped"]],
  );
  if (errors.length > 0) throw invalidFields(errors);
}

/** The answer to this Idempotency-Key in the last 24 hours; null if there is none. */
async function answeredBefore(caller: Caller, idempotencyKey: string, bodyHash: string) {
  // The database's clock, which `claim` uses, too. This machine's clock may be wrong.
  const createdAt = { gte: new Date((await databaseNow(prisma())).getTime() - dayMs) };
  const before = await prisma().apiRequest.findFirst({ where: { keyId: caller.id, idempotencyKey, createdAt } });
  if (!before) return null;
  if (before.bodyHash !== bodyHash)
    throw new CallError(422, "This Idempotency-Key was used with another body in the last 24 hours");
  return answerOf(caller, before.salt, before.answer as unknown as RepeatableAnswer[]);
}

/** Not in the transaction that creates, because every other request of the API key would wait for its rows. */
async function deleteExpired({ id: keyId }: Caller): Promise<void> {
  const createdAt = { lt: new Date((await databaseNow(prisma())).getTime() - dayMs) };
  // Limited, because the rows of a busy day could exceed the time limit of this call and of every later one.
  await prisma().apiRequest.deleteMany({ where: { keyId, createdAt }, limit: 100 });
}

/** Of requests with the same Idempotency-Key, the first creates. The others wait here for the commit and repeat its answer. */
async function claim(
  tx: Db,
  { id: keyId }: Caller,
  idempotencyKey: string | null,
  { now, ...row }: { bodyHash: string; salt: string; now: Date },
): Promise<void> {
  if (idempotencyKey === null) return;
  const createdAt = { lt: new Date(now.getTime() - dayMs) };
  await tx.apiRequest.deleteMany({ where: { keyId, idempotencyKey, createdAt } });
  const { count } = await tx.apiRequest.createMany({ data: [{ keyId, idempotencyKey, ...row }], skipDuplicates: true });
  if (count === 0) throw new Repeated();
}

/** GET /api/v1/invitations/REFERENCE. A reference that was not created with the caller's key gets 404. */
export async function getInvitation(request: Request, { address }: { address: string }): Promise<unknown> {
  return withDeadline(async () => {
    const caller = await requireKey(request, "read", address);
    const reference = readReference(new URL(request.url).pathname.split("/").at(-1) ?? "");
    const found =
      reference &&
      (await prisma().application.findFirst({
        where: { reference, apiKeyId: caller.id },
        include: { links: true },
      }));
    if (!found) throw new CallError(404, "There is no such invitation");
    const { status, createdAt, submittedAt, links } = found;
    const opened = links.flatMap(({ openedAt }) => openedAt?.toISOString() ?? []).sort();
    // The latest expiry counts: a link that could not be sent expires at once, and the one before it still works.
    const expiries = links.filter(({ revokedAt }) => !revokedAt).map(({ expiresAt }) => expiresAt.toISOString());
    return {
      reference: found.reference,
      status: statusOf(status),
      invitedAt: createdAt.toISOString(),
      expiresAt: expiries.sort().at(-1) ?? null,
      openedAt: opened[0] ?? null,
      submittedAt: submittedAt?.toISOString() ?? null,
    };
  });
}
