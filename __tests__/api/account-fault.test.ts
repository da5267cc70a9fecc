import type { SMTPServerOptions } from "smtp-server";
import { freshDatabase } from "@/__tests__/support/database";
import { refusal, startMailServer } from "@/__tests__/support/mail-server";
import { startReceiver } from "@/__tests__/support/receiver";
import { reportFigure } from "@/__tests__/support/size";
import { startSmsGateway } from "@/__tests__/support/sms-gateway";
import { until } from "@/__tests__/support/until";
import { judgeRefusal } from "@/lib/server/channels/account-fault";
import { startWorker } from "@/lib/server/delivery/worker";
import { readSettings, replaceSettings } from "@/lib/server/settings";

/** Shortens the wait for a paused channel from ten seconds to a tenth of a second. */
jest.mock("@/lib/server/outbox/outcome", () => ({
  ...jest.requireActual("@/lib/server/outbox/outcome"),
  outagePauseSeconds: 0.1,
}));

/** Promise 84: of 20 refusals that are the account's fault, at most so many fail for good. */
const maxFailed = 5;

const { sql, column, appUrl, insertRows } = freshDatabase();
beforeEach(async () => {
  await sql("DELETE FROM message_attempts; DELETE FROM messages; DELETE FROM suppressions");
  for (const channel of ["email", "sms", "webhook"] as const) judgeRefusal(channel, { state: "sent" });
});

/** Lets a worker try 20 messages on one channel, and counts the messages in each state. */
async function send20(channel: "email" | "sms" | "webhook", settings: Record<string, string>, isDone: () => boolean) {
  replaceSettings(readSettings({ ...process.env, SANDBOX_RECIPIENTS: "*", ...settings }));
  const recipients = {
    email: (n: number) => `p${n}@mail.example`,
    sms: (n: number) => `614123456${n}`,
    webhook: () => "",
  };
  const dueAt = new Date(Date.now() - 1000);
  const rows = Array.from({ length: 20 }, (_, n) => ({
    channel,
    kind: "test",
    recipient: recipients[channel](10 + n),
    dueAt,
  }));
  await insertRows("messages", rows);
  const worker = startWorker(appUrl, { spacingMs: 0 });
  await until(async () => isDone());
  await worker.stop();
  const states = await sql<{ state: string; count: number }>(
    "SELECT state, count(*)::int AS count FROM messages GROUP BY state",
  );
  return Object.fromEntries(states.map(({ state, count }) => [state, count]));
}

function expectFew(channel: string, { failed = 0 }: Record<string, number>): void {
  const isKept = failed <= maxFailed;
  reportFigure(84, `20 refusals for the account's fault by ${channel}: ${failed} messages failed`, isKept);
  expect(isKept).toBe(true);
}

/** Refuses every text. Counts the refusals. */
function refusing(reply: (to: string, n: number) => Error) {
  let count = 0;
  const onData: SMTPServerOptions["onData"] = (stream, { envelope }, callback) => {
    count += 1;
    const number = count;
    stream.resume().on("end", () => callback(reply(envelope.rcptTo[0]?.address ?? "", number)));
  };
  return { onData, count: () => count };
}

test.each<[string, (to: string, n: number) => Error]>([
  ["an unverified sender", (to) => refusal(554, `Message rejected: Email address is not verified: ${to}`)],
  ["a paused account", () => refusal(554, "Message rejected: Sending paused for this account")],
  ["a sender without rights", (to, n) => refusal(554, `5.2.252 SendAsDenied; ${to} [Hostname=SY4P${n}.example]`)],
])("%s does not burn a list of emails", async (_, reply) => {
  const { onData, count } = refusing(reply);
  const mail = await startMailServer({ onData });
  const states = await send20("email", { SMTP_URL: mail.url }, () => count() >= 9);
  await mail.stop();
  expectFew("email", states);
  expect(states.waiting).toBe(20 - (states.failed ?? 0));
});

test("a relay that refuses every recipient does not burn a list of emails", async () => {
  let count = 0;
  const onRcptTo: SMTPServerOptions["onRcptTo"] = ({ address }, _, callback) => {
    count += 1;
    callback(refusal(554, `5.7.1 <${address}>: Relay access denied`));
  };
  const mail = await startMailServer({ onRcptTo });
  const states = await send20("email", { SMTP_URL: mail.url }, () => count >= 9);
  await mail.stop();
  expectFew("email", states);
});

test.each([
  ["a country that the account may not send to", { code: 21408, message: "Permission has not been enabled" }],
  ["a gateway without codes", { error: "sender not registered" }],
])("%s does not burn a list of SMS", async (_, body) => {
  const gateway = await startSmsGateway();
  gateway.respondWith({ status: 400, body });
  const twilio = { SMS_PROVIDER: "twilio", SMS_FROM: "Lender", SMS_ACCOUNT: "AC1", SMS_SECRET: "token" };
  const states = await send20("sms", { ...twilio, SMS_URL: gateway.url }, () => gateway.requests.length >= 10);
  await gateway.stop();
  expectFew("SMS", states);
});

test("a receiver of webhooks that is gone does not burn them", async () => {
  const receiver = await startReceiver();
  receiver.respondWith((response) => response.writeHead(410).end());
  const webhook = { WEBHOOK_URL: receiver.url, WEBHOOK_SECRET: `whsec_${Buffer.alloc(24).toString("base64")}` };
  const states = await send20("webhook", webhook, () => receiver.requests.length >= 20);
  await receiver.stop();
  expectFew("webhook", states);
});

test("numbers that no SMS can reach fail, and those whose owners have opted out at the provider are recorded", async () => {
  const gateway = await startSmsGateway();
  gateway.respondWith({ status: 400, body: { code: 21610 } });
  const twilio = { SMS_PROVIDER: "twilio", SMS_FROM: "Lender", SMS_ACCOUNT: "AC1", SMS_SECRET: "token" };
  const states = await send20("sms", { ...twilio, SMS_URL: gateway.url }, () => gateway.requests.length >= 20);
  await gateway.stop();
  expect(states).toEqual({ failed: 20 });
  expect(await column("SELECT DISTINCT reason FROM suppressions")).toEqual(["opted out at the SMS provider"]);
  expect(await column("SELECT count(*)::int FROM suppressions")).toEqual([20]);
});

const failed = (error: string, isDeadAddress?: true) => ({ state: "failed", error, isDeadAddress }) as const;
const judge = (outcome: ReturnType<typeof failed>, reply: string) => judgeRefusal("email", outcome, { reply }).state;

test("different refusals, those of dead addresses and those with a success between are the messages' own", () => {
  const replies = ["full", "too large", "full", "too large", "full", "too large"];
  expect(replies.map((reply) => judge(failed("552"), reply))).toEqual(Array(6).fill("failed"));
  expect(replies.map(() => judge(failed("550 5.1.1", true), "no such user"))).toEqual(Array(6).fill("failed"));
  for (let n = 0; n < 3; n += 1) {
    expect([judge(failed("554"), "spam"), judge(failed("554"), "spam")]).toEqual(["failed", "failed"]);
    judgeRefusal("email", { state: "sent" });
  }
});

test("a dead address among the refusals of an account does not hide them", () => {
  const states = [judge(failed("554"), "a@x.example not verified"), judge(failed("550 5.1.1", true), "no such user")];
  states.push(judge(failed("554"), "b@y.example not verified"), judge(failed("554"), "c@z.example not verified"));
  expect(states).toEqual(["failed", "failed", "failed", "later"]);
});
