import { consent, landlord, wholeApplication } from "@/__tests__/support/answers";
import { allCalls, fillIn, saveAgent, saveLandlord, submitFinal, verify } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { lines, logged } from "@/__tests__/support/log-lines";
import { arrive, home, post } from "@/__tests__/support/post";
import { withSettings } from "@/__tests__/support/with-settings";
import { closeDatabase, database, openDatabase, prisma } from "@/lib/server/db/client";
import { errorForLog, hashForLog, logProcess, logSender, millisecondsSince } from "@/lib/server/http/log";

process.env.LOG_LEVEL = "debug";
const { sql, withoutTable } = freshDatabase();

jest.mock("pino", () => require("@/__tests__/support/log-lines").pinoMock);

const canary = { firstName: "Canaria", email: "canary@example.com", mobile: "61400777666" };

test("each call writes one line: which, how it ended, how long it took, and for which application", async () => {
  const { token, reference } = await invited();
  lines.length = 0;
  const { headers } = await post(verify, { token });
  expect(lines).toHaveLength(1);
  expect(logged()[0]).toEqual({
    level: 30,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
    call: "verify-token",
    status: 200,
    milliseconds: expect.any(Number),
    requestId: headers.get("x-request-id"),
    reference,
  });
});

test("each page that verifies a link writes one line, whether it opens, is refused, or the database is unavailable", async () => {
  const { token, reference } = await invited();
  lines.length = 0;
  await arrive(token);
  await arrive(`${token}x`);
  await arrive(null);
  await withoutTable("links", () => arrive(token));
  const page = { time: expect.any(String), call: "page", status: 200, milliseconds: expect.any(Number) };
  expect(logged()).toEqual([
    { level: 30, ...page, reference },
    { level: 30, ...page, refused: "link", from: expect.stringMatching(/^[\w-]{16}$/) },
    { level: 50, ...page, error: { name: "DatabaseError", code: "42P01" } },
  ]);
});

test("a refused answer is logged by its name; a key that a client invented is not logged", async () => {
  const { token } = await invited();
  lines.length = 0;
  await post(saveLandlord, { token, data: { ...landlord, email: "canary", [canary.email]: "x", firstName: "" } });
  expect(logged()[0]).toMatchObject({ status: 422, fields: ["email", "firstName"] });
  expect(lines.join("")).not.toContain("canary");
});

test("a call that waited too long for a connection is logged as such", async () => {
  const { token } = await invited();
  const { pool } = database();
  const busy = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  const { connectionTimeoutMillis } = pool.options;
  pool.options.connectionTimeoutMillis = 100;
  lines.length = 0;
  const { status } = await post(verify, { token });
  const prismaError = await prisma().link.count().catch(errorForLog);
  pool.options.connectionTimeoutMillis = connectionTimeoutMillis;
  for (const client of busy) client.release();
  expect([status, prismaError]).toEqual([503, { name: "PoolExhausted" }]);
  expect(logged()[0]).toMatchObject({ level: 50, status: 503, error: { name: "PoolExhausted" } });
});

test("a call that exceeds its time limit is logged as such, and not as an unreachable database", async () => {
  const { token } = await invited();
  const { pool } = database();
  const busy = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  lines.length = 0;
  const { status } = await withSettings({ DATABASE_TIMEOUT_MS: 100 }, () => post(verify, { token }));
  for (const client of busy) client.release();
  expect([status, logged()[0]?.error]).toEqual([503, { name: "DatabaseTimeout" }]);
});

test("no log line contains a name, an email, a phone number or a token, whatever the outcome", async () => {
  const { token } = await invited({ firstName: canary.firstName });
  lines.length = 0;
  const raw = `{"token":"${token}","data":{"firstName":"${canary.firstName}"`;
  for (const { handler } of allCalls) {
    await post(handler, { token, data: { ...canary, email: `${canary.email}@` } });
    await post(handler, { token: `${token}x`, data: canary });
    await post(handler, undefined, { raw });
    await post(handler, { token, data: canary }, { headers: { "content-type": "text/plain" } });
  }
  await post(saveLandlord, { token, data: { ...landlord, ...canary } });
  await fillIn(token);
  await post(submitFinal, { token, data: consent });
  await post(saveAgent, { token, data: canary });
  expect(lines.length).toBeGreaterThan(25);
  const all = lines.join("");
  for (const value of [...Object.values(canary), token, token.slice(0, 12)]) expect(all).not.toContain(value);
});

test("every refused call or page is one log line that identifies the client only by a keyed hash", async () => {
  const addresses = ["198.51.100.9", "198.51.100.10", "2001:db8:8:8::1", "2001:db8:8:8::2", "2001:db8:8:9::1"];
  const token = "x".repeat(43);
  lines.length = 0;
  for (const address of addresses) {
    await post(verify, { token }, { headers: { "x-forwarded-for": address } });
    await arrive(token, null, { "x-forwarded-for": address });
  }
  const refusals = logged();
  expect(refusals).toHaveLength(2 * addresses.length);
  for (const [index, { call, status, from }] of refusals.entries()) {
    expect([call, status]).toEqual(index % 2 ? ["page", 200] : ["verify-token", 401]);
    expect(from).toMatch(/^[\w-]{16}$/);
    // A call and a page of one client have the same hash. The addresses of one /64 count as one client.
    expect(from).toBe(refusals[index - (index % 2)]?.from);
  }
  const hashes = addresses.map((_, index) => refusals[2 * index]?.from);
  expect(hashes[3]).toBe(hashes[2]);
  expect(new Set(hashes).size).toBe(4);
  for (const address of addresses) expect(lines.join("")).not.toContain(address);
});

test("a page refused after too many wrong links is logged as 429", async () => {
  const from = { "x-forwarded-for": "198.51.100.77" };
  for (let n = 0; n < 20; n += 1) await arrive("T", null, from);
  lines.length = 0;
  await arrive("T", null, from);
  expect(logged()[0]).toMatchObject({ call: "page", status: 429, refused: "link" });
  await post(verify, { token: "T" }, { headers: from });
  expect(logged()[1]).toMatchObject({ status: 429, from: expect.stringMatching(/^[\w-]{16}$/) });
});

test("durations are milliseconds to a tenth", () => {
  const measured = millisecondsSince(performance.now() - 1234.56);
  expect(measured).toBeGreaterThanOrEqual(1234.5);
  expect(measured).toBeLessThan(1500);
  expect(String(measured)).toMatch(/^\d+(\.\d)?$/);
});

test("a start, a database, an attempt to send, a provider and the evidence log are one line each", () => {
  const start = {
    version: "1",
    commit: "abc",
    database: "lender",
    user: "app",
    listens: "::",
    address: "https://apply.example",
  };
  const outage = { channel: "sms", since: "2026-11-22T06:00:00.000Z", minutes: 10 };
  lines.length = 0;
  logProcess("info", { start });
  logProcess("info", { database: "ready", commitsWaitForStandby: true });
  logProcess("error", { evidence: "failed", error: errorForLog(new RangeError(canary.email)) });
  logSender({ channel: "email", message: 7, outcome: "sent" });
  logSender({ channel: "email", error: { name: "PrismaClientKnownRequestError", code: "42P01" } });
  logProcess("warn", { ...outage, provider: "unreachable", reason: "ECONNREFUSED" });
  logProcess("info", { ...outage, provider: "reachable" });
  const time = expect.any(String);
  expect(logged()).toEqual([
    { level: 30, time, start },
    { level: 30, time, database: "ready", commitsWaitForStandby: true },
    { level: 50, time, evidence: "failed", error: { name: "RangeError" } },
    { level: 30, time, channel: "email", message: 7, outcome: "sent" },
    { level: 50, time, channel: "email", error: { name: "PrismaClientKnownRequestError", code: "42P01" } },
    { level: 40, time, ...outage, provider: "unreachable", reason: "ECONNREFUSED" },
    { level: 30, time, ...outage, provider: "reachable" },
  ]);
});

test("the hash of an address has a key, which comes with the database's URL", async () => {
  const { url } = database();
  const hash = hashForLog(home);
  await closeDatabase();
  openDatabase("postgres://app:another-password@localhost/lender");
  expect(hashForLog(home)).not.toBe(hash);
  await closeDatabase();
  openDatabase(url);
  expect(hashForLog(home)).toBe(hash);
});

test("a constraint violation is our own fault: 500, logged by name and code alone", async () => {
  const { token } = await invited();
  await sql("ALTER TABLE applications ADD CONSTRAINT no_canary CHECK (email <> 'canary@example.com')");
  lines.length = 0;
  const { status, headers } = await post(saveLandlord, { token, data: { ...landlord, ...canary } });
  // Retry-After is missing because a retry would fail the same way.
  expect([status, headers.get("retry-after")]).toEqual([500, null]);
  // The SQLSTATE of check_violation.
  expect(logged()[0]).toMatchObject({ level: 50, status: 500, error: { name: "DatabaseError", code: "23514" } });
  for (const value of Object.values(canary)) expect(lines.join("")).not.toContain(value);
  await sql("ALTER TABLE applications DROP CONSTRAINT no_canary");
});

test("responses reveal nothing internal either: no stack, no statement, no path", async () => {
  const { token } = await invited();
  const { status, body } = await withoutTable("events", () => post(saveLandlord, { token, data: wholeApplication }));
  expect(status).toBe(503);
  expect(Object.keys(body)).toEqual(["success", "message"]);
  expect(JSON.stringify(body)).not.toMatch(/events|prisma|select|insert|node_modules|\.ts/i);
});
