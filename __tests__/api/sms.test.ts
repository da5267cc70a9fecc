import { startSmsGateway } from "@/__tests__/support/sms-gateway";
import type { sendSms as SendSms } from "@/lib/server/messages/sms/send-sms";

type Gateway = Awaited<ReturnType<typeof startSmsGateway>>;

const id = "3f0c7a52-1d1e-4c57-9f5e-0b1a2c3d4e5f";
const message = { id, to: "61412345678", text: "Hello" };
const basic = `Basic ${Buffer.from("the-account:the-secret").toString("base64")}`;
const production = {
  APP_URL: "https://apply.example",
  SMS_FROM: "Lender",
  SMS_ACCOUNT: "the-account",
  SMS_SECRET: "the-secret",
  SMS_REPORT_SECRET: "sixteen-letters-of-it",
};

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startSmsGateway();
});
afterAll(() => gateway.end());

/** `sendSms` of a process with these settings, which are read once. */
async function sender(settings: Record<string, string>): Promise<typeof SendSms> {
  const before = { ...process.env };
  Object.assign(process.env, { SMS_URL: gateway.url, ...settings });
  let found: typeof SendSms | undefined;
  await jest.isolateModulesAsync(async () => {
    found = (await import("@/lib/server/messages/sms/send-sms")).sendSms;
    const { currentSettings } = await import("@/lib/server/env");
    currentSettings();
  });
  process.env = before;
  if (!found) throw new Error("Not loaded");
  return found;
}

const providers = {
  twilio: { accepted: { status: 201, body: { sid: "SM12", status: "queued", error_code: null } }, id: "SM12" },
  clicksend: {
    accepted: { body: { response_code: "SUCCESS", data: { messages: [{ status: "SUCCESS", message_id: "BF-1" }] } } },
    id: "BF-1",
  },
  messagemedia: {
    accepted: { status: 202, body: { messages: [{ message_id: "877c19ef", status: "queued" }] } },
    id: "877c19ef",
  },
  generic: { accepted: { body: { id: 4711 } }, id: "4711" },
};

describe.each(Object.entries(providers))("By %s a text", (provider, { accepted, id: providerId }) => {
  let sendSms: typeof SendSms;
  beforeAll(async () => {
    sendSms = await sender({ ...production, SMS_PROVIDER: provider });
  });

  test("that was taken is sent, under the provider's id", async () => {
    gateway.answers(accepted);
    expect(await sendSms(message)).toEqual({ state: "sent", providerId });
    expect(gateway.asked).toHaveLength(1);
    expect(gateway.asked[0]).toMatchObject({ method: "POST" });
  });

  test.each([
    ["that is refused is failed", { status: 400 }, { state: "failed", error: "HTTP 400" }],
    ["of a wrong account waits", { status: 401 }, { state: "away", error: "HTTP 401" }],
    ["of an account without credit waits", { status: 402 }, { state: "away", error: "HTTP 402" }],
    ["on a limited account waits", { status: 429 }, { state: "away", error: "HTTP 429" }],
    [
      "waits as long as it is told",
      { status: 429, headers: { "retry-after": "120" } },
      { state: "later", error: "HTTP 429", afterSeconds: 120 },
    ],
    ["waits while the provider is closed", { status: 503 }, { state: "away", error: "HTTP 503" }],
    [
      "waits until the time it is told",
      { status: 503, headers: { "retry-after": new Date(Date.now() + 3600_000).toUTCString() } },
      { state: "later", error: "HTTP 503", afterSeconds: expect.any(Number) },
    ],
    ["may be sent where the provider broke down", { status: 500 }, { state: "unknown", error: "HTTP 500" }],
    ["may be sent where something between broke down", { status: 502 }, { state: "unknown", error: "HTTP 502" }],
    [
      "waits where the address has moved; the account's secret is not sent along",
      { status: 302, headers: { location: "/elsewhere" } },
      { state: "away", error: "HTTP 302" },
    ],
  ])("%s", async (_, answer, expected) => {
    gateway.answers(answer);
    expect(await sendSms(message)).toEqual(expected);
    expect(gateway.asked).toHaveLength(1);
  });

  test("whose answer was dropped may be sent, and is not sent again", async () => {
    gateway.answers("drop");
    expect(await sendSms(message)).toEqual({ state: "unknown", error: "UND_ERR_SOCKET" });
    expect(gateway.asked).toHaveLength(1);
  });

  test("without an answer may be sent, and is not sent again", async () => {
    gateway.answers("stall");
    jest.useFakeTimers({ doNotFake: ["performance", "nextTick", "queueMicrotask", "setImmediate"] });
    try {
      const asked = gateway.isAsked();
      const outcome = sendSms(message);
      await asked;
      await jest.advanceTimersByTimeAsync(12_000);
      expect(await outcome).toEqual({ state: "unknown", error: "no answer" });
    } finally {
      jest.useRealTimers();
    }
    expect(gateway.asked).toHaveLength(1);
  });

  test.each([
    ["in another country", { to: "6421345678" }, "country not allowed"],
    ["of three segments", { text: "a".repeat(307) }, "3 segments"],
    ["of three segments in UCS-2", { text: "李".repeat(135) }, "3 segments"],
  ])("%s is failed, and the provider not asked", async (_, changed, error) => {
    gateway.answers(accepted);
    expect(await sendSms({ ...message, ...changed })).toEqual({ state: "failed", error });
    expect(gateway.asked).toEqual([]);
  });

  test("is sent in letters that leave room", async () => {
    gateway.answers(accepted);
    await sendSms({ ...message, text: "Nguyễn’s" });
    expect(decodeURIComponent(gateway.asked[0]?.body ?? "")).toContain("Nguyen's");
  });

  test("waits while nobody listens there, or the host is not found", async () => {
    const nobody = await startSmsGateway();
    await nobody.end();
    for (const [url, code] of [
      [nobody.url, "ECONNREFUSED"],
      ["http://nobody.invalid", expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/)],
    ]) {
      const sendElsewhere = await sender({ ...production, SMS_PROVIDER: provider, SMS_URL: url });
      expect(await sendElsewhere(message)).toEqual({ state: "away", error: code });
    }
  });
});

describe("An answer of 2xx", () => {
  test.each([
    ["twilio", { body: "<html>" }, { state: "unknown", error: "answer not understood" }],
    ["twilio", "cut", { state: "unknown", error: "answer not understood" }],
    [
      "twilio",
      { status: 201, body: { sid: "SM1", status: "failed", error_code: 30006 } },
      { state: "failed", error: "failed 30006" },
    ],
    ["clicksend", { body: { data: {} } }, { state: "unknown", error: "answer not understood" }],
    [
      "clicksend",
      { body: { data: { messages: [{ status: "INVALID_RECIPIENT" }] } } },
      { state: "failed", error: "INVALID_RECIPIENT" },
    ],
    [
      "clicksend",
      { body: { data: { messages: [{ status: "INSUFFICIENT_CREDIT" }] } } },
      { state: "away", error: "INSUFFICIENT_CREDIT" },
    ],
    ["messagemedia", { status: 202, body: {} }, { state: "unknown", error: "answer not understood" }],
    [
      "messagemedia",
      { status: 202, body: { messages: [{ message_id: "1", status: "rejected" }] } },
      { state: "failed", error: "rejected" },
    ],
    ["generic", { status: 204, body: "" }, { state: "sent" }],
    ["generic", { body: { id: "x".repeat(101) } }, { state: "sent" }],
  ] as const)("of %s: %j is %j", async (provider, answer, expected) => {
    const sendSms = await sender({ ...production, SMS_PROVIDER: provider });
    gateway.answers(answer);
    expect(await sendSms(message)).toEqual(expected);
  });
});

describe("A refusal is told by the provider's code, never by its text", () => {
  test.each([
    ["twilio", { code: 21610, message: "to 61412345678" }, "HTTP 400 21610"],
    ["clicksend", { response_code: "BAD_REQUEST", response_msg: "to 61412345678" }, "HTTP 400 BAD_REQUEST"],
    ["clicksend", { response_code: "61412345678" }, "HTTP 400"],
    ["messagemedia", { message: "to 61412345678" }, "HTTP 400"],
    ["generic", { code: "blocked", error: "to 61412345678" }, "HTTP 400 blocked"],
    ["generic", { code: "not a number: 61412345678" }, "HTTP 400"],
  ])("%s %j", async (provider, body, error) => {
    const sendSms = await sender({ ...production, SMS_PROVIDER: provider });
    gateway.answers({ status: 400, body });
    expect(await sendSms(message)).toEqual({ state: "failed", error });
  });
});

describe("What is sent", () => {
  async function asked(settings: Record<string, string>, text = message.text) {
    const sendSms = await sender({ ...production, ...settings });
    gateway.answers({ status: 400 });
    await sendSms({ ...message, text });
    return gateway.asked[0];
  }

  test("to Twilio", async () => {
    const request = await asked({ SMS_PROVIDER: "twilio" }, "A & B");
    expect(request).toMatchObject({
      path: "/2010-04-01/Accounts/the-account/Messages.json",
      headers: { authorization: basic, "content-type": expect.stringContaining("application/x-www-form-urlencoded") },
    });
    expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
      To: "+61412345678",
      From: "Lender",
      Body: "A & B",
      StatusCallback: `https://apply.example/api/webhooks/sms?message=${id}`,
    });
  });

  test("to ClickSend", async () => {
    const request = await asked({ SMS_PROVIDER: "clicksend" });
    expect(request).toMatchObject({ path: "/v3/sms/send", headers: { authorization: basic } });
    expect(JSON.parse(request?.body ?? "")).toEqual({
      messages: [{ source: "rent-advance", from: "Lender", to: "+61412345678", body: "Hello", custom_string: id }],
    });
  });

  test("to MessageMedia", async () => {
    const request = await asked({ SMS_PROVIDER: "messagemedia" });
    expect(request).toMatchObject({ path: "/v1/messages", headers: { authorization: basic } });
    expect(JSON.parse(request?.body ?? "")).toEqual({
      messages: [
        {
          content: "Hello",
          destination_number: "+61412345678",
          source_number: "Lender",
          source_number_type: "ALPHANUMERIC",
          format: "SMS",
          delivery_report: true,
          callback_url: "https://apply.example/api/webhooks/sms?key=sixteen-letters-of-it",
          metadata: { message: id },
        },
      ],
    });
  });

  test("to a gateway, as its template says; what a text holds ends no string and is no placeholder", async () => {
    const body = '{"sms":{"to":"+{to}","lines":["{from}: {text}"],"ref":"{id}","flash":false}}';
    const text = 'say "hi" {from}\n\\$&';
    const request = await asked({ SMS_PROVIDER: "generic", SMS_BODY: body, SMS_SECRET: "Bearer of-news" }, text);
    expect(request).toMatchObject({ path: "/", headers: { authorization: "Bearer of-news" } });
    expect(JSON.parse(request?.body ?? "")).toEqual({
      sms: { to: "+61412345678", lines: [`Lender: ${text}`], ref: id, flash: false },
    });
  });

  test("to a gateway without an account", async () => {
    const request = await asked({ SMS_PROVIDER: "generic", SMS_SECRET: "", SMS_BODY: '{"{to}":"{to}: {text}"}' });
    expect(request?.headers.authorization).toBeUndefined();
    expect(request?.body).toBe('{"{to}":"61412345678: Hello"}');
  });

  test.each(["twilio", "messagemedia"])("to %s asks for no reports where nobody could bring them", async (provider) => {
    const request = await asked({ SMS_PROVIDER: provider, APP_URL: "http://localhost:3000" });
    expect(request?.body).not.toContain("webhooks");
  });
});
