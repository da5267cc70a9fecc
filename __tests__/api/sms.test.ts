import { failed, uncounted, unknown } from "@/__tests__/support/outcomes";
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

const retryAfter = (status: number, time: string) => ({ status, headers: { "retry-after": time } });

describe.each(Object.entries(providers))("By %s an SMS", (provider, { accepted, id: providerId }) => {
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
    ["that is refused is failed", { status: 400 }, failed("HTTP 400")],
    ["of a wrong account waits", { status: 401 }, uncounted("HTTP 401")],
    ["to a wrong address waits", { status: 404 }, uncounted("HTTP 404")],
    ["to an address for something else waits", { status: 405 }, uncounted("HTTP 405")],
    ["of an account without credit waits", { status: 402 }, uncounted("HTTP 402")],
    ["of a suspended account waits", { status: 403 }, uncounted("HTTP 403")],
    ["on a limited account waits", { status: 429 }, uncounted("HTTP 429")],
    ["waits as long as Retry-After says", retryAfter(429, "120"), { ...uncounted("HTTP 429"), afterSeconds: 120 }],
    ["waits while the provider is closed", { status: 503 }, uncounted("HTTP 503")],
    [
      "waits until the time in Retry-After",
      retryAfter(503, new Date(Date.now() + 3600_000).toUTCString()),
      { ...uncounted("HTTP 503"), afterSeconds: expect.any(Number) },
    ],
    ["may have been sent if the provider failed", { status: 500 }, unknown("HTTP 500")],
    ["may have been sent if a proxy in between failed", { status: 502 }, unknown("HTTP 502")],
    [
      "waits if the address has moved; the account's secret is not sent along",
      { status: 302, headers: { location: "/elsewhere" } },
      uncounted("HTTP 302"),
    ],
  ])("%s", async (_, answer, expected) => {
    gateway().answers(answer);
    expect(await sendSms(message)).toEqual(expected);
    expect(gateway().asked).toHaveLength(1);
  });

  test("whose answer was dropped may have been sent, and is not sent again", async () => {
    gateway().answers("drop");
    expect(await sendSms(message)).toEqual(unknown("UND_ERR_SOCKET"));
    expect(gateway().asked).toHaveLength(1);
  });

  test("without an answer may have been sent, and is not sent again", async () => {
    gateway().answers("stall");
    const limit = new AbortController();
    const timeout = jest.spyOn(AbortSignal, "timeout").mockReturnValue(limit.signal);
    const asked = gateway().isAsked();
    const outcome = sendSms(message);
    await asked;
    limit.abort();
    expect(await outcome).toEqual(unknown("no response"));
    expect(timeout).toHaveBeenCalledWith(12_000);
    expect(gateway().asked).toHaveLength(1);
  });

  test.each([
    ["in another country", { to: "6421345678" }, "country not allowed"],
    ["of three segments", { text: "a".repeat(307) }, "3 segments"],
    ["of three segments in UCS-2", { text: "李".repeat(135) }, "3 segments"],
  ])("%s fails, and the provider is not contacted", async (_, changed, error) => {
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
      expect(await sendElsewhere(message)).toEqual({ state: "later", error: code, isUncounted: true });
    }
  });
});

/** Answers as Twilio and ClickSend give them. */
const twilio = (status: string, error_code: number | null) => ({
  status: 201,
  body: { sid: "SM1", status, error_code },
});
const clicksend = (status: string) => ({ body: { data: { messages: [{ status }] } } });
const notUnderstood = unknown("response not understood");

describe("An answer of 2xx", () => {
  test.each([
    ["twilio", { body: "<html>" }, notUnderstood],
    ["twilio", "cut", notUnderstood],
    ["twilio", twilio("failed", 30006), failed("failed 30006")],
    ["twilio", twilio("undelivered", null), failed("failed")],
    ["clicksend", { body: { data: {} } }, notUnderstood],
    ["clicksend", clicksend("INVALID_RECIPIENT"), failed("INVALID_RECIPIENT")],
    ["clicksend", clicksend("not to 61412345678"), failed("refused")],
    ["clicksend", clicksend("INSUFFICIENT_CREDIT"), uncounted("INSUFFICIENT_CREDIT")],
    ["messagemedia", { status: 202, body: {} }, notUnderstood],
    [
      "messagemedia",
      { status: 202, body: { messages: [{ message_id: "1", status: "rejected" }] } },
      failed("rejected"),
    ],
    ["generic", { status: 204, body: "" }, { state: "sent" }],
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
const failure = (code: string, syscall?: string) => Object.assign(new Error("to 61412345678"), { code, syscall });
const severalFailures = (code: string, ...errors: Error[]) => Object.assign(new AggregateError(errors), { code });
const refused = failure("ECONNREFUSED", "connect");
const reset = failure("ECONNRESET", "read");
const unverified = "UNABLE_TO_VERIFY_LEAF_SIGNATURE";

describe("If the provider cannot be reached", () => {
  test.each<[string, object, string, string]>([
    ["that could not be connected to", failure("UND_ERR_CONNECT_TIMEOUT"), "later", "UND_ERR_CONNECT_TIMEOUT"],
    ["with an expired certificate", failure("CERT_HAS_EXPIRED"), "later", "CERT_HAS_EXPIRED"],
    ["whose certificate nobody vouches for", failure(unverified), "later", unverified],
    ["that listens nowhere", severalFailures("ECONNREFUSED", refused, refused), "later", "ECONNREFUSED"],
    ["that broke off at an address", severalFailures("ECONNRESET", refused, refused, reset), "unknown", "ECONNRESET"],
    ["that reset the connection", reset, "unknown", "ECONNRESET"],
    ["that failed in a way without a code", new RangeError("to 61412345678"), "unknown", "RangeError"],
  ])("an SMS to a provider %s: %o", async (_, cause, state, error) => {
    jest.spyOn(globalThis, "fetch").mockRejectedValue(fetchError(cause));
    expect(await sender({ SMS_PROVIDER: "generic" })(message)).toMatchObject({ state, error });
  });

  test("an SMS waits while no provider is set up", async () => {
    replaceSettings(readSettings({}));
    expect(await sendSms(message)).toEqual({ state: "later", error: "SMS_PROVIDER is not set", isUncounted: true });
  });
});
