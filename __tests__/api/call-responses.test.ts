import { NextRequest } from "next/server";
import { consent, wholeApplication } from "@/__tests__/support/answers";
import { fillIn, saves, submitFinal, submitWhole, verify } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { home, post } from "@/__tests__/support/post";
import { envelopedCall, userCall } from "@/lib/server/http/call";
import { CallError } from "@/lib/server/http/call-error";
import { clientAddress } from "@/lib/server/http/client-address";
import { errorForLog } from "@/lib/server/http/log";
import { readFields } from "@/lib/server/http/read-body";
import { currentSettings, replaceSettings } from "@/lib/server/settings";
import { proxy } from "@/proxy";

const { sql } = freshDatabase();

const testCall = { name: "own", failure: "The call failed" };

test("a body of exactly 32 kB is read, and one byte more is not", async () => {
  const { token } = await invited();
  const body = (size: number) => JSON.stringify({ token, pad: "" }).replace('""', `"${"x".repeat(size)}"`);
  const padding = 32 * 1024 - body(0).length;
  for (const headers of [undefined, { "content-length": "32768" }])
    expect((await post(verify, undefined, { raw: body(padding), headers })).status).toBe(200);
  expect((await post(verify, undefined, { raw: body(padding + 1) })).status).toBe(413);
});

test("a form is read as its fields, with the bytes that may be signed", async () => {
  const read = (type: string, body: string) =>
    readFields(new Request("http://localhost/", { method: "POST", headers: { "content-type": type }, body }));
  const form = await read("application/x-www-form-urlencoded", "a=1&b=%20x");
  expect([form.fields, Buffer.from(form.body).toString()]).toEqual([{ a: "1", b: " x" }, "a=1&b=%20x"]);
  const json = await read("application/json; charset=utf-8", '{"a":1}');
  expect([json.fields, Buffer.from(json.body).toString()]).toEqual([{ a: 1 }, '{"a":1}']);
  await expect(read("text/plain", "a=1")).rejects.toMatchObject({
    status: 415,
    message: "Send the request as application/json or as a form",
  });
});

test("a call's return value is its data, and a call may define its own success status and message", async () => {
  const plain = await post(envelopedCall(testCall, async () => ({ n: 1 })).POST, {});
  expect([plain.status, plain.body]).toEqual([200, { success: true, data: { n: 1 } }]);
  const nothing = await post(envelopedCall(testCall, async () => undefined).POST, {});
  expect(nothing.body).toEqual({ success: true });
  const success = { status: 202, message: "It is on its way" };
  const response = await post(envelopedCall({ ...testCall, success }, async () => undefined).POST, {});
  expect([response.status, response.body]).toEqual([202, { success: true, message: "It is on its way" }]);
});

test("a refusal may carry data and a time to wait; any other error shows only the call's own message", async () => {
  const refused = envelopedCall(testCall, async () => {
    throw new CallError(409, "Changed meanwhile", { data: { n: 1 }, headers: { "retry-after": "7" } });
  });
  const { status, body, headers } = await post(refused.POST, {});
  expect([status, body]).toEqual([409, { success: false, message: "Changed meanwhile", data: { n: 1 } }]);
  expect([headers.get("retry-after"), headers.get("allow")]).toEqual(["7", null]);
  const broken = envelopedCall(testCall, async () => {
    throw new TypeError("x is not a function");
  });
  const answer = await post(broken.POST, {});
  expect([answer.status, answer.body]).toEqual([500, { success: false, message: "The call failed" }]);
});

test("an unexpected error gets the message of its call (specification, section 8)", async () => {
  const { token } = await invited();
  await fillIn(token);
  // No row of applications can be written.
  await sql("ALTER TABLE applications ADD CONSTRAINT closed CHECK (false) NOT VALID");
  const responses = await Promise.all([
    ...saves.map(({ handler, answers }) => post(handler, { token, data: answers })),
    post(submitFinal, { token, data: consent }),
    post(submitWhole, { token, data: wholeApplication }),
  ]);
  await sql("ALTER TABLE applications DROP CONSTRAINT closed");
  expect(responses.map(({ status, body }) => [status, body.message])).toEqual([
    [500, "Step 1 submission failed"],
    [500, "Step 2 submission failed"],
    [500, "Step 3 submission failed"],
    [500, "Final submission failed"],
    [500, "Data submission failed"],
  ]);
});

test("an action gets the client's user agent without control characters, cut to the stored length", async () => {
  const { token, reference } = await invited();
  const seen: object[] = [];
  const { POST } = userCall({
    ...testCall,
    action: ({ userAgent, address, data, row }) =>
      void seen.push({ userAgent, address, data, reference: row.reference }),
  });
  await post(POST, { token, data: { a: 1 } }, { headers: { "user-agent": `Phone\u0085\u009b ${"x".repeat(600)}` } });
  await post(POST, { token, data: { a: 1 } });
  const all = { address: home, data: { a: 1 }, reference };
  expect(seen).toEqual([
    { userAgent: `Phone ${"x".repeat(492)}`, ...all },
    { userAgent: "", ...all },
  ]);
});

test("a call that loses a deadlock is retried once; other failures are not retried", async () => {
  const { token } = await invited();
  const failing = async (...codes: string[]) => {
    let tries = 0;
    const action = async () => {
      const code = codes[tries];
      tries += 1;
      if (code) await sql(`DO $$ BEGIN RAISE EXCEPTION 'as asked' USING ERRCODE = '${code}'; END $$`);
    };
    return [(await post(userCall({ ...testCall, action }).POST, { token })).status, tries];
  };
  expect(await failing("40P01")).toEqual([200, 2]);
  expect(await failing("40P01", "40P01")).toEqual([503, 2]);
  expect(await failing("23514")).toEqual([500, 1]);
});

test("the client's address is the socket's, which server.mjs appends, or behind proxies the entry that they appended", () => {
  const settings = currentSettings();
  const from = (TRUSTED_PROXIES: number, headers: Record<string, string>) => {
    replaceSettings({ ...settings, TRUSTED_PROXIES });
    return clientAddress(new Headers(headers));
  };
  const forwarded = { "x-forwarded-for": "198.51.100.1, 198.51.100.2 ,198.51.100.3, 10.0.0.1" };
  const addresses = ["10.0.0.1", "198.51.100.3", "198.51.100.2", "198.51.100.1", "10.0.0.1"];
  expect([0, 1, 2, 3, 4].map((proxies) => from(proxies, forwarded))).toEqual(addresses);
  expect(from(1, { "x-forwarded-for": "10.0.0.1" })).toBe("10.0.0.1");
  expect(from(0, {})).toBe("");
  replaceSettings(settings);
});

test("an error is logged by its name and code, any other thrown value by its type", () => {
  expect(errorForLog("text")).toEqual({ name: "string" });
  expect(errorForLog(new TypeError("of ada@example.com"))).toEqual({ name: "TypeError", code: undefined });
  const cause = Object.assign(new Error("inner"), { code: "ECONNRESET" });
  expect(errorForLog(new RangeError("outer", { cause }))).toEqual({ name: "Error", code: "ECONNRESET" });
  expect(errorForLog(new Error("timeout exceeded when trying to connect"))).toEqual({ name: "PoolExhausted" });
});

test("pages run only their own scripts and cannot be framed", () => {
  const policy = () => proxy(new NextRequest("http://localhost/")).headers.get("content-security-policy") ?? "";
  const withoutValues = policy().replace(/-[\w+/=]{22,}/g, "");
  expect(withoutValues.split("; ")).toEqual([
    "default-src 'self'",
    "script-src 'self' 'nonce' 'strict-dynamic'",
    expect.stringMatching(/^style-src 'self' ('sha256'|'unsafe-inline')$/),
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "report-uri /api/csp-report",
  ]);
  jest.replaceProperty(process.env, "NODE_ENV", "development");
  expect(policy()).toContain("'strict-dynamic' 'unsafe-eval'; ");
});
