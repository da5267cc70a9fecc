import { landlord } from "@/__tests__/support/answers";
import { saveLandlord, verify } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { guess } from "@/__tests__/support/guess";
import { invited } from "@/__tests__/support/invited";
import { type Answer, post } from "@/__tests__/support/post";
import { reportFigure } from "@/__tests__/support/size";
import { countGuess } from "@/lib/server/http/limits";
import { makeToken } from "@/lib/server/links/token";

process.env.RATE_LIMIT_FACTOR = "0.5";
const { sql } = freshDatabase();

const address = (n: number) => ({ "x-forwarded-for": `198.51.100.${n}` });
const times = <T>(n: number, item: T) => Array.from({ length: n }, () => item);
const refused = (statuses: number[]) => statuses.filter((status) => status === 429).length;

test("more wrong tokens than the limit get 429 with Retry-After", async () => {
  expect(refused(await guess(times(10, address(1))))).toBe(0);
  const answer: Answer = await post(verify, { token: makeToken() }, { headers: address(1) });
  expect(answer.status).toBe(429);
  expect(answer.body).toEqual({
    success: false,
    message: "Too many requests.",
  });
  const wait = Number(answer.headers.get("retry-after"));
  expect(wait).toBeGreaterThan(200);
  expect(wait).toBeLessThanOrEqual(300);
});

test("malformed and missing tokens count as guesses too", async () => {
  for (let n = 0; n < 10; n += 1) await post(verify, { token: n }, { headers: address(2) });
  expect((await post(verify, {}, { headers: address(2) })).status).toBe(429);
});

test("a blocked address blocks no other, and a valid link still opens from it", async () => {
  await guess(times(15, address(3)));
  expect(await guess(times(1, address(4)))).toEqual([401]);
  const { token } = await invited();
  expect((await post(verify, { token }, { headers: address(3) })).status).toBe(200);
});

test("a good link is never counted, however often it is opened", async () => {
  const { token } = await invited();
  for (let n = 0; n < 60; n += 1) {
    expect((await post(verify, { token }, { headers: address(5) })).status).toBe(200);
  }
});

test("a forged X-Forwarded-For does not raise the limit", async () => {
  const headers = Array.from({ length: 15 }, (_, n) => ({ "x-forwarded-for": `203.0.113.${n}, 198.51.100.6` }));
  expect(refused(await guess(headers))).toBe(5);
});

test("saves are limited per application and minute", async () => {
  const { token } = await invited();
  const another = await invited();
  const save = (applicationToken: string) => post(saveLandlord, { token: applicationToken, data: landlord });
  expect((await save(token)).status).toBe(200);
  await sql("UPDATE rate_limits SET points = 300 WHERE key LIKE 'saves:%'");
  const { status, headers } = await save(token);
  expect(status).toBe(429);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await save(another.token)).status).toBe(200);
});

test("if Postgres cannot count, the process counts in memory", async () => {
  await sql("ALTER TABLE rate_limits RENAME TO rate_limits_away");
  for (let n = 0; n < 10; n += 1) await countGuess("198.51.100.8");
  await expect(countGuess("198.51.100.8")).rejects.toMatchObject({ status: 429 });
  await sql("ALTER TABLE rate_limits_away RENAME TO rate_limits");
  reportFigure(12, "the same limit from memory while Postgres cannot count; good links open at a blocked address");
});
