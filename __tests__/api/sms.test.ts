import type { Socket } from "node:net";
import { failed, uncounted, unknown } from "@/__tests__/support/outcomes";
import { startSmsGateway } from "@/__tests__/support/sms-gateway";
import { startTcpServer } from "@/__tests__/support/tcp-server";
import { adapters, sendSms } from "@/lib/server/channels/sms/send-sms";
import { readSettings, replaceSettings } from "@/lib/server/settings";

const message = { id: "3f0c7a52-1d1e-4c57-9f5e-0b1a2c3d4e5f", to: "61412345678", text: "Hello" };

const account = { SMS_ACCOUNT: "the-account", SMS_SECRET: "the-secret" };

const production = {
  APP_URL: "https://apply.example",
  SMS_FROM: "Lender",
  ...account,
  SMS_REPORT_SECRET: "sixteen-letters-of-it",
};

let gateway: Awaited<ReturnType<typeof startSmsGateway>>;
beforeAll(async () => {
  gateway = await startSmsGateway();
});
afterAll(() => gateway.stop());

/** Returns a `sendSms` that sends through the gateway, with these settings in production. */
function sender(settings: Record<string, string>): typeof sendSms {
  const own = readSettings({ ...process.env, ...production, SMS_URL: gateway.url, ...settings });
  return (message) => {
    replaceSettings(own);
    return sendSms(message);
  };
}

const accepted = { status: "SUCCESS", message_id: "BF-1" };
/** The id that each provider gives an SMS, and its response when it accepts the SMS. */
const providers = {
  twilio: ["SM12", { status: 201, body: { sid: "SM12", status: "queued", error_code: null } }],
  clicksend: ["BF-1", { body: { response_code: "SUCCESS", data: { messages: [accepted] } } }],
  messagemedia: ["877c19ef", { status: 202, body: { messages: [{ message_id: "877c19ef", status: "queued" }] } }],
  generic: ["4711", { body: { id: 4711 } }],
} as const;

const retryAfter = (status: number, time: string) => ({ status, headers: { "retry-after": time } });
const inAnHour = new Date(Date.now() + 3600_000).toUTCString();
const forSomeTime = { afterSeconds: expect.any(Number) };
const moved = { status: 302, headers: { location: "/elsewhere" } };

describe.each(Object.entries(providers))("an SMS by %s", (provider, [providerId, accepted]) => {
  let sendSms: ReturnType<typeof sender>;
  beforeAll(() => {
    sendSms = sender({ SMS_PROVIDER: provider });
  });

  test("an SMS that the provider accepts is sent, under the provider's id", async () => {
    gateway.respondWith(accepted);
    expect(await sendSms(message)).toEqual({ state: "sent", providerId });
    expect(gateway.requests).toEqual([expect.objectContaining({ method: "POST" })]);
  });

  test.each([
    ["that is refused has failed", { status: 400 }, failed("HTTP 400")],
    ["of a wrong account waits", { status: 401 }, uncounted("HTTP 401")],
    ["to a wrong address waits", { status: 404 }, uncounted("HTTP 404")],
    ["to an address for something else waits", { status: 405 }, uncounted("HTTP 405")],
    ["of an account without credit waits", { status: 402 }, uncounted("HTTP 402")],
    ["of a suspended account waits", { status: 403 }, uncounted("HTTP 403")],
    ["on a limited account waits", { status: 429 }, uncounted("HTTP 429")],
    ["waits as long as Retry-After says", retryAfter(429, "120"), { ...uncounted("HTTP 429"), afterSeconds: 120 }],
    ["waits while the provider is closed", { status: 503 }, uncounted("HTTP 503")],
    ["waits until the time in Retry-After", retryAfter(503, inAnHour), { ...uncounted("HTTP 503"), ...forSomeTime }],
    ["may have been sent if the provider failed", { status: 500 }, unknown("HTTP 500")],
    ["may have been sent if a proxy in between failed", { status: 502 }, unknown("HTTP 502")],
    ["may have been sent if a proxy in between stopped waiting", { status: 408 }, unknown("HTTP 408")],
    ["waits if the address has moved; the account's secret is not sent along", moved, uncounted("HTTP 302")],
    ["may have been sent if its response was dropped, and is not sent again", "drop", unknown("UND_ERR_SOCKET")],
  ] as const)("an SMS %s", async (_, response, expected) => {
    gateway.respondWith(response);
    expect(await sendSms(message)).toEqual(expected);
    expect(gateway.requests).toHaveLength(1);
  });

  test("an endless answer is not read", async () => {
    gateway.respondWith("endless");
    const before = process.memoryUsage().rss;
    expect(["sent", "unknown"]).toContain((await sendSms(message)).state);
    expect(process.memoryUsage().rss - before).toBeLessThan(50e6);
  });

  test("an SMS without a response may have been sent, and is not sent again", async () => {
    gateway.respondWith("stall");
    const limit = new AbortController();
    const timeout = jest.spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal);
    const requested = gateway.nextRequest();
    const outcome = sendSms(message);
    await requested;
    limit.abort();
    expect(await outcome).toEqual(unknown("no response"));
    expect(timeout).toHaveBeenCalledWith(12_000);
    expect(gateway.requests).toHaveLength(1);
  });

  test.each([
    ["to another country", { to: "6421345678" }, "country not allowed"],
    ["of three segments", { text: "a".repeat(307) }, "3 segments"],
    ["of three segments in UCS-2", { text: "李".repeat(135) }, "3 segments"],
  ])("an SMS %s fails, and the provider is not contacted", async (_, changed, error) => {
    gateway.respondWith(accepted);
    expect(await sendSms({ ...message, ...changed })).toEqual({ state: "failed", error });
    expect(gateway.requests).toEqual([]);
  });

  test("an SMS of two segments is sent, to each allowed country", async () => {
    gateway.respondWith(accepted);
    const sendAbroad = sender({ SMS_PROVIDER: provider, SMS_COUNTRIES: "61,64" });
    expect(await sendAbroad({ ...message, to: "6421345678", text: "a".repeat(306) })).toMatchObject({ state: "sent" });
  });

  test("an SMS is sent in the GSM-7 alphabet", async () => {
    gateway.respondWith(accepted);
    await sendSms({ ...message, text: "Nguyễn’s" });
    expect(decodeURIComponent(gateway.requests[0]?.body ?? "")).toContain("Nguyen's");
  });

  test("an SMS waits if the connection is refused or the host is not found", async () => {
    const closed = await startSmsGateway();
    await closed.stop();
    for (const [url, code] of [
      [closed.url, "ECONNREFUSED"],
      ["http://nobody.invalid", expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/)],
    ]) {
      const sendElsewhere = sender({ SMS_PROVIDER: provider, SMS_URL: url });
      expect(await sendElsewhere(message)).toEqual({ state: "later", error: code, isUncounted: true });
    }
  });
});

/** Sends an SMS by this provider, which gives this response. */
async function sendBy(provider: string, response: Parameters<typeof gateway.respondWith>[0]) {
  const sendSms = sender({ SMS_PROVIDER: provider });
  gateway.respondWith(response);
  return sendSms(message);
}

/** Responses as Twilio and ClickSend give them. */
const twilio = (status: string, error_code: number | null) => ({
  status: 201,
  body: { sid: "SM1", status, error_code },
});
const clicksend = (status: string) => ({ body: { data: { messages: [{ status }] } } });
const notUnderstood = unknown("response not understood");

test.each([
  ["twilio", { body: "<html>" }, notUnderstood],
  ["twilio", "cut", notUnderstood],
  ["twilio", twilio("failed", 30006), failed("failed 30006")],
  ["twilio", twilio("undelivered", null), failed("failed")],
  ["clicksend", { body: { data: {} } }, notUnderstood],
  ["clicksend", clicksend("INVALID_RECIPIENT"), failed("INVALID_RECIPIENT")],
  ["clicksend", clicksend("not to 61412345678"), failed("refused")],
  ["clicksend", clicksend("INSUFFICIENT_CREDIT"), uncounted("INSUFFICIENT_CREDIT")],
  ["clicksend", clicksend("ACCOUNT_NOT_ACTIVATED"), uncounted("ACCOUNT_NOT_ACTIVATED")],
  ["clicksend", clicksend("INVALID_SENDER_ID"), uncounted("INVALID_SENDER_ID")],
  ["clicksend", clicksend("THROTTLED"), uncounted("THROTTLED")],
  ["messagemedia", { status: 202, body: {} }, notUnderstood],
  ["messagemedia", { status: 202, body: { messages: [{ message_id: "1", status: "rejected" }] } }, failed("rejected")],
  ["generic", { status: 204, body: "" }, { state: "sent" }],
  ["generic", { body: { id: "x".repeat(101) } }, { state: "sent" }],
] as const)("a 2xx response by %s: %j means %j", async (provider, response, expected) => {
  expect(await sendBy(provider, response)).toEqual(expected);
});

test.each([
  ["twilio", { code: 21606 }, "21606"],
  ["twilio", { code: 21611 }, "21611"],
  ["twilio", { code: 21608 }, "21608"],
  ["twilio", { code: 21659 }, "21659"],
  ["twilio", { code: 21703 }, "21703"],
  ["clicksend", { response_code: "INSUFFICIENT_CREDIT" }, "INSUFFICIENT_CREDIT"],
])("an SMS waits if the account is why it was refused: %s %j", async (provider, body, code) => {
  expect(await sendBy(provider, { status: 400, body })).toEqual(uncounted(`HTTP 400 ${code}`));
});

test.each([
  ["twilio", { code: 21408, message: "to 61412345678" }, "HTTP 400 21408"],
  ["clicksend", { response_code: "BAD_REQUEST", response_msg: "to 61412345678" }, "HTTP 400 BAD_REQUEST"],
  ["clicksend", { response_code: "61412345678" }, "HTTP 400"],
  ["messagemedia", { message: "to 61412345678" }, "HTTP 400"],
  ["generic", { code: "blocked", error: "to 61412345678" }, "HTTP 400 blocked"],
  ["generic", { code: "not a number: 61412345678" }, "HTTP 400"],
])("a refusal is reported by the provider's code, never by its text: %s %j", async (provider, body, error) => {
  expect(await sendBy(provider, { status: 400, body })).toEqual({ state: "failed", error });
});

/** The error that fetch throws; its cause has the code of the failure. */
const fetchError = (cause: object) => Object.assign(new TypeError("fetch failed"), { cause });
const failure = (code: string, syscall?: string) => Object.assign(new Error("to 61412345678"), { code, syscall });
const severalFailures = (code: string, ...errors: Error[]) => Object.assign(new AggregateError(errors), { code });
const refused = failure("ECONNREFUSED", "connect");
const reset = failure("ECONNRESET", "read");
const unverified = "UNABLE_TO_VERIFY_LEAF_SIGNATURE";

test.each<[string, object, string, string]>([
  ["that could not be connected to", failure("UND_ERR_CONNECT_TIMEOUT"), "later", "UND_ERR_CONNECT_TIMEOUT"],
  ["whose port fetch refuses", new Error("bad port"), "later", "bad port"],
  ["with an expired certificate", failure("CERT_HAS_EXPIRED"), "later", "CERT_HAS_EXPIRED"],
  ["whose certificate nobody vouches for", failure(unverified), "later", unverified],
  ["that has no cipher in common", failure("ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE"), "later", expect.any(String)],
  ["that has no TLS version in common", failure("ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION"), "later", expect.any(String)],
  ["that broke off within a TLS session", failure("ERR_SSL_BAD_RECORD_MAC"), "unknown", "ERR_SSL_BAD_RECORD_MAC"],
  ["that listens nowhere", severalFailures("ECONNREFUSED", refused, refused), "later", "ECONNREFUSED"],
  ["that broke off at an address", severalFailures("ECONNRESET", refused, refused, reset), "unknown", "ECONNRESET"],
  ["that reset the connection", reset, "unknown", "ECONNRESET"],
  ["that failed in a way without a code", new RangeError("to 61412345678"), "unknown", "RangeError"],
])("an SMS to a provider %s: %o", async (_, cause, state, error) => {
  jest.spyOn(globalThis, "fetch").mockRejectedValue(fetchError(cause));
  expect(await sender({ SMS_PROVIDER: "generic" })(message)).toMatchObject({ state, error });
});

test.each<[string, string, (socket: Socket) => void]>([
  ["speaks no TLS", "ERR_SSL_WRONG_VERSION_NUMBER", (socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")],
  ["closes the connection before the TLS handshake has ended", "ECONNRESET", (socket) => socket.end()],
])("an SMS waits if the server at an https address %s", async (_, code, answerHello) => {
  const { port, stop } = await startTcpServer((client) => client.once("data", () => answerHello(client)));
  const sendSms = sender({ SMS_PROVIDER: "generic", SMS_URL: `https://127.0.0.1:${port}` });
  expect(await sendSms(message)).toEqual(uncounted(code));
  stop();
});

test("an SMS waits while no provider is set up", async () => {
  replaceSettings(readSettings({}));
  expect(await sendSms(message)).toEqual({ state: "later", error: "SMS_PROVIDER is not set", isUncounted: true });
});

const basic = `Basic ${Buffer.from(`${account.SMS_ACCOUNT}:${account.SMS_SECRET}`).toString("base64")}`;

/** Sends an SMS with these settings, and returns the request that the provider received. */
async function received(settings: Record<string, string>, text = message.text) {
  const sendSms = sender(settings);
  gateway.respondWith({ status: 400 });
  await sendSms({ ...message, text });
  return gateway.requests[0];
}

const json = { "content-type": "application/json" };

test("Twilio gets the request that its API documents", async () => {
  const request = await received({ SMS_PROVIDER: "twilio" }, "A & B");
  expect(request).toMatchObject({
    path: "/2010-04-01/Accounts/the-account/Messages.json",
    headers: { authorization: basic, "content-type": expect.stringContaining("application/x-www-form-urlencoded") },
  });
  expect(Object.fromEntries(new URLSearchParams(request?.body))).toEqual({
    To: "+61412345678",
    From: "Lender",
    Body: "A & B",
    StatusCallback: `https://apply.example/api/webhooks/sms?message=${message.id}`,
  });
});

test("ClickSend gets the request that its API documents", async () => {
  const request = await received({ SMS_PROVIDER: "clicksend" });
  expect(request).toMatchObject({ path: "/v3/sms/send", headers: { authorization: basic, ...json } });
  const sms = { source: "rent-advance", from: "Lender", to: "+61412345678", body: "Hello", custom_string: message.id };
  expect(JSON.parse(request?.body ?? "")).toEqual({ messages: [sms] });
});

test("MessageMedia gets the request that its API documents", async () => {
  const request = await received({ SMS_PROVIDER: "messagemedia" });
  const headers = { authorization: basic, ...json, accept: "application/json" };
  expect(request).toMatchObject({ path: "/v1/messages", headers });
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
        metadata: { message: message.id },
      },
    ],
  });
});

test("a gateway gets the request of its template; the text cannot end a string or act as a placeholder", async () => {
  const body = '{"sms":{"to":"+{to}","lines":["{from}: {text}"],"ref":"{id}","flash":false}}';
  const text = 'say "hi" {from}\n\\$&';
  const request = await received({ SMS_PROVIDER: "generic", SMS_BODY: body, SMS_SECRET: "Bearer of-news" }, text);
  expect(request).toMatchObject({ path: "/", headers: { authorization: "Bearer of-news", ...json } });
  expect(JSON.parse(request?.body ?? "")).toEqual({
    sms: { to: "+61412345678", lines: [`Lender: ${text}`], ref: message.id, flash: false },
  });
});

test("a gateway without an account gets no credentials", async () => {
  const request = await received({ SMS_PROVIDER: "generic", SMS_SECRET: "", SMS_BODY: '{"{to}":"{to}: {text}"}' });
  expect(request?.headers.authorization).toBeUndefined();
  expect(request?.body).toBe('{"{to}":"61412345678: Hello"}');
});

test.each(["twilio", "messagemedia"])("%s is asked for no reports if it could not deliver them", async (provider) => {
  const request = await received({ SMS_PROVIDER: provider, APP_URL: "http://localhost:3000" });
  expect(request?.body).not.toContain("webhooks");
});

/** The request as the provider's adapter writes it, with its URL. */
function requestOf(settings: Record<string, string>, reportsTo?: URL) {
  const { sms } = readSettings({ SMS_FROM: "Lender", ...account, ...settings }).sending;
  if (!sms) throw new Error("No provider is set up");
  return adapters[sms.provider].request(sms, message, reportsTo);
}

test.each([
  ["twilio", "https://api.twilio.com/2010-04-01/Accounts/the-account/Messages.json"],
  ["clicksend", "https://rest.clicksend.com/v3/sms/send"],
  ["messagemedia", "https://api.messagemedia.com/v1/messages"],
])("%s is asked at its own address, or at the one of SMS_URL", (provider, address) => {
  expect(requestOf({ SMS_PROVIDER: provider }).url).toBe(address);
  const elsewhere = requestOf({ SMS_PROVIDER: provider, SMS_URL: "https://sms.example/api//" });
  expect(elsewhere.url).toBe(`https://sms.example/api${new URL(address).pathname}`);
});

test.each([
  ["+61400000000", undefined],
  ["61400000000", undefined],
  ["Lender", "ALPHANUMERIC"],
  ["1Lender", "ALPHANUMERIC"],
  ["Lender1", "ALPHANUMERIC"],
])("the request to MessageMedia gives the type of the sender %s: %s", (SMS_FROM, type) => {
  const { body } = requestOf({ SMS_PROVIDER: "messagemedia", SMS_FROM });
  expect(JSON.parse(String(body)).messages[0].source_number_type).toBe(type);
});

test("MessageMedia is asked for no reports without a secret to verify them", () => {
  const { body } = requestOf({ SMS_PROVIDER: "messagemedia" }, new URL("https://apply.example/api/webhooks/sms"));
  expect(JSON.parse(String(body)).messages[0].callback_url).toBeUndefined();
});
