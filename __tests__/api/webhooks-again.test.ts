import { callCommand } from "@/__tests__/support/call-command";
import { freshDatabase } from "@/__tests__/support/database";
import { submitted } from "@/__tests__/support/submitted";
import { replay } from "@/lib/server/channels/webhooks/replay";
import { retryOnDeadlock } from "@/lib/server/db/errors";

const { operationsUrl, sql, blockedBy, untilWaiting } = freshDatabase();
const receiver = { WEBHOOK_URL: "https://lender.example/hooks", WEBHOOK_SECRET: `whsec_${"a".repeat(32)}` };
const run = (name: string, ...args: string[]) => callCommand(name, args, { DATABASE_URL: operationsUrl, ...receiver });
const list = async (...args: string[]) =>
  JSON.parse((await run("messages", "list", "--channel", "webhook", "--json", ...args)).out);
/** A week ago, since a run that begins before midnight may read after it. */
const again = [
  "retry",
  "--channel",
  "webhook",
  "--since",
  new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10),
];

interface Row {
  id: string;
  kind: string;
  state: string;
  attempts: number;
}
const messages = () =>
  sql<Row>(`SELECT id, kind, state, attempts FROM messages WHERE channel = 'webhook' ORDER BY "dueAt", number`);

const replayAll = () => retryOnDeadlock(() => replay({ since: null, type: null }, "Ines"));

let reference = "";
beforeAll(async () => {
  // This process has no WEBHOOK_URL, so opening and submitting the application enqueues no webhook.
  ({ reference } = await submitted());
  await run("status", reference, "in-review");
  await run("status", reference, "approved");
});
beforeEach(async () => {
  await sql("DELETE FROM messages WHERE kind <> 'application.status_changed'");
  await sql(`UPDATE messages SET state = 'waiting', attempts = 0, error = '', "firstDueAt" = NULL`);
});

test("the messages of a channel are listed", async () => {
  const status = { reference, kind: "application.status_changed", channel: "webhook", state: "waiting" };
  expect(await list()).toMatchObject([
    { ...status, detail: "approved" },
    { ...status, detail: "in-review" },
  ]);
});

test("a dry run counts and changes nothing", async () => {
  const before = await messages();
  const out = "2 existing messages would be sent with the original id, and 2 missing messages would be created.\n";
  expect(await run("messages", ...again, "--dry-run")).toMatchObject({ code: 0, out });
  expect(await messages()).toEqual(before);
});

test("a retry of webhooks since a day sends every event again in its order: old messages keep their id, missing ones are created once", async () => {
  await sql(`UPDATE messages SET state = 'sent', attempts = 3, error = 'HTTP 500' WHERE detail = 'in-review'`);
  const longAgo = `"firstDueAt" = now() - interval '9 days'`;
  await sql(`UPDATE messages SET state = 'failed', attempts = 10, ${longAgo} WHERE detail = 'approved'`);
  const before = await messages();
  const lock = "SELECT FROM messages WHERE channel = 'webhook' FOR UPDATE";
  const replayTwice = () => Promise.all([replayAll(), replayAll()]);
  await blockedBy(lock, [], replayTwice, () => untilWaiting(2));
  const after = await messages();
  const decisions = ["application.status_changed", "application.status_changed"];
  expect(after.map(({ kind }) => kind)).toEqual(["link.opened", "application.submitted", ...decisions]);
  const idsOf = (rows: Row[]) => rows.map(({ id }) => id).sort();
  expect(idsOf(after.slice(2))).toEqual(idsOf(before));
  expect(after.every(({ state, attempts }) => state === "waiting" && attempts === 0)).toBe(true);
  // firstDueAt is reset, since the alert about messages that wait too long would fire otherwise.
  expect(await sql(`SELECT FROM messages WHERE "firstDueAt" IS NOT NULL`)).toEqual([]);
  expect((await list()).map(({ state }: Row) => state)).toEqual(["waiting", "waiting", "waiting", "waiting"]);
});

test("a retry of webhooks skips messages that a worker is sending, and other types when one is named", async () => {
  await replayAll();
  await sql(`UPDATE messages SET state = 'sending' WHERE channel = 'webhook' AND kind = 'link.opened'`);
  await sql(`UPDATE messages SET state = 'sent' WHERE channel = 'webhook' AND kind <> 'link.opened'`);
  const { out } = await run("messages", ...again, "--type", "link.opened");
  expect(out).toMatch(/^0 existing .* 0 missing .* because they are being sent now: 1\.\n$/);
  expect((await messages()).map(({ state }) => state).sort()).toEqual(["sending", "sent", "sent", "sent"]);
});

test("a retry of webhooks also counts a message that a worker claims while the retry waits for it", async () => {
  await replayAll();
  const claimed = `UPDATE messages SET state = 'sending' WHERE channel = 'webhook' AND kind = 'link.opened'`;
  const replayed = await blockedBy(claimed, [], replayAll);
  expect(replayed).toEqual({ resent: 3, created: 0, beingSent: 1 });
});

test("the webhooks of an erased application stay", async () => {
  await replayAll();
  await run("person", "erase", reference);
  expect(await list()).toHaveLength(4);
});

test("a retry of webhooks without a receiver creates no message", async () => {
  const nowhere = { DATABASE_URL: operationsUrl, WEBHOOK_URL: "", WEBHOOK_SECRET: "" };
  const { code, err } = await callCommand("messages", again, nowhere);
  expect([code, err]).toEqual([1, "WEBHOOK_URL is not set: there is no receiver.\n"]);
});
