import { createHmac, randomBytes } from "node:crypto";
import { z } from "zod";
import { readReference } from "@/lib/domain/reference";
import { addDays } from "@/lib/domain/zone-time";
import { statusOf } from "@/lib/server/db/application-row";
import { type Db, prisma, withDeadline } from "@/lib/server/db/client";
import { transactionTime } from "@/lib/server/db/locks";
import type { Context } from "@/lib/server/http/call";
import { CallError } from "@/lib/server/http/call-error";
import { readJson } from "@/lib/server/http/read-body";
import { linkTo } from "@/lib/server/links/token";
import { type Caller, requireKey, requireStillValid } from "./api-keys";
import { createInvitations, preferredContactOf, reachableContacts } from "./create-invitations";
import { batchSchema, type Invitation, invitationFields, invitationSchema } from "./invitation";

const maxInvitations = 100;
const maxBytes = 256 * 1024;

/** What is stored to repeat the response to an Idempotency-Key. */
interface RepeatableInvitation {
  reference: string;
  expiresAt: string;
  source: string;
  send: boolean;
}

const optionsSchema = z.object({
  batch: batchSchema.default(""),
  send: z.boolean("must be true or false").default(false),
});

/** Pairs of a field and its message, because a caller may send a field named '__proto__'. */
type Errors = [field: string, message: string][];

function readOne(item: unknown) {
  if (typeof item !== "object" || item === null || Array.isArray(item))
    return { errors: [["body", "is not an object"]] satisfies Errors };
  const { batch, send, ...fields } = item as Record<string, unknown>;
  const invitation = invitationSchema.safeParse(fields);
  const options = optionsSchema.safeParse({ batch, send });
  const issues = [...(invitation.error?.issues ?? []), ...(options.error?.issues ?? [])];
  const errors = issues.flatMap((issue): Errors => {
    if (issue.code !== "unrecognized_keys") return [[String(issue.path[0]), issue.message]];
    return issue.keys.map((key) => [key, "is not a field of an invitation"]);
  });
  if (invitation.data && options.data?.send && !preferredContactOf(invitation.data))
    errors.push(["send", "there is no address that a message can be sent to"]);
  return { errors, invitation: invitation.data, options: options.data };
}

function readOrder(body: unknown) {
  const isOne = !Array.isArray(body);
  const items = isOne ? [body] : body;
  if (items.length === 0 || items.length > maxInvitations)
    throw new CallError(422, `Send 1 to ${maxInvitations} invitations`);
  const read = items.map(readOne);
  refuseInvalid(
    read.map(({ errors }) => errors),
    isOne,
  );
  const found = read.flatMap(({ invitation, options }) => (invitation && options ? { invitation, options } : []));
  const [{ options } = { options: { batch: "", send: false } }] = found;
  if (found.some(({ options: { batch, send } }) => batch !== options.batch || send !== options.send))
    throw new CallError(422, "All invitations in a request must have the same batch and send");
  return { invitations: found.map(({ invitation }) => invitation), ...options, isOne };
}

/** Throws 422 if an invitation has errors. Logs only our own names of fields: others may be personal data, such as an address. */
function refuseInvalid(found: Errors[], isOne: boolean): void {
  const errors = found.flatMap((each, index) =>
    each.map(([field, message]) => [isOne ? field : `${index}.${field}`, message]),
  );
  const ours = [...invitationFields.map(({ field }) => field), "batch", "send", "body"];
  const fields = new Set(found.flat().map(([field]) => (ours.includes(field) ? field : "unknown")));
  if (errors.length > 0)
    throw new CallError(422, "Some fields are not valid", { errors: Object.fromEntries(errors), fields: [...fields] });
}

/** Derives the links again from the caller's key, because the database stores no tokens. */
function responseOf({ secret }: Caller, salt: string, kept: RepeatableInvitation[]): object[] {
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

export async function postInvitations(request: Request, context: Context): Promise<unknown> {
  const caller = await withDeadline(() => requireKey(request, "create", context.address));
  const idempotencyKey = idempotencyKeyOf(request);
  const { bytes, body } = await readJson(request, maxBytes);
  // The hash is keyed, because anyone could find a mobile from a plain hash by trying them all. The key is not stored.
  const bodyHash = createHmac("sha256", caller.secret).update(bytes).digest("hex");
  const repeatable = idempotencyKey === null ? null : { keyId: caller.id, idempotencyKey, bodyHash };
  const data = await withDeadline((signal) => createOrRepeat(caller, body, repeatable, context, signal));
  return Array.isArray(body) ? data : data[0];
}

/** A request with an Idempotency-Key. */
interface Repeatable {
  keyId: string;
  idempotencyKey: string;
  bodyHash: string;
}

/** Another request has used the Idempotency-Key. */
class Repeated extends Error {
  override name = "Repeated";
}

/** `signal` is aborted once the caller has received 503 because the database did not answer in time. */
async function createOrRepeat(
  caller: Caller,
  body: unknown,
  repeatable: Repeatable | null,
  context: Context,
  signal: AbortSignal,
): Promise<object[]> {
  // Before the body is checked, because the settings may have changed since the first request.
  const repeated = repeatable && (await repeatedAnswer(caller, repeatable));
  if (repeated) {
    context.isReplayed = true;
    return repeated;
  }
  const { invitations, batch, send, isOne } = readOrder(body);
  if (repeatable) await deleteExpired();
  const salt = randomBytes(16).toString("hex");
  let kept: RepeatableInvitation[] = [];
  try {
    await createInvitations(invitations, {
      by: `key ${caller.name}`,
      batch,
      send,
      apiKeyId: caller.id,
      // The response to the caller contains links only if nobody is sent one.
      ...(send ? {} : { tokens: invitations.map((_, index) => tokenOf(caller.secret, salt, index)) }),
      async begin(tx, now) {
        if (repeatable) await claim(tx, repeatable, salt, now);
        await requireStillValid(tx, caller);
      },
      async beforeCommit(issued, _, tx) {
        if (send) await requireReachable(tx, invitations, isOne);
        kept = issued.map(({ reference, expiresAt }, index) => {
          return { reference, expiresAt, source: invitations[index]?.source ?? "", send };
        });
        if (repeatable) await tx.apiRequest.updateMany({ where: repeatable, data: { answer: kept as object[] } });
        signal.throwIfAborted();
      },
    });
  } catch (error) {
    if (!(error instanceof Repeated)) throw error;
    return createOrRepeat(caller, body, repeatable, context, signal);
  }
  return responseOf(caller, salt, kept);
}

async function requireReachable(tx: Db, invitations: Invitation[], isOne: boolean): Promise<void> {
  const contacts = await reachableContacts(tx, invitations);
  refuseInvalid(
    contacts.map((contact) => (contact ? [] : [["send", "invitations and reminders to this contact are stopped"]])),
    isOne,
  );
}

async function repeatedAnswer(caller: Caller, { keyId, idempotencyKey, bodyHash }: Repeatable) {
  const createdAt = { gte: addDays(await transactionTime(prisma()), -1) };
  const first = await prisma().apiRequest.findFirst({ where: { keyId, idempotencyKey, createdAt } });
  if (!first) return null;
  if (first.bodyHash !== bodyHash)
    throw new CallError(422, "This Idempotency-Key was used with another body in the last 24 hours");
  return responseOf(caller, first.salt, first.answer as unknown as RepeatableInvitation[]);
}

/** Not in the transaction that creates, because every other request of the API key would wait for its rows. */
async function deleteExpired(): Promise<void> {
  // The database's clock, which `claim` uses, too. This machine's clock may be wrong.
  const createdAt = { lt: addDays(await transactionTime(prisma()), -1) };
  // Limited, because the rows of a busy day could exceed the time limit of this call and of every later one.
  // Of every key, because one that was revoked makes no further call.
  await prisma().apiRequest.deleteMany({ where: { createdAt }, limit: 100 });
}

/** Of requests with the same Idempotency-Key, the first creates. The others wait here for the commit and repeat its response. */
async function claim(tx: Db, { bodyHash, ...key }: Repeatable, salt: string, now: Date): Promise<void> {
  const createdAt = { lt: addDays(now, -1) };
  await tx.apiRequest.deleteMany({ where: { ...key, createdAt } });
  const { count } = await tx.apiRequest.createMany({ data: [{ ...key, bodyHash, salt }], skipDuplicates: true });
  if (count === 0) throw new Repeated();
}

/** GET /api/v1/invitations/REFERENCE. A reference that was not created with the caller's key gets 404. */
export async function getInvitation(request: Request, { address }: { address: string }): Promise<unknown> {
  return withDeadline(async () => {
    const { id: apiKeyId } = await requireKey(request, "read", address);
    const reference = readReference(new URL(request.url).pathname.split("/").at(-1) ?? "");
    const where = { reference: reference ?? "", apiKeyId };
    const found = await prisma().application.findFirst({ where, include: { links: true } });
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
