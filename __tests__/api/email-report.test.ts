import { createHmac } from "node:crypto";
import { address, bounceHelpers, mobile } from "@/__tests__/support/bounces";
import { freshDatabase } from "@/__tests__/support/database";
import { post } from "@/__tests__/support/post";
import { POST } from "@/app/api/webhooks/email/route";
import { readSettings, replaceSettings } from "@/lib/server/settings";

const secret = "sixteen-letters-of-it";
const database = freshDatabase();
const { sql } = database;
const { emailed, stateOf, reasons } = bounceHelpers(database);

function setUp(EMAIL_REPORT_SECRET?: string) {
  const sms = { SMS_PROVIDER: "generic", SMS_URL: "https://sms.example", SMS_FROM: "Lender" };
  const env = { ...process.env, SMTP_URL: "smtp://mail.example", ...sms };
  replaceSettings(readSettings(EMAIL_REPORT_SECRET ? { ...env, EMAIL_REPORT_SECRET } : env));
}
beforeEach(() => setUp(secret));

function report(fields: object, key = secret) {
  const raw = JSON.stringify(fields);
  const signature = `sha256=${createHmac("sha256", key).update(raw).digest("hex")}`;
  const headers = { "content-type": "application/json", "x-signature": signature };
  return post(POST, undefined, { path: "/api/webhooks/email", raw, headers });
}

test("a bounce by our Message-ID stops the address, and the mobile gets one SMS", async () => {
  const { id } = await emailed();
  for (const _ of [1, 2])
    expect(await report({ id: `<${id}@lender.example>`, state: "bounced", reason: "550 5.1.1 No" })).toMatchObject({
      status: 200,
      body: { success: true },
    });
  expect(await stateOf(id)).toEqual({ state: "failed", error: "bounced 5.1.1" });
  expect(await reasons()).toEqual(["bounced 5.1.1"]);
  const sms = await sql("SELECT recipient FROM messages WHERE channel = 'sms'");
  expect(sms).toEqual([{ recipient: mobile }]);
});

test.each([
  ["a bounce without a reason", "bounced", undefined, "bounced", ["bounced"]],
  ["a bounce whose reason is a blocklist", "bounced", "550 5.7.1 blocked", "undelivered 5.7.1", []],
  ["a delivery that was given up", "undelivered", "4.4.7 expired", "undelivered 4.4.7", []],
])("%s by the id that the mail server returned counts", async (_, state, reason, error, suppressed) => {
  const { id } = await emailed();
  await sql(`UPDATE messages SET "providerId" = '0102-given-by-ses' WHERE id = $1`, [id]);
  expect((await report({ id: "0102-given-by-ses", state, reason })).status).toBe(200);
  expect(await stateOf(id)).toEqual({ state: "failed", error });
  expect(await reasons()).toEqual(suppressed);
});

test("a complaint opts the address out", async () => {
  const { id } = await emailed(address);
  expect((await report({ id, state: "complained" })).status).toBe(200);
  expect(await stateOf(id)).toEqual({ state: "sent", error: "" });
  expect(await reasons()).toEqual(["a complaint"]);
});

test.each([
  ["an unknown state", { state: "delivered" }, secret, 422],
  ["no id", { id: "", state: "bounced" }, secret, 422],
  ["another's id", { id: "nobody@x", state: "bounced" }, secret, 200],
  ["a wrong signature", { state: "bounced" }, "another secret of theirs", 401],
])("a report with %s changes nothing", async (_, fields, key, status) => {
  const { id } = await emailed();
  expect((await report({ id, ...fields }, key)).status).toBe(status);
  expect(await stateOf(id)).toEqual({ state: "sent", error: "" });
});

test("without a secret the call does not exist", async () => {
  setUp();
  expect((await report({ id: "x", state: "bounced" })).status).toBe(404);
});
