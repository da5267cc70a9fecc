import { createHash, createHmac, randomUUID } from "node:crypto";
import { freshDatabase } from "@/__tests__/support/database";
import { lines, logged } from "@/__tests__/support/log-lines";
import { post } from "@/__tests__/support/post";
import { claimOne, finish } from "@/__tests__/support/sending";
import { DELETE, GET, PATCH, POST, PUT } from "@/app/api/webhooks/sms/route";
import type { SmsSettings } from "@/lib/server/channels/sms/adapter";
import { twilio } from "@/lib/server/channels/sms/twilio";
import { readSettings, replaceSettings } from "@/lib/server/settings";

const secret = "sixteen-letters-of-it";
const appUrl = "https://apply.example";

const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded" };

/** Builds a call as each provider sends it, with its signature or key. */
const calls = {
  generic(fields: object) {
    const raw = JSON.stringify(fields);
    const signature = `sha256=${createHmac("sha256", secret).update(raw).digest("hex")}`;
    return { raw, headers: { ...json, "x-signature": signature } };
  },
  twilio(fields: Record<string, string>, query = "") {
    const raw = new URLSearchParams(fields).toString();
    const all = Object.keys(fields)
      .sort()
      .map((name) => name + fields[name]);
    const signed = `${appUrl}/api/webhooks/sms${query}${all.join("")}`;
    const signature = createHmac("sha1", "token").update(signed).digest("base64");
    return { raw, query, headers: { ...form, "x-twilio-signature": signature } };
  },
  clicksend: (fields: Record<string, string>) => ({
    raw: new URLSearchParams(fields).toString(),
    query: `?key=${secret}`,
    headers: form,
  }),
  messagemedia: (fields: object) => ({ raw: JSON.stringify(fields), query: `?key=${secret}`, headers: json }),
};

interface Call {
  raw: string;
  query?: string;
  headers: Record<string, string>;
}

/** For each provider: reports of a delivered, a failed and a pending message, a reply, and a report with our own ID. */
const providerCalls = {
  generic: {
    delivered: (id: string) => calls.generic({ id, state: "delivered" }),
    failed: (id: string) => calls.generic({ id, state: "failed" }),
    error: "not delivered",
    onItsWay: (id: string) => calls.generic({ id, state: "sent" }),
    reply: (text: string) => calls.generic({ from: "+61412345678", text }),
    ofOurs: (own: string) => calls.generic({ id: own, state: "delivered" }),
  },
  twilio: {
    delivered: (id: string) => calls.twilio({ MessageSid: id, MessageStatus: "delivered", To: "+61412345678" }),
    failed: (id: string) => calls.twilio({ MessageSid: id, MessageStatus: "undelivered", ErrorCode: "30003" }),
    error: "not delivered 30003",
    onItsWay: (id: string) => calls.twilio({ MessageSid: id, MessageStatus: "sent" }),
    reply: (Body: string) => calls.twilio({ MessageSid: "SM9", SmsStatus: "received", From: "+61412345678", Body }),
    ofOurs: (own: string) => calls.twilio({ MessageSid: "theirs", MessageStatus: "delivered" }, `?message=${own}`),
  },
  clicksend: {
    delivered: (id: string) => calls.clicksend({ message_id: id, status_code: "201", status_text: "Success" }),
    failed: (id: string) => calls.clicksend({ message_id: id, status_code: "301", error_code: "305" }),
    error: "not delivered 305",
    onItsWay: (id: string) => calls.clicksend({ message_id: id, status_code: "300" }),
    reply: (body: string) => calls.clicksend({ message_id: "R1", from: "+61412345678", body, to: "+61400000000" }),
    ofOurs: (own: string) => calls.clicksend({ message_id: "theirs", custom_string: own, status_code: "201" }),
  },
  messagemedia: {
    delivered: (id: string) => calls.messagemedia({ message_id: id, status: "delivered", error_code: "220" }),
    failed: (id: string) => calls.messagemedia({ message_id: id, status: "expired", error_code: "401" }),
    error: "not delivered 401",
    onItsWay: (id: string) => calls.messagemedia({ message_id: id, status: "enroute" }),
    reply: (content: string) =>
      calls.messagemedia({ reply_id: "R1", message_id: "M1", source_number: "+61412345678", content }),
    ofOurs: (own: string) =>
      calls.messagemedia({ message_id: "theirs", status: "delivered", metadata: { message: own } }),
  },
};

process.env.LOG_LEVEL = "debug";
const { sql, insertMessage, blockedBy, withoutTable } = freshDatabase();

jest.mock("pino", () => require("@/__tests__/support/log-lines").pinoMock);

/** Configures a production process that sends by this provider, or by none. */
function setUp(SMS_PROVIDER: SmsSettings["provider"] | undefined, SMS_REPORT_SECRET: string | undefined = secret) {
  const account = { SMS_FROM: "Lender", SMS_ACCOUNT: "SID", SMS_SECRET: "token", SMS_URL: "https://sms.example" };
  const sms = SMS_PROVIDER && { SMS_PROVIDER, SMS_REPORT_SECRET, ...account };
  replaceSettings({ ...readSettings({ ...process.env, ...sms }), appUrl: "https://apply.example" });
}

const report = ({ raw, query = "", headers }: Call) =>
  post(POST, undefined, { path: `/api/webhooks/sms${query}`, raw, headers });

async function sms(state = "sent", providerId = "", channel = "sms"): Promise<string> {
  const sent = { kind: "invitation", recipient: "61412345678", sentAt: state === "sending" ? null : new Date() };
  return (await insertMessage({ ...sent, channel, state, providerId })).id;
}

const stored = async (id: string) =>
  (await sql(`SELECT state, error, "providerId" FROM messages WHERE id = $1`, [id]))[0];

const everything = () => sql("SELECT * FROM messages ORDER BY number");
const suppressions = () => sql(`SELECT channel, "addressHash", reason, by FROM suppressions`);
const hash = (digits: string) => createHash("sha256").update(`sms:${digits}`).digest("hex");

beforeEach(() => sql("DELETE FROM messages; DELETE FROM suppressions"));

describe.each(Object.entries(providerCalls))("a report of %s", (provider, samples) => {
  beforeEach(() => setUp(provider as SmsSettings["provider"]));

  test("a report moves a message forward", async () => {
    const arrived = await sms("sent", "one");
    const lost = await sms("sent", "two");
    expect(await report(samples.delivered("one"))).toMatchObject({ status: 200, body: { success: true } });
    expect((await report(samples.failed("two"))).status).toBe(200);
    expect(await stored(arrived)).toEqual({ state: "delivered", error: "", providerId: "one" });
    expect(await stored(lost)).toEqual({ state: "failed", error: samples.error, providerId: "two" });
  });

  test.each(["delivered", "failed", "waiting", "cancelled"])("a report leaves what is %s as it is", async (state) => {
    const id = await sms(state, "one");
    for (const call of [samples.delivered("one"), samples.failed("one")]) expect((await report(call)).status).toBe(200);
    expect(await stored(id)).toEqual({ state, error: "", providerId: "one" });
  });

  test("a report does not change a message whose number was erased", async () => {
    const id = await sms();
    await sql("UPDATE messages SET recipient = ''");
    expect((await report(samples.ofOurs(id))).status).toBe(200);
    expect(await stored(id)).toEqual({ state: "sent", error: "", providerId: "" });
  });

  test.each(["unknown", "sending"])("a report settles what is %s, by the id that it was sent with", async (state) => {
    const [id, other] = [await sms(state), await sms(state)];
    expect((await report(samples.ofOurs(id))).status).toBe(200);
    const providerId = provider === "generic" ? "" : "theirs";
    expect(await stored(id)).toEqual({ state: "delivered", error: "", providerId });
    expect(await stored(other)).toMatchObject({ state });
  });

  test("a report counts if it comes while the provider's response to the attempt is being recorded", async () => {
    const id = await sms("sending");
    const recording = `UPDATE messages SET state = 'sent', "sentAt" = now(), "providerId" = 'theirs' WHERE id = $1`;
    expect((await blockedBy(recording, [id], () => report(samples.ofOurs(id)))).status).toBe(200);
    expect(await stored(id)).toEqual({ state: "delivered", error: "", providerId: "theirs" });
  });

  test("a report that names an unknown message, or says that a message is on its way, changes nothing", async () => {
    await sms("sent", "one");
    await sms("unknown");
    await sms("sent", "nobody's", "email");
    const before = await everything();
    const unknownId = randomUUID();
    const calls = ["nobody's", "", " ", "one'--", "x".repeat(300), unknownId].map((id): Call => samples.delivered(id));
    for (const call of [...calls, samples.onItsWay("one"), samples.ofOurs(unknownId)])
      expect(await report(call)).toMatchObject({ status: 200, body: { success: true } });
    expect(await everything()).toEqual(before);
  });

  test("the reply STOP is stored once, as the hash of the number", async () => {
    for (const text of ["STOP", " stop. ", "Stop"]) expect((await report(samples.reply(text))).status).toBe(200);
    expect(await suppressions()).toEqual([
      { channel: "sms", addressHash: hash("61412345678"), reason: "a reply to an SMS", by: "" },
    ]);
  });

  test("any other reply is not stored", async () => {
    for (const text of ["Thank you", "please stop by", ""])
      expect((await report(samples.reply(text))).status).toBe(200);
    expect(await suppressions()).toEqual([]);
  });

  test("a report that is unsigned, or was changed in transit, gets 401 and changes nothing", async () => {
    const id = await sms("sent", "one");
    const call = samples.delivered("one");
    const { "content-type": type = "", ...signature } = call.headers;
    const isSigned = Object.keys(signature).length > 0;
    const withoutKey = ["", `?key=${secret}x`].map((query) => ({ ...call, query }));
    const signedOtherwise = [
      { ...call, headers: { "content-type": type } },
      { ...samples.delivered("two"), headers: call.headers },
    ];
    for (const wrong of isSigned ? signedOtherwise : withoutKey) {
      const { status, body } = await report(wrong);
      expect([status, body]).toEqual([401, { success: false, message: "The signature is invalid" }]);
    }
    expect(await stored(id)).toMatchObject({ state: "sent" });
  });

  test("a call writes one log line, without the number, the text or the secret", async () => {
    await sms("sent", "one");
    lines.length = 0;
    const replies = [samples.reply("STOP"), samples.reply("I am Canaria")];
    const reports = [...replies, samples.delivered("one"), { ...samples.failed("one"), raw: "{}" }];
    for (const call of reports) await report(call);
    expect(logged().map(({ call }) => call)).toEqual(reports.map(() => "sms-report"));
    expect(lines.join("")).not.toMatch(/61412345678|Canaria|STOP|sixteen-letters/);
  });
});

test("the hexadecimal digits of a gateway's signature may be in either case", async () => {
  setUp("generic");
  const id = await sms("sent", "one");
  const { raw, headers } = calls.generic({ id: "one", state: "delivered" });
  const [, digits = ""] = headers["x-signature"].split("=");
  const upper = { ...headers, "x-signature": `sha256=${digits.toUpperCase()}` };
  expect((await report({ raw, headers: upper })).status).toBe(200);
  expect(await stored(id)).toMatchObject({ state: "delivered" });
});

test("Twilio's signature covers the address that it called", async () => {
  setUp("twilio");
  const id = await sms("unknown");
  const call = providerCalls.twilio.ofOurs(randomUUID());
  expect((await report({ ...call, query: `?message=${id}` })).status).toBe(401);
  expect(await stored(id)).toMatchObject({ state: "unknown" });
});

test("Twilio's signature is that of its own example", () => {
  const caller = { CallSid: "CA1234567890ABCDE", Caller: "+12349013030" };
  const fields = { ...caller, Digits: "1234", From: "+12349013030", To: "+18005551212" };
  const call = {
    url: new URL("https://mycompany.com/myapp.php?foo=1&bar=2"),
    headers: new Headers({ "x-twilio-signature": "0/KCTR6DLpKmkAf8muzZqo1nDgQ=" }),
    body: new Uint8Array(),
    fields,
  };
  expect(twilio.isGenuine(call, "12345")).toBe(true);
  expect(twilio.isGenuine({ ...call, fields: { ...fields, Digits: "1235" } }, "12345")).toBe(false);
});

const withDialCode = [expect.objectContaining({ addressHash: hash("61400100200") })];

test.each([
  ...["0400 100 200", "0061 400 100 200", "0011 61 400 100 200", "+61 400 100 200", "+61 (0)400 100 200"],
  ...["61400100200", 61400100200, 400100200],
])("a STOP is stored under the number with its dial code: %j", async (from) => {
  setUp("generic");
  expect((await report(calls.generic({ from, text: "STOP" }))).status).toBe(200);
  expect(await suppressions()).toEqual(withDialCode);
});

test.each(["", "WattleLane", "\0", "12345", null, undefined, ["61400100200"]])(
  "a STOP that comes from no number is refused, so that it is not lost: %j",
  async (from) => {
    setUp("generic");
    expect((await report(calls.generic({ from, text: "STOP" }))).status).toBe(422);
    expect(await suppressions()).toEqual([]);
  },
);

test("a reply that Twilio recognises as an opt-out counts, whatever its words are", async () => {
  setUp("twilio");
  const reply = { SmsStatus: "received", From: "+61400100200", Body: "Basta" };
  for (const OptOutType of ["HELP", "START"])
    expect((await report(calls.twilio({ ...reply, OptOutType }))).status).toBe(200);
  expect(await suppressions()).toEqual([]);
  expect((await report(calls.twilio({ ...reply, OptOutType: "STOP" }))).status).toBe(200);
  expect(await suppressions()).toEqual(withDialCode);
});

test("a report that Twilio has blocked an SMS because of an opt-out records it", async () => {
  setUp("twilio");
  await sms("sent", "one");
  const call = calls.twilio({ MessageSid: "one", MessageStatus: "failed", ErrorCode: "21610" });
  expect((await report(call)).status).toBe(200);
  expect(await suppressions()).toEqual([expect.objectContaining({ addressHash: hash("61412345678") })]);
});

test.each([{}, { from: "61412345678" }, { from: "61412345678", text: 1 }])(
  "a call with %j is not a reply",
  async (fields) => {
    setUp("generic");
    expect((await report(calls.generic(fields))).status).toBe(200);
    expect(await suppressions()).toEqual([]);
  },
);

describe("the call", () => {
  test.each([
    ["for generic without a secret", "generic", ""],
    ["for clicksend without a secret", "clicksend", ""],
    ["for messagemedia without a secret", "messagemedia", ""],
    ["without a provider", undefined, secret],
  ] as const)("the call does not exist %s", async (_, provider, reportSecret) => {
    setUp(provider, reportSecret);
    const { status, body } = await report(providerCalls[provider ?? "generic"].delivered("one"));
    expect([status, body]).toEqual([404, { success: false, message: "There is no such endpoint" }]);
  });

  test.each([
    ["of another site", 403, { headers: { "sec-fetch-site": "cross-site" } }],
    ["as plain text", 415, { headers: { "content-type": "text/plain" } }],
    ["as malformed JSON", 400, { raw: '{"id":' }],
    ["as a list", 400, { raw: "[]" }],
    ["of more than 32 kB", 413, { raw: JSON.stringify({ id: "x".repeat(33 * 1024) }) }],
    ["as a form of more than 32 kB", 413, { raw: "x".repeat(33 * 1024), headers: form }],
    ["that announces more than it may send", 413, { headers: { "content-length": "40000" } }],
    ["without a signature", 401, {}],
  ])("a request %s gets %d in the envelope", async (_, expected, sent) => {
    setUp("generic");
    const { status, body, headers } = await post(POST, { id: "one" }, sent);
    expect(status).toBe(expected);
    expect(body).toEqual({ success: false, message: expect.any(String) });
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each(Object.entries({ GET, PUT, PATCH, DELETE }))("%s gets 405", async (method, handler) => {
    const { status, headers } = await post(handler, {}, { method });
    expect([status, headers.get("allow")]).toEqual([405, "POST"]);
  });

  test("the call accepts fields that are named like properties of every object", async () => {
    setUp("messagemedia");
    for (const name of ["constructor", "toString", "__proto__"])
      expect((await report(calls.messagemedia({ message_id: "one", status: name }))).status).toBe(200);
  });

  test("many wrong signatures end in 429, but a genuine report from the same address is accepted", async () => {
    setUp("clicksend");
    const id = await sms("sent", "one");
    const call = providerCalls.clicksend.delivered("one");
    const headers = { ...call.headers, "x-forwarded-for": "198.51.100.9" };
    const statuses: number[] = [];
    for (let n = 0; n < 22; n += 1) statuses.push((await report({ ...call, headers, query: `?key=${n}` })).status);
    expect(statuses).toEqual([...Array(20).fill(401), 429, 429]);
    expect((await report({ ...call, headers })).status).toBe(200);
    expect(await stored(id)).toMatchObject({ state: "delivered" });
  });

  test("the call returns 503 if the database cannot be reached, so that the provider retries", async () => {
    setUp("generic");
    const { status, headers } = await withoutTable("messages", () => report(providerCalls.generic.delivered("one")));
    expect(status).toBe(503);
    expect(headers.get("retry-after")).not.toBeNull();
  });
});

/** A report that the first attempt to send a message has failed. */
const firstFailed = (id: string) =>
  calls.twilio({ MessageSid: "one", MessageStatus: "undelivered", ErrorCode: "30003" }, `?message=${id}`);

test("a report about the first attempt does not change an SMS whose second attempt ends meanwhile", async () => {
  setUp("twilio");
  const id = await sms("unknown");
  const second = `UPDATE messages SET state = 'sent', "providerId" = 'two' WHERE id = $1`;
  expect((await blockedBy(second, [id], () => report(firstFailed(id)))).status).toBe(200);
  expect(await stored(id)).toMatchObject({ state: "sent", providerId: "two" });
});

test.each([
  ["while it is sent again", "sending", ""],
  ["that was sent again", "sent", "two"],
])("a late report about the first attempt does not change an SMS %s", async (_, state, providerId) => {
  setUp("twilio");
  const id = await sms(state, providerId);
  await sql(`UPDATE messages SET "sentAt" = now() WHERE id = $1`, [id]);
  expect((await report(firstFailed(id))).status).toBe(200);
  expect(await stored(id)).toEqual({ state, error: "", providerId });
});

test("a report settles an SMS whose second attempt got no response, although the first had an id of the provider", async () => {
  setUp("twilio");
  const id = await sms("waiting", "one");
  await finish(await claimOne("sms"), { state: "unknown", error: "no response" }, "");
  expect((await report(providerCalls.twilio.ofOurs(id))).status).toBe(200);
  expect(await stored(id)).toEqual({ state: "delivered", error: "", providerId: "theirs" });
});
