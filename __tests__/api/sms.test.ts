import { startSmsGateway } from "@/__tests__/support/sms-gateway";
import { message, ownGateway } from "@/__tests__/support/sms-sender";
import { sendSms } from "@/lib/server/messages/sms/send-sms";
import { readSettings, replaceSettings } from "@/lib/server/settings";

const { gateway, sender } = ownGateway();

afterEach(() => jest.restoreAllMocks());

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
  let sendSms: ReturnType<typeof sender>;
  beforeAll(() => {
    sendSms = sender({ SMS_PROVIDER: provider });
  });

  test("that was accepted is sent, under the provider's id", async () => {
    gateway().answers(accepted);
    expect(await sendSms(message)).toEqual({ state: "sent", providerId });
    expect(gateway().asked).toHaveLength(1);
    expect(gateway().asked[0]).toMatchObject({ method: "POST" });
  });

  test.each([
    ["that is refused is failed", { status: 400 }, { state: "failed", error: "HTTP 400" }],
    ["of a wrong account waits", { status: 401 }, { state: "later", error: "HTTP 401", isUntried: true }],
    ["to a wrong address waits", { status: 404 }, { state: "later", error: "HTTP 404", isUntried: true }],
    ["to an address for something else waits", { status: 405 }, { state: "later", error: "HTTP 405", isUntried: true }],
    ["of an account without credit waits", { status: 402 }, { state: "later", error: "HTTP 402", isUntried: true }],
    ["on a limited account waits", { status: 429 }, { state: "later", error: "HTTP 429", isUntried: true }],
    [
      "waits as long as Retry-After says",
      { status: 429, headers: { "retry-after": "120" } },
      { state: "later", error: "HTTP 429", isUntried: true, afterSeconds: 120 },
    ],
    ["waits while the provider is closed", { status: 503 }, { state: "later", error: "HTTP 503", isUntried: true }],
    [
      "waits until the time in Retry-After",
      { status: 503, headers: { "retry-after": new Date(Date.now() + 3600_000).toUTCString() } },
      { state: "later", error: "HTTP 503", isUntried: true, afterSeconds: expect.any(Number) },
    ],
    ["may have been sent if the provider failed", { status: 500 }, { state: "unknown", error: "HTTP 500" }],
    ["may have been sent if a proxy in between failed", { status: 502 }, { state: "unknown", error: "HTTP 502" }],
    [
      "waits if the address has moved; the account's secret is not sent along",
      { status: 302, headers: { location: "/elsewhere" } },
      { state: "later", error: "HTTP 302", isUntried: true },
    ],
  ])("%s", async (_, answer, expected) => {
    gateway().answers(answer);
    expect(await sendSms(message)).toEqual(expected);
    expect(gateway().asked).toHaveLength(1);
  });

  test("whose answer was dropped may have been sent, and is not sent again", async () => {
    gateway().answers("drop");
    expect(await sendSms(message)).toEqual({ state: "unknown", error: "UND_ERR_SOCKET" });
    expect(gateway().asked).toHaveLength(1);
  });

  test("whose answer does not end is not read to the end, and may have been sent", async () => {
    gateway().answers("endless");
    expect(await sendSms(message)).toEqual({ state: "unknown", error: "answer not understood" });
    expect(gateway().asked).toHaveLength(1);
    // The sender reads 64 kB. Buffers on both sides of the connection hold much more.
    expect(gateway().streamed()).toBeLessThan(20_000_000);
  });

  test("is sent after an answer of up to 64 kB, and may have been sent after a longer answer", async () => {
    const padded = (length: number) => ({ ...accepted, body: { ...accepted.body, padding: "x".repeat(length) } });
    gateway().answers(padded(60_000));
    expect(await sendSms(message)).toEqual({ state: "sent", providerId });
    gateway().answers(padded(70_000));
    expect(await sendSms(message)).toEqual({ state: "unknown", error: "answer not understood" });
  });

  test("without an answer may have been sent, and is not sent again", async () => {
    gateway().answers("stall");
    const limit = new AbortController();
    const timeout = jest.spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal);
    const asked = gateway().isAsked();
    const outcome = sendSms(message);
    await asked;
    limit.abort();
    expect(await outcome).toEqual({ state: "unknown", error: "no answer" });
    expect(timeout).toHaveBeenCalledWith(12_000);
    expect(gateway().asked).toHaveLength(1);
  });

  test.each([
    ["in another country", { to: "6421345678" }, "country not allowed"],
    ["of three segments", { text: "a".repeat(307) }, "3 segments"],
    ["of three segments in UCS-2", { text: "李".repeat(135) }, "3 segments"],
  ])("%s is failed, and the provider not asked", async (_, changed, error) => {
    gateway().answers(accepted);
    expect(await sendSms({ ...message, ...changed })).toEqual({ state: "failed", error });
    expect(gateway().asked).toEqual([]);
  });

  test("of two segments is sent, to each country that may be written to", async () => {
    gateway().answers(accepted);
    const sendAbroad = sender({ SMS_PROVIDER: provider, SMS_COUNTRIES: "61,64" });
    expect(await sendAbroad({ ...message, to: "6421345678", text: "a".repeat(306) })).toMatchObject({ state: "sent" });
  });

  test("is sent in the GSM-7 alphabet", async () => {
    gateway().answers(accepted);
    await sendSms({ ...message, text: "Nguyễn’s" });
    expect(decodeURIComponent(gateway().asked[0]?.body ?? "")).toContain("Nguyen's");
  });

  test("waits if the connection is refused or the host is not found", async () => {
    const closed = await startSmsGateway();
    await closed.end();
    for (const [url, code] of [
      [closed.url, "ECONNREFUSED"],
      ["http://nobody.invalid", expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/)],
    ]) {
      const sendElsewhere = sender({ SMS_PROVIDER: provider, SMS_URL: url });
      expect(await sendElsewhere(message)).toEqual({ state: "later", error: code, isUntried: true });
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
      "twilio",
      { status: 201, body: { sid: "SM1", status: "undelivered", error_code: null } },
      { state: "failed", error: "failed" },
    ],
    [
      "clicksend",
      { body: { data: { messages: [{ status: "not to 61412345678" }] } } },
      { state: "failed", error: "refused" },
    ],
    [
      "clicksend",
      { body: { data: { messages: [{ status: "INSUFFICIENT_CREDIT" }] } } },
      { state: "later", error: "INSUFFICIENT_CREDIT", isUntried: true },
    ],
    ["messagemedia", { status: 202, body: {} }, { state: "unknown", error: "answer not understood" }],
    [
      "messagemedia",
      { status: 202, body: { messages: [{ message_id: "1", status: "rejected" }] } },
      { state: "failed", error: "rejected" },
    ],
    ["generic", { status: 204, body: "" }, { state: "sent" }],
    ["generic", { body: { id: 1, text: "x".repeat(60_000) } }, { state: "sent", providerId: "1" }],
    ["generic", { body: { id: 1, text: "x".repeat(70_000) } }, { state: "unknown", error: "answer not understood" }],
    ["generic", { body: { id: "x".repeat(101) } }, { state: "sent" }],
  ] as const)("of %s: %j is %j", async (provider, answer, expected) => {
    const sendSms = sender({ SMS_PROVIDER: provider });
    gateway().answers(answer);
    expect(await sendSms(message)).toEqual(expected);
  });
});

describe("A refusal is reported by the provider's code, never by its text", () => {
  test.each([
    ["twilio", { code: 21610, message: "to 61412345678" }, "HTTP 400 21610"],
    ["twilio", { code: 21610, message: "x".repeat(70_000) }, "HTTP 400"],
    ["clicksend", { response_code: "BAD_REQUEST", response_msg: "to 61412345678" }, "HTTP 400 BAD_REQUEST"],
    ["clicksend", { response_code: "61412345678" }, "HTTP 400"],
    ["messagemedia", { message: "to 61412345678" }, "HTTP 400"],
    ["generic", { code: "blocked", error: "to 61412345678" }, "HTTP 400 blocked"],
    ["generic", { code: "not a number: 61412345678" }, "HTTP 400"],
  ])("%s %j", async (provider, body, error) => {
    const sendSms = sender({ SMS_PROVIDER: provider });
    gateway().answers({ status: 400, body });
    expect(await sendSms(message)).toEqual({ state: "failed", error });
  });
});

/** The error that fetch throws; its cause has the code of the failure. */
const fetchError = (cause: object) => Object.assign(new TypeError("fetch failed"), { cause });
const failure = (properties: object) => Object.assign(new Error("to 61412345678"), properties);
const refusedBoth = ["::1", "127.0.0.1"].map((address) =>
  failure({ code: "ECONNREFUSED", syscall: "connect", address }),
);
const unsent = "later";
const doubtful = "unknown";

describe("Where the provider is not reached", () => {
  test.each<[string, object, string, string]>([
    ["that could not be connected to", failure({ code: "UND_ERR_CONNECT_TIMEOUT" }), unsent, "UND_ERR_CONNECT_TIMEOUT"],
    ["with an expired certificate", failure({ code: "CERT_HAS_EXPIRED" }), unsent, "CERT_HAS_EXPIRED"],
    [
      "whose certificate nobody vouches for",
      failure({ code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" }),
      unsent,
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    ],
    [
      "that listens on neither of its addresses",
      Object.assign(new AggregateError(refusedBoth), { code: "ECONNREFUSED" }),
      unsent,
      "ECONNREFUSED",
    ],
    [
      "that broke off at one of its addresses",
      Object.assign(new AggregateError([...refusedBoth, failure({ code: "ECONNRESET", syscall: "read" })]), {
        code: "ECONNRESET",
      }),
      doubtful,
      "ECONNRESET",
    ],
    ["that reset the connection", failure({ code: "ECONNRESET", syscall: "read" }), doubtful, "ECONNRESET"],
    ["that failed in a way without a code", new RangeError("to 61412345678"), doubtful, "RangeError"],
  ])("a text to a provider %s: %o", async (_, cause, state, error) => {
    jest.spyOn(globalThis, "fetch").mockRejectedValue(fetchError(cause));
    expect(await sender({ SMS_PROVIDER: "generic" })(message)).toMatchObject({ state, error });
  });

  test("a text waits while no provider is set up", async () => {
    replaceSettings(readSettings({}));
    expect(await sendSms(message)).toEqual({ state: "later", error: "SMS_PROVIDER is not set", isUntried: true });
  });
});
