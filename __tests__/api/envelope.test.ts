import { readdirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { landlord } from "@/__tests__/support/answers";
import { allCalls, verify } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { allCalls as callNames } from "@/__tests__/support/processes/call";
import { reportFigure } from "@/__tests__/support/size";
import { until } from "@/__tests__/support/until";
import { DELETE, GET, PATCH, POST, PUT } from "@/app/api/[[...path]]/route";
import { POST as freshLink } from "@/app/api/v1/user/fresh-link/route";
import { userCall } from "@/lib/server/http/call";

const { rowHash } = freshDatabase();

const { POST: _, ...otherMethods } = userCall({ name: "any", failure: "Any call failed", action: () => undefined });
const catchAll = { GET, POST, PUT, PATCH, DELETE };

test("the tests for all calls include every call of applicants except fresh-link, which verifies no token", () => {
  const routes = readdirSync("app/api/v1/user").filter((name) => name !== "fresh-link");
  expect(allCalls.map(({ name }) => name).sort()).toEqual(routes.sort());
  expect([...callNames].sort()).toEqual(routes);
});

const notJson = "Send the request as application/json";
const notValid = "The request is not valid JSON";
const notAnObject = "The request must be a JSON object";
const tooLarge = "The request is too large";

/** Requests that every call refuses before it reads a token, each with the status and the message of the answer. */
const malformed = [
  ["of another site", 403, "Cross-site requests are not allowed", { headers: { "sec-fetch-site": "cross-site" } }],
  ["of another origin", 403, "Cross-site requests are not allowed", { headers: { origin: "https://evil.example" } }],
  ["of a page without an origin", 403, "Cross-site requests are not allowed", { headers: { origin: "null" } }],
  ["as a form", 415, notJson, { headers: { "content-type": "application/x-www-form-urlencoded" } }],
  ["as plain text, which needs no preflight", 415, notJson, { headers: { "content-type": "text/plain" } }],
  ["as a form with files", 415, notJson, { headers: { "content-type": "multipart/form-data; boundary=x" } }],
  ["as no type at all", 415, notJson, { headers: { "content-type": "" } }],
  ["as a type that only begins like JSON", 415, notJson, { headers: { "content-type": "application/json5" } }],
  ["as a type that only ends like JSON", 415, notJson, { headers: { "content-type": "text/json" } }],
  ["as malformed JSON", 400, notValid, { raw: '{"token":' }],
  ["with nothing in it", 400, notValid, { raw: "" }],
  ["as a list", 400, notAnObject, { raw: "[]" }],
  ["as null", 400, notAnObject, { raw: "null" }],
  ["as a piece of text", 400, notAnObject, { raw: '"token"' }],
  ["in bad UTF-8", 400, notValid, { raw: new Uint8Array([...Buffer.from('{"token":"'), 0xff, ...Buffer.from('"}')]) }],
  ["of more than 32 kB", 413, tooLarge, { raw: JSON.stringify({ token: "x".repeat(33 * 1024) }) }],
  ["that announces more than it may send", 413, tooLarge, { headers: { "content-length": "40000" } }],
] as const;
const unknownToken = ["with a token that nobody knows", 401, "Token verification failed", {}] as const;

// The next test sends them to every call: the calls share the wrapper of verify-token, and fresh-link has its own.
const refusals = [
  ...malformed.flatMap((refusal) => [
    { name: "verify-token", handler: verify, refusal },
    { name: "fresh-link", handler: freshLink, refusal },
  ]),
  ...allCalls.map((call) => ({ ...call, refusal: unknownToken })),
];

test.each(refusals)("$name: a request $refusal.0 gets $refusal.1 in the envelope", async ({ handler, refusal }) => {
  const [, expected, message, sent] = refusal;
  const { status, body, headers } = await post(handler, { token: "nobody's" }, sent);
  expect(status).toBe(expected);
  expect(body).toEqual({ success: false, message });
  expect(headers.get("content-type")).toBe("application/json");
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
});

test("no malformed request changes the application of its token", async () => {
  const { token, id } = await invited();
  const before = await rowHash(id);
  for (const { handler } of allCalls)
    for (const [, expected, , sent] of malformed)
      expect((await post(handler, { token, data: landlord }, sent)).status).toBe(expected);
  expect(await rowHash(id)).toBe(before);
  reportFigure(15, "every handler by itself, without the proxy: 401 for a token that nobody knows");
  reportFigure(16, "every call from another site 403, as anything but JSON 415, without a CORS header, row unchanged");
});

test.each(Object.entries(otherMethods))("%s gets 405 with Allow: POST", async (method, handler) => {
  const { status, body, headers } = await post(handler, {}, { method });
  expect(status).toBe(405);
  expect(headers.get("allow")).toBe("POST");
  expect(body).toEqual({ success: false, message: "Only POST is allowed" });
});

test.each(Object.entries(catchAll))("%s of an unknown path gets 404 in the envelope", async (method, handler) => {
  const { status, body } = await post(async () => handler(), {}, { method });
  expect(status).toBe(404);
  expect(body).toEqual({ success: false, message: "There is no such endpoint" });
});

test("application/json is accepted with a charset, and in capitals", async () => {
  const { token } = await invited();
  for (const type of ["application/json; charset=utf-8", "Application/JSON"]) {
    expect((await post(verify, { token }, { headers: { "content-type": type } })).status).toBe(200);
  }
});

test("the product's own pages may call, and so may clients other than browsers", async () => {
  const { token } = await invited();
  const fromOurPage = await post(verify, { token }, { headers: { "sec-fetch-site": "same-origin" } });
  const fromAnApp = await post(verify, { token });
  expect([fromOurPage.status, fromAnApp.status]).toEqual([200, 200]);
  for (const [origin, host] of [
    ["http://localhost:3000", "app.internal"],
    ["http://192.168.1.5:3000", "192.168.1.5:3000"],
    ["https://apply.example", "apply.example"],
  ] as const)
    expect([origin, (await post(verify, { token }, { headers: { origin, host } })).status]).toEqual([origin, 200]);
});

test("a body of 20 MB is refused at its limit, and the rest is discarded, so that its connection stays usable", async () => {
  let sent = 0;
  const large = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await setImmediate();
      sent += 16 * 1024;
      if (sent > 20 * 1024 * 1024) controller.close();
      else controller.enqueue(new Uint8Array(16 * 1024).fill(32));
    },
  });
  const { status } = await post(verify, undefined, { raw: large });
  expect([status, sent < 1024 * 1024]).toEqual([413, true]);
  await until(() => sent > 20 * 1024 * 1024);
});

test("a sender that stalls gets 408 after ten seconds, and no call leaves a timer behind", async () => {
  jest.useFakeTimers({ doNotFake: ["performance", "nextTick", "queueMicrotask", "setImmediate"] });
  try {
    const stalled = new ReadableStream<Uint8Array>({ start: (stream) => stream.enqueue(new Uint8Array([0x7b])) });
    const response = post(verify, undefined, { raw: stalled });
    await jest.advanceTimersByTimeAsync(10_000);
    const message = "Your answers took too long to reach us. Please try again.";
    expect(await response).toMatchObject({ status: 408, body: { success: false, message } });
    const { token } = await invited();
    const before = jest.getTimerCount();
    await post(verify, { token });
    expect(jest.getTimerCount()).toBeLessThanOrEqual(before);
  } finally {
    jest.useRealTimers();
  }
});

test("a body that breaks off gets 400", async () => {
  const cut = new ReadableStream<Uint8Array>({ start: (stream) => stream.error(new Error("reset")) });
  const { status, body } = await post(verify, undefined, { raw: cut });
  expect([status, body.message]).toEqual([400, "The request was cut off"]);
});
