import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { failed, later, uncounted, unknown } from "@/__tests__/support/outcomes";
import { claim, claimOne, contextOf, endLeases, finish, mintLink } from "@/__tests__/support/sending";
import { reportFigure } from "@/__tests__/support/size";
import { retryMessages } from "@/lib/server/delivery/list-messages";
import { reissueLink, revokeLinks } from "@/lib/server/invitations/links";
import { findByToken } from "@/lib/server/links/find-by-token";
import { type Outcome, providerUnavailable } from "@/lib/server/outbox/outcome";
import { suppress } from "@/lib/server/outbox/suppressions";
import type { MessageChannel } from "@/prisma/generated/client";

const { sql, insertMessage } = freshDatabase();

beforeEach(() => sql("DELETE FROM message_attempts; DELETE FROM messages"));

const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);

const columns = `state, error, attempts, "dueAt", round(extract(epoch FROM "dueAt" - now()))::int AS "dueIn",
  round(extract(epoch FROM "firstDueAt" - now()))::int AS "firstDueIn", "sentAt" IS NOT NULL AS "isSent"`;
const stateOf = async (id: string) => (await sql(`SELECT ${columns} FROM messages WHERE id = $1`, [id]))[0];

/** Matches within five seconds, since a busy machine may read the row late. */
const roughly = (seconds: number) => expect.closeTo(seconds, -1);

test("several workers claim each message once, oldest first, and only those of their channel", async () => {
  for (let count = 1; count <= 30; count += 1) await insertMessage({ dueAt: ago(count) });
  await insertMessage({ channel: "sms" });
  const claims = await Promise.all(Array.from({ length: 6 }, () => claim("email", 6)));
  const ids = claims.flat().map(({ id }) => id);
  expect([ids.length, new Set(ids).size]).toEqual([30, 30]);
  expect(await claim("email", 10)).toEqual([]);
});

test("invitations and reminders are claimed after all other messages, however long they have been due", async () => {
  for (const kind of ["invitation", "reminder"]) await insertMessage({ kind, dueAt: ago(86_400) });
  await insertMessage({ kind: "confirmation" });
  await insertMessage({ kind: "status", dueAt: ago(2) });
  const [first, second] = [await claim("email", 2), await claim("email", 2)];
  expect(first.map(({ kind }) => kind).toSorted()).toEqual(["confirmation", "status"]);
  expect(second).toHaveLength(2);
});

test("a claim of a single message takes the one that has been due longest, so that a deferred one does not always come first", async () => {
  await insertMessage({ kind: "invitation", dueAt: ago(60) });
  await insertMessage({ kind: "confirmation", dueAt: ago(1) });
  const claims = [await claimOne(), await claimOne()];
  expect(claims.map(({ kind }) => kind)).toEqual(["invitation", "confirmation"]);
});

test("a worker that ran before a migration claims messages after it, although their table has a new column", async () => {
  await claim("email", 1);
  await sql("ALTER TABLE messages ADD COLUMN later TEXT");
  await insertMessage();
  expect(await claim("email", 10)).toHaveLength(1);
  await sql("ALTER TABLE messages DROP COLUMN later");
});

test("messages that are finished, cancelled or not due yet are not claimed", async () => {
  await insertMessage({ dueAt: ago(-3600) });
  for (const state of ["sent", "delivered", "failed", "unknown", "cancelled"]) await insertMessage({ state });
  expect(await claim("email", 10)).toEqual([]);
});

test("a killed worker's message is due again after a minute; whether it was sent is uncertain once the provider was contacted", async () => {
  const { id } = await insertMessage();
  expect((await claimOne()).isUncertain).toBe(false);
  expect(await claim("email", 1)).toEqual([]);
  await endLeases();
  expect(await claimOne()).toMatchObject({ id, isUncertain: false, attempts: 1 });
  await endLeases();
  await sql(`UPDATE message_attempts SET "contactedAt" = now()`);
  expect(await claimOne()).toMatchObject({ id, isUncertain: true, attempts: 2 });
});

test("a slow worker, whose claim has ended, changes nothing unless it has sent the message", async () => {
  const { id } = await insertMessage();
  const slow = await claimOne();
  await endLeases();
  const second = await claimOne();
  await finish(slow, failed("550"), "");
  expect(await stateOf(id)).toMatchObject({ state: "sending" });
  await finish(second, { state: "sent", providerId: "7" }, "test-1");
  expect(await stateOf(id)).toMatchObject({ state: "sent", error: "" });
  expect(await sql("SELECT outcome, error FROM message_attempts ORDER BY id")).toEqual([
    { outcome: "failed", error: "550" },
    { outcome: "sent", error: "" },
  ]);
});

test.each<[string, Outcome | null, MessageChannel?]>([
  ["has claimed it", null],
  ["has claimed it, a webhook", null, "webhook"],
  ["was asked to try later", later("450")],
  ["was refused", failed("550")],
  ["does not know whether it was sent", unknown("the worker ended")],
])("what a slow worker has sent counts as sent, although the next %s", async (_, outcome, channel = "email") => {
  const { id } = await insertMessage({ channel });
  const slow = await claimOne(channel);
  await endLeases();
  const second = await claimOne(channel);
  if (outcome) await finish(second, outcome, "");
  await finish(slow, { state: "sent", providerId: "7" }, "test-1");
  expect(await stateOf(id)).toMatchObject({ state: "sent", error: "" });
  expect(await sql(`SELECT "providerId", template, "sentAt" IS NOT NULL AS "isSent" FROM messages`)).toEqual([
    { providerId: "7", template: "test-1", isSent: true },
  ]);
  await sql(`UPDATE messages SET "dueAt" = now() - interval '1 s'`);
  expect(await claim(channel, 1)).toEqual([]);
  await finish(second, later("450"), "");
  expect(await stateOf(id)).toMatchObject({ state: "sent" });
});

test("a bounced email stays failed when a slow worker then reports it as sent", async () => {
  const { id } = await insertMessage();
  const slow = await claimOne();
  await endLeases();
  await finish(await claimOne(), { state: "sent" }, "");
  await sql(`UPDATE messages SET state = 'failed', error = '5.1.1'`);
  await finish(slow, { state: "sent" }, "");
  expect(await stateOf(id)).toMatchObject({ state: "failed", error: "5.1.1" });
});

const stopped = { state: "cancelled", error: "stopped" } as const;
const superseded = { state: "superseded", error: "another worker has it" } as const;
const deferred = { ...later("429"), afterSeconds: 180 };
const until = new Date("2030-01-01T00:00:00Z");
const untilLater = { ...uncounted("night"), until };
/** A message that waits for an attempt after one that did not count. */
const uncountedWait = { state: "waiting", attempts: 0 };

test.each<[Outcome, object]>([
  ...[failed("550 5.1.1"), stopped].map((same): [Outcome, object] => [same, { ...same, isSent: false }]),
  // It may have been sent, so it counts as sent.
  [unknown("ECONNECTION"), { ...unknown("ECONNECTION"), isSent: true }],
  [later("450"), { state: "waiting", error: "450", attempts: 1, dueIn: roughly(60) }],
  [deferred, { state: "waiting", attempts: 1, dueIn: roughly(180) }],
  [providerUnavailable("ECONNREFUSED"), { ...uncountedWait, dueIn: roughly(10), firstDueIn: roughly(-1) }],
  [providerUnavailable("HTTP 503", 3600), { ...uncountedWait, dueIn: roughly(3600) }],
  [providerUnavailable("HTTP 503", 2), { ...uncountedWait, dueIn: roughly(10) }],
  [untilLater, { ...uncountedWait, error: "night", dueAt: until }],
  [superseded, { state: "sending" }],
])("an attempt that ended as %j leaves the message as %j", async (outcome, expected) => {
  const { id } = await insertMessage();
  expect(await finish(await claimOne(), outcome, "")).toBe(false);
  expect(await stateOf(id)).toMatchObject(expected);
});

test("after the last attempt of its schedule a message has failed", async () => {
  const { id } = await insertMessage();
  await sql("UPDATE messages SET attempts = 10");
  expect(await finish(await claimOne(), later("450"), "")).toBe(true);
  expect(await stateOf(id)).toMatchObject({ state: "failed", error: "450" });
});

test("claims that failed before the provider was contacted leave a message all its attempts", async () => {
  const { id } = await insertMessage();
  for (let count = 0; count < 10; count += 1) {
    await claimOne();
    await endLeases();
  }
  expect(await finish(await claimOne(), later("450"), "")).toBe(false);
  expect(await stateOf(id)).toMatchObject({ state: "waiting", dueIn: roughly(60) });
});

test("a message fails once its provider has been unreachable for days", async () => {
  const { id } = await insertMessage();
  await claimOne();
  await sql(`UPDATE message_attempts SET at = at - interval '6 days'`);
  await sql(`UPDATE messages SET "firstDueAt" = "firstDueAt" - interval '6 days'`);
  await endLeases();
  expect(await finish(await claimOne(), providerUnavailable("ECONNREFUSED"), "")).toBe(true);
  expect(await stateOf(id)).toMatchObject({ state: "failed" });
});

test("a message that is retried after days is not given up because of its old attempts", async () => {
  const { id, number } = await insertMessage();
  expect(await finish(await claimOne(), failed("550"), "")).toBe(false);
  await sql(`UPDATE message_attempts SET at = at - interval '6 days'`);
  await retryMessages({ numbers: [number], states: [] });
  // dueAt may have been rounded up to the next millisecond.
  await sql("SELECT pg_sleep(0.01)");
  expect(await finish(await claimOne(), providerUnavailable("ECONNREFUSED"), "")).toBe(false);
  expect(await stateOf(id)).toMatchObject({ state: "waiting", error: "ECONNREFUSED", attempts: 0 });
});

const email = "ada@landlord.example";

/** Invites somebody, and enqueues a message of this kind. */
async function enqueue(kind: string, columns: Record<string, unknown> = {}) {
  const application = await invited({ email });
  await insertMessage({ applicationId: application.id, kind, recipient: email, ...columns });
  return application;
}

/** Claims the only message, and reads what it is about. */
async function claimWithContext() {
  const claimed = await claimOne();
  const context = await contextOf(claimed);
  if (!context) throw new Error("It is about no application");
  return { claimed, context };
}

test("each attempt makes its own link; earlier links keep working, ten in all", async () => {
  const { token } = await enqueue("invitation", { recipient: "ADA@landlord.example" });
  // Links that are created in the same millisecond have no order.
  await sql(`UPDATE links SET "createdAt" = "createdAt" - interval '1 second'`);
  const { claimed, context } = await claimWithContext();
  expect(context).toMatchObject({ isToInvited: true, isStopped: false, isRevoked: false, hasOtherInvitation: false });
  const tokens = [];
  for (let count = 0; count < 9; count += 1) {
    const { link, linkUntil } = await mintLink(claimed, context);
    expect(linkUntil).toEqual(context.liveUntil);
    tokens.push(new URL(link).searchParams.get("token"));
  }
  for (const earlier of [token, ...tokens]) expect(await findByToken(earlier, "")).not.toBeNull();
  await mintLink(claimed, context);
  expect(await findByToken(token, "")).toBeNull();
  for (const newer of tokens) expect(await findByToken(newer, "")).not.toBeNull();
  // It has expired: only operations revoke links.
  expect(await sql(`SELECT FROM links WHERE "revokedAt" IS NOT NULL`)).toEqual([]);
});

const unsent = [providerUnavailable("ECONNREFUSED"), later("450"), failed("550"), superseded];

test.each(unsent)("a link whose attempt ended as %j displaces no link that people have", async (outcome) => {
  const { token } = await enqueue("invitation");
  const { claimed, context } = await claimWithContext();
  const links = [];
  for (let count = 0; count < 12; count += 1) {
    const { link, linkId } = await mintLink(claimed, context);
    await finish(claimed, outcome, "", linkId);
    links.push(link);
  }
  expect(await findByToken(token, "")).not.toBeNull();
  // The end of the last link may have been rounded up to the next millisecond.
  await sql("SELECT pg_sleep(0.01)");
  for (const link of links) expect(await findByToken(new URL(link).searchParams.get("token"), "")).toBeNull();
});

test("a link counts as live although a later one is revoked: concurrent reissues commit in any order", async () => {
  const { reference } = await enqueue("fresh-link");
  await reissueLink(reference, { expiresDays: 1, by: "Ops" });
  await sql(`UPDATE links SET "createdAt" = now() + interval '1 second' WHERE "revokedAt" IS NOT NULL`);
  expect(await contextOf(await claimOne())).toMatchObject({ isRevoked: false, liveUntil: expect.any(Date) });
});

const cancelled = { state: "cancelled", sentAt: ago(0) };

test.each<[string, boolean, Record<string, unknown>]>([
  ["waits", true, { state: "waiting" }],
  ["is being sent", true, { state: "sending" }],
  // A day after an invitation was due, less than a day has passed since it was sent.
  ["was sent almost a day ago", false, { state: "sent", sentAt: ago(86_340) }],
  ["was sent 19 hours ago", true, { state: "sent", sentAt: ago(19 * 3600) }],
  ["was sent ten minutes ago", true, { state: "sent", sentAt: ago(600) }],
  ["was cancelled after it was sent", true, { ...cancelled, error: "by Ines" }],
  ["went to a contact that was then corrected", false, { ...cancelled, error: "the contact was corrected" }],
])("whether a later invitation that %s holds back a reminder: %s", async (_, holdsBack, invitation) => {
  const { id } = await enqueue("reminder");
  const reminder = await claimOne();
  await insertMessage({ applicationId: id, kind: "invitation", recipient: email, ...invitation });
  expect(await contextOf(reminder)).toMatchObject({ hasOtherInvitation: holdsBack });
});

test("revocations, opt-outs and newer messages are read just before sending", async () => {
  const { id, reference } = await enqueue("reminder", { dueAt: ago(172_800) });
  await insertMessage({ applicationId: id, kind: "reminder", recipient: email, dueAt: ago(86_400) });
  const [first, second] = [await claimOne(), await claimOne()];
  expect(await contextOf(first)).toMatchObject({ hasOtherInvitation: false });
  expect(await contextOf(second)).toMatchObject({ hasOtherInvitation: true });
  await revokeLinks(reference, "Ops");
  expect(await contextOf(first)).toMatchObject({ isRevoked: true, liveUntil: null });
  await suppress("email", "Ada@landlord.example", "asked us", "Vera");
  expect(await contextOf(first)).toMatchObject({ isStopped: true });
  await sql(`UPDATE applications SET status = 'submitted', "submittedAt" = now() WHERE id = $1`, [id]);
  expect(await contextOf(first)).toMatchObject({ status: "submitted" });
  const what = "submission, revocation and opt-out are read before each";
  reportFigure(48, `of the reminders claimed after a week, only one may be sent; ${what}`);
});
