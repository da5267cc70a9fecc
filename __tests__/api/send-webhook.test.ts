import { randomBytes, randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { later } from "@/__tests__/support/outcomes";
import { startReceiver } from "@/__tests__/support/receiver";
import { withSettings } from "@/__tests__/support/with-settings";
import { sendWebhook, webhookBody } from "@/lib/server/channels/webhooks/send-webhook";
import { retryAfter } from "@/lib/server/outbox/outcome";
import { currentSettings } from "@/lib/server/settings";

const secret = () => `whsec_${randomBytes(24).toString("base64")}`;
const [newer, older, unknown] = [secret(), secret(), secret()];
const at = new Date("2026-11-22T04:05:06.789Z");
const context = { reference: "K7QM-4XRT", status: "in-review", submittedAt: at } as const;
const body = webhookBody({ kind: "application.submitted", createdAt: at, number: 7n, detail: "" }, context);

let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => {
  receiver = await startReceiver();
  process.env.WEBHOOK_URL = receiver.url;
  process.env.WEBHOOK_SECRET = `${newer} ${older}`;
});
afterEach(() => receiver.requests.splice(0));
afterAll(() => receiver.stop());

const attempt = () => sendWebhook({ id: randomUUID(), body });
const headersOf = (index: number) => receiver.requests[index]?.headers as Record<string, string>;

test("while secrets are rotated, a receiver that knows either verifies what it gets, and one that knows neither refuses it", async () => {
  expect(await attempt()).toEqual({ state: "sent" });
  const [request] = receiver.requests;
  expect(request).toMatchObject({ body, headers: { "content-type": "application/json" } });
  expect(headersOf(0)["webhook-signature"]).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/);
  for (const key of [newer, older]) expect(new Webhook(key).verify(body, headersOf(0))).toEqual(JSON.parse(body));
  expect(() => new Webhook(unknown).verify(body, headersOf(0))).toThrow("No matching signature found");
  expect(() => new Webhook(newer).verify(`${body} `, headersOf(0))).toThrow("No matching signature found");
});

test("each attempt has the id of its message and a time of its own", async () => {
  const id = randomUUID();
  jest.spyOn(Date, "now").mockReturnValueOnce(1_800_000_000_999).mockReturnValueOnce(1_800_000_300_000);
  await sendWebhook({ id, body });
  await sendWebhook({ id, body });
  expect(receiver.requests.map(({ headers }) => [headers["webhook-id"], headers["webhook-timestamp"]])).toEqual([
    [`msg_${id}`, "1800000000"],
    [`msg_${id}`, "1800000300"],
  ]);
});

test.each([
  [200, {}, { state: "sent" }],
  [299, {}, { state: "sent" }],
  [410, {}, { state: "failed", error: "HTTP 410" }],
  [404, {}, later("HTTP 404")],
  [429, { "retry-after": "120" }, { state: "later", error: "HTTP 429", afterSeconds: 120 }],
  [500, {}, later("HTTP 500")],
  [503, { "retry-after": "3600" }, { state: "later", error: "HTTP 503", afterSeconds: 3600 }],
  [503, { "retry-after": "soon" }, later("HTTP 503")],
])("the response %i %j makes it %j", async (status, headers, outcome) => {
  const words = "what the receiver says of you@example.com";
  receiver.respondWith((response) => response.writeHead(status, headers).end(words));
  expect(await attempt()).toEqual({ ...outcome });
});

test.each([301, 302, 307, 308])("a redirect with %i is not followed: that attempt has failed", async (status) => {
  const elsewhere = await startReceiver();
  receiver.respondWith((response) => response.writeHead(status, { location: elsewhere.url }).end());
  expect(await attempt()).toEqual(later(`HTTP ${status}`));
  expect(elsewhere.requests).toEqual([]);
  await elsewhere.stop();
});

test("a response that does not end is not read", async () => {
  const ended = new Promise<void>((resolve) => {
    receiver.respondWith((response) => {
      response.writeHead(200).on("close", resolve);
      const goOn = () => {
        while (!response.destroyed && response.write(Buffer.alloc(64 * 1024)));
        if (!response.destroyed) response.once("drain", goOn);
      };
      goOn();
    });
  });
  expect(await attempt()).toEqual({ state: "sent" });
  await ended;
});

test("without a receiver nothing is sent", async () => {
  const sending = { ...currentSettings().sending, webhook: undefined };
  expect(await withSettings({ sending }, attempt)).toEqual(later("no WEBHOOK_URL"));
  expect(receiver.requests).toEqual([]);
});

test("a receiver that cuts the connection gets the webhook later", async () => {
  receiver.respondWith((response) => response.destroy());
  expect(await attempt()).toEqual(later("UND_ERR_SOCKET"));
});

test("a receiver that does not answer within 15 seconds gets the webhook later", async () => {
  const real = AbortSignal.timeout.bind(AbortSignal);
  const timeout = jest.spyOn(AbortSignal, "timeout").mockImplementation((ms) => real(ms / 100));
  receiver.respondWith(() => {});
  expect(await attempt()).toEqual(later("TimeoutError"));
  expect(timeout).toHaveBeenCalledWith(15_000);
});

test.each([
  ["0", 0],
  ["90", 90],
  ["999999999", 86_400],
  ["Sun, 22 Nov 2026 04:10:06 GMT", 300],
  ["Sun, 22 Nov 2020 04:10:06 GMT", 0],
  ["1.5", 0],
  ["in a minute", undefined],
  ["", undefined],
])("Retry-After: '%s' is %s seconds", (value, seconds) => {
  expect(retryAfter(new Headers({ "retry-after": value }), at.getTime())).toBe(seconds);
});

test.each([
  ["application.submitted", "", { status: "submitted", submittedAt: at.toISOString() }],
  ["application.status_changed", "approved", { status: "approved", submittedAt: at.toISOString() }],
  ["link.opened", "", { status: "in-review", openedAt: at.toISOString() }],
])("%s carries reference, status and times, and no personal data", (type, status, ownData) => {
  const personal = { ...context, name: "Alex", source: "ba" };
  expect(JSON.parse(webhookBody({ kind: type, createdAt: at, number: 7n, detail: status }, personal))).toEqual({
    type,
    timestamp: at.toISOString(),
    data: { reference: "K7QM-4XRT", sequence: 7, ...ownData },
  });
});

test("a test webhook names no application", () => {
  const text = webhookBody({ kind: "test", createdAt: at, number: 7n, detail: "" }, null);
  expect(JSON.parse(text)).toEqual({ type: "test", timestamp: at.toISOString(), data: { sequence: 7 } });
});

test("a webhook whose receiver is not listening is sent later", async () => {
  // A receiver that has been called before would have left an open connection, whose end fetch may not have noticed yet.
  const closed = await startReceiver();
  await closed.stop();
  const sending = { ...currentSettings().sending, webhook: { url: closed.url, secrets: [newer] } };
  expect(await withSettings({ sending }, attempt)).toEqual(later("ECONNREFUSED"));
});
