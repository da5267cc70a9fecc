import { createHash } from "node:crypto";
import { consent, landlord } from "@/__tests__/support/answers";
import { allCalls, saveLandlord, verify } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { home, post } from "@/__tests__/support/post";
import { realTimers } from "@/__tests__/support/real-timers";
import { reportFigure } from "@/__tests__/support/size";
import { submitted } from "@/__tests__/support/submitted";
import { defaultAnswers, invitableAnswers } from "@/lib/domain/application";
import { isTokenShaped, linkTo, makeToken } from "@/lib/server/links/token";

process.env.RATE_LIMIT_FACTOR = "1000";
process.env.APP_URL = "https://apply.example";
const { sql, countRows, whileLocked } = freshDatabase();

test("a link opens while a list of decisions holds its application, and a later call records the first opening", async () => {
  const { token, id } = await submitted();
  await sql(`UPDATE links SET "openedAt" = NULL WHERE "applicationId" = $1`, [id]);
  const opened = () => countRows(`links WHERE "applicationId" = '${id}' AND "openedAt" IS NOT NULL`);
  const lock = "SELECT FROM applications WHERE id = $1 FOR NO KEY UPDATE";
  const { status } = await whileLocked(lock, [id], () => post(verify, { token }));
  expect([status, await opened()]).toEqual([200, 0]);
  expect((await post(verify, { token })).status).toBe(200);
  expect(await opened()).toBe(1);
});

test("a landlord with a valid link gets the application, prefilled with the invited values", async () => {
  const grace = { mobile: "61412345678", firstName: "Grace", invoiceAmount: "2450.50" };
  const { token, reference } = await invited({ ...grace, invoiceAmount: "2450.5" }, { source: "ia" });
  const { status, body } = await post(verify, { token, source: "ia" });
  expect(status).toBe(200);
  expect(body).toEqual({
    success: true,
    data: {
      reference,
      consent: null,
      status: "draft",
      submittedAt: null,
      version: expect.stringMatching(/^[0-9a-f]{64}$/),
      ...defaultAnswers,
      ...grace,
      source: "ia",
      invited: { ...Object.fromEntries(invitableAnswers.map((name) => [name, ""])), ...grace },
      savedSteps: [],
    },
  });
});

test("a link can be verified any number of times; only its first opening is recorded", async () => {
  const { token, id } = await invited();
  for (let time = 0; time < 30; time += 1) expect((await post(verify, { token })).status).toBe(200);
  const opened = `SELECT address FROM events WHERE "applicationId" = $1 AND kind = 'link_opened'`;
  expect(await sql(opened, [id])).toEqual([{ address: home }]);
});

test.each([-365, 365])("a server whose clock is %i days off opens live links and no expired ones", async (days) => {
  const [live, expired] = [await invited(), await invited({}, { expiresInDays: -1 })];
  const now = Date.now() + days * 86_400_000;
  jest.useFakeTimers({ now, doNotFake: realTimers });
  try {
    expect((await post(verify, { token: live.token })).status).toBe(200);
    expect((await post(verify, { token: expired.token })).status).toBe(401);
  } finally {
    jest.useRealTimers();
  }
});

test("a revoked link is refused at the very next call", async () => {
  for (const { handler } of allCalls) {
    const { token, id } = await invited();
    expect((await post(saveLandlord, { token, data: landlord })).status).toBe(200);
    await sql(`UPDATE links SET "revokedAt" = now() WHERE "applicationId" = $1`, [id]);
    expect((await post(handler, { token, data: landlord })).status).toBe(401);
  }
  reportFigure(14, "a link revoked before each call: 401; with the server's clock a year off, only live links open");
});

test("unknown, tampered, expired, revoked and unreadable tokens get one identical response", async () => {
  const expired = await invited({}, { expiresInDays: -1 });
  const revoked = await invited();
  await sql(`UPDATE links SET "revokedAt" = now() WHERE "applicationId" = $1`, [revoked.id]);
  const tampered = `${revoked.token.slice(0, -2)}AA`;
  const unreadable = [undefined, null, 7, "", "short", {}, [revoked.token], { equals: revoked.token }, "' OR 1=1 --"];
  const responses = [];
  for (const { handler } of allCalls)
    for (const token of [makeToken(), tampered, expired.token, revoked.token, ...unreadable]) {
      const { status, body, headers } = await post(handler, { token, data: consent });
      responses.push({ status, body, names: [...headers.keys()].sort().join() });
    }
  expect(responses[0]).toMatchObject({ status: 401, body: { success: false, message: "Token verification failed" } });
  for (const response of responses) expect(response).toEqual(responses[0]);
  reportFigure(11, `${responses.length} calls with 13 kinds of wrong token: 1 identical answer`);
});

test("the database holds the SHA-256 of a token and the token nowhere", async () => {
  const { token, id } = await submitted();
  const stored = `SELECT "tokenHash" FROM link_tokens JOIN links ON links.id = "linkId" WHERE "applicationId" = $1`;
  const [link] = await sql(stored, [id]);
  expect(link?.tokenHash.toString("hex")).toBe(createHash("sha256").update(token).digest("hex"));
  const bytes = Buffer.from(token, "base64url");
  const forms = [token, bytes.toString("base64"), bytes.toString("hex"), Buffer.from(token).toString("hex")];
  const tables = await sql("SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'");
  for (const { name } of tables) {
    const isHolding = "EXISTS (SELECT FROM unnest($1::text[]) AS form WHERE strpos(to_jsonb(t)::text, form) > 0)";
    expect(await sql(`SELECT 1 FROM ${name} AS t WHERE ${isHolding}`, [forms])).toEqual([]);
  }
  const found = `its SHA-256 in the database, the token in none of ${tables.length} tables`;
  reportFigure(11, `a submitted application's token: ${found}`);
});

const token = "aB3-_".repeat(9).slice(0, 43);

test.each([
  ["ba", `https://apply.example/?token=${token}&source=ba`],
  ["", `https://apply.example/?token=${token}`],
])("a link with the source '%s' is %s", (source, link) => {
  expect(linkTo(token, source)).toBe(link);
});

test("tokens are 32 random bytes, and no two are alike", () => {
  const count = 4000;
  const made = Array.from({ length: count }, makeToken);
  expect(new Set(made).size).toBe(count);
  expect(made.every(isTokenShaped)).toBe(true);
  const all = made.map((text) => Buffer.from(text, "base64url"));
  expect(all.filter(({ length }) => length !== 32)).toEqual([]);
  const sixDeviations = 6 * Math.sqrt(count / 4);
  for (let bit = 0; bit < 256; bit += 1) {
    const set = all.filter((bytes) => (bytes[bit >> 3] ?? 0) & (1 << (bit & 7))).length;
    expect(Math.abs(set - count / 2)).toBeLessThan(sixDeviations);
  }
  reportFigure(11, `${count} tokens of 256 bits, no bit biased`);
});

const misshapen = [
  undefined,
  null,
  7,
  [token],
  { length: 43 },
  "",
  token.slice(1),
  `${token}x`,
  `x${token}`,
  `${token}\n`,
];

test.each(misshapen)("%j is refused without a query", (text) => {
  expect(isTokenShaped(text)).toBe(false);
});

test.each([token, "_".repeat(43), "0".repeat(43)])("%s may be a token", (text) => {
  expect(isTokenShaped(text)).toBe(true);
});
