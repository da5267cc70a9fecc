import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { GET, POST } from "@/app/api/messages/stop/route";
import { prisma } from "@/lib/server/db/client";
import { addressHash, hasOptedOut } from "@/lib/server/outbox/reachability";
import {
  cancelSuppressed,
  makeStopCode,
  removeSuppression,
  stopHash,
  suppress,
  suppressDeadAddress,
  suppressionOf,
} from "@/lib/server/outbox/suppressions";

const { sql, countRows, insertMessage, blockedBy } = freshDatabase();

/** Inserts a message that was sent, and returns the opt-out code in it. */
async function insertSent(recipient: string, channel = "email") {
  const { id } = await invited();
  const code = makeStopCode();
  const message = await insertMessage({ applicationId: id, kind: "invitation", channel, recipient, state: "sent" });
  await sql(`INSERT INTO message_attempts ("messageId", "stopHash") VALUES ($1, $2)`, [message.id, stopHash(code)]);
  return { id, code };
}

const waiting = async (id: string) => {
  const rows = await sql(`SELECT kind, recipient FROM messages WHERE "applicationId" = $1 AND state = 'waiting'`, [id]);
  return rows.map(({ kind, recipient }) => `${kind} to ${recipient}`).sort();
};

const optOut = (code: string, sent: { raw?: BodyInit; headers?: Record<string, string> } = {}) =>
  post(POST, {}, { path: `/api/messages/stop?code=${encodeURIComponent(code)}`, ...sent });

test("the recipient of an invitation opts out, and reminders that wait for that address are cancelled", async () => {
  const { id, code } = await insertSent("Grace@Example.com");
  const reminder = { applicationId: id, kind: "reminder", recipient: "grace@example.com" };
  for (const other of [{}, { kind: "confirmation" }, { recipient: "other@example.com" }, { channel: "sms" }])
    await insertMessage({ ...reminder, ...other });
  const accepted = { success: true, message: "We won't send you any more invitations or reminders." };
  const { status, body } = await optOut(code);
  expect([status, body]).toEqual([200, accepted]);
  const suppression = { reason: "opted out through a message", by: "" };
  expect(await suppressionOf("email", "grace@example.COM")).toMatchObject(suppression);
  expect(await suppressionOf("sms", "grace@example.com")).toBeNull();
  expect(await waiting(id)).toEqual([
    "confirmation to grace@example.com",
    "reminder to grace@example.com",
    "reminder to other@example.com",
  ]);
  expect(await sql(`SELECT error FROM messages WHERE state = 'cancelled'`)).toEqual([{ error: "stopped" }]);
});

test("a mail program's own button posts a form", async () => {
  const { code } = await insertSent("button@example.com");
  const form = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "cross-site" };
  expect((await optOut(code, { raw: "List-Unsubscribe=One-Click", headers: form })).status).toBe(200);
  expect(await suppressionOf("email", "button@example.com")).not.toBeNull();
});

test("an unknown, used, erased or missing code, or that of a webhook, gets the same response and suppresses no other recipient", async () => {
  const { code } = await insertSent("again@example.com");
  const { code: erased } = await insertSent("");
  const { code: webhook } = await insertSent("https://receiver.example/", "webhook");
  const before = await countRows("suppressions");
  const responses = [];
  for (const tried of [code, code, erased, webhook, makeStopCode(), "", "x".repeat(4000), "\0"]) {
    const { status, body, headers } = await optOut(tried);
    responses.push(JSON.stringify([status, body, headers.get("cache-control")]));
  }
  expect(new Set(responses).size).toBe(1);
  expect(await countRows("suppressions")).toBe(before + 1);
});

test("an opt-out of a_b@example.com does not cancel a reminder to axb@example.com", async () => {
  const { id } = await invited();
  for (const recipient of ["a_b@example.com", "axb@example.com"])
    await insertMessage({ applicationId: id, kind: "reminder", recipient });
  expect(await suppress("email", "A_B@example.com", "", "Vera")).toEqual({ isNew: true, cancelled: 1 });
  expect(await waiting(id)).toEqual(["reminder to axb@example.com"]);
});

test("nothing is cancelled for an address that is not suppressed", async () => {
  const { id } = await invited();
  await insertMessage({ applicationId: id, kind: "reminder", recipient: "free@example.com" });
  await suppress("email", "other@example.com", "", "Vera");
  expect(await cancelSuppressed("email", "free@example.com")).toBe(0);
  expect(await waiting(id)).toEqual(["reminder to free@example.com"]);
});

test("an opt-out is found in a list of any length", async () => {
  const channel = "email" as const;
  const contacts = Array.from({ length: 40_000 }, (_, n) => ({ channel, recipient: `n${n}@example.com` }));
  expect(await hasOptedOut(prisma(), contacts)).toBe(false);
  await suppress("email", "n39999@example.com", "asked us", "Vera");
  expect(await hasOptedOut(prisma(), contacts)).toBe(true);
});

test("a bounce is not recorded for an address that has opted out", async () => {
  const address = "both@example.com";
  await suppress("email", address, "asked us", "Vera");
  await suppressDeadAddress(prisma(), { applicationId: null, kind: "status", recipient: address }, "5.1.1");
  const stored = await sql(`SELECT by FROM suppressions WHERE "addressHash" = $1`, [addressHash("email", address)]);
  expect(stored).toEqual([{ by: "Vera" }]);
});

test("a large body is refused", async () => {
  const { code } = await insertSent("large@example.com");
  expect((await optOut(code, { raw: "x".repeat(40_000) })).status).toBe(413);
});

test("opening the one-click address opts nobody out: it leads to the page with the button", async () => {
  const { code } = await insertSent("scanner@example.com");
  const response = GET(new Request(`http://localhost/api/messages/stop?code=${code}`));
  expect([response.status, response.headers.get("location")]).toEqual([303, `/stop?code=${code}`]);
  expect(await suppressionOf("email", "scanner@example.com")).toBeNull();
});

test("no call can remove a suppression: the app's database user may not", async () => {
  await suppress("email", "never@example.com", "", "");
  await expect(removeSuppression("email", "never@example.com")).rejects.toThrow("permission denied");
});

// The row is inserted even if there is an opt-out.
test("an opt-out that arrives while an earlier one of the same person is removed counts", async () => {
  const number = "61400111444";
  await suppress("sms", number, "replied STOP", "");
  const removal = `DELETE FROM suppressions WHERE "addressHash" = $1`;
  await blockedBy(removal, [addressHash("sms", number)], () => suppress("sms", number, "replied STOP", ""));
  expect(await suppressionOf("sms", number)).toMatchObject({ reason: "replied STOP" });
});
