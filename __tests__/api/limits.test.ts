import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { landlord } from "@/__tests__/support/answers";
import { saveLandlord, verify } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { guess } from "@/__tests__/support/guess";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { program } from "@/__tests__/support/program";
import { reportFigure, size } from "@/__tests__/support/size";
import { POST as reportPolicy } from "@/app/api/csp-report/route";
import { POST as stop } from "@/app/api/messages/stop/route";
import { POST as sendVitals } from "@/app/api/vitals/route";
import { countAgainst, countGuess } from "@/lib/server/http/limits";
import { makeToken } from "@/lib/server/links/token";

process.env.RATE_LIMIT_FACTOR = "0.5";
process.env.METRICS_PORT = "9464";
const { url, withoutTable } = freshDatabase();

const address = (n: number) => ({ "x-forwarded-for": `198.51.100.${n}` });
const times = <T>(n: number, item: T) => Array.from({ length: n }, () => item);
const refused = (statuses: number[]) => statuses.filter((status) => status === 429).length;

test("more wrong tokens than the limit get 429 with Retry-After", async () => {
  expect(refused(await guess(times(10, address(1))))).toBe(0);
  const response = await post(verify, { token: makeToken() }, { headers: address(1) });
  expect(response.status).toBe(429);
  expect(response.body).toEqual({ success: false, message: "Too many requests" });
  const wait = Number(response.headers.get("retry-after"));
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

test("a valid link is never counted, however often it is opened", async () => {
  const { token } = await invited();
  for (let n = 0; n < 15; n += 1) {
    expect((await post(verify, { token }, { headers: address(5) })).status).toBe(200);
  }
});

test("two processes on one Postgres count together", async () => {
  const each = size(10, 500);
  const headers = Array.from({ length: each }, (_, n) => ({ "x-forwarded-for": `203.0.113.${n % 256}, 198.51.100.7` }));
  // Another process of the app has its own memory and pool.
  const env = { ...process.env, DATABASE_URL: url };
  const guesser = program("__tests__/support/guess.ts", JSON.stringify(headers));
  const elsewhere = promisify(execFile)(process.execPath, guesser, { env });
  const [ours, theirs] = await Promise.all([guess(headers), elsewhere]);
  expect(refused([...ours, ...JSON.parse(theirs.stdout)])).toBe(2 * each - 10);
  reportFigure(12, `${2 * each} wrong tokens at two processes, X-Forwarded-For forged: all but 10 × 429`);
});

test.each([
  ["reports of blocked content", "policyReportsWider", 120, reportPolicy],
  ["web vitals", "vitalsWider", 1200, sendVitals],
  ["opt-outs", "stopsWider", 1200, stop],
] as const)("%s are limited per IPv6 /48 too", async (_, name, points, call) => {
  const from = (address: string) => post(call, {}, { headers: { "x-forwarded-for": address } });
  await Promise.all(times(points - 1, name).map((limit) => countAgainst(limit, "2001:db8:7::/48")));
  expect((await from("2001:db8:7:1::1")).status).not.toBe(429);
  expect((await from("2001:db8:7:2::1")).status).toBe(429);
  expect((await from("2001:db8:8:2::1")).status).not.toBe(429);
});

test("saves are limited per application and minute", async () => {
  const { token, id } = await invited();
  const another = await invited();
  const save = (applicationToken: string) => post(saveLandlord, { token: applicationToken, data: landlord });
  for (let n = 1; n < 300; n += 1) await countAgainst("saves", id);
  expect((await save(token)).status).toBe(200);
  const { status, headers } = await save(token);
  expect(status).toBe(429);
  expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await save(another.token)).status).toBe(200);
});

test("if Postgres cannot count, the process counts in memory", async () => {
  await withoutTable("rate_limits", async () => {
    for (let n = 0; n < 10; n += 1) await countGuess("198.51.100.8");
    await expect(countGuess("198.51.100.8")).rejects.toMatchObject({ status: 429 });
  });
  reportFigure(12, "the same limit from memory while Postgres cannot count; good links open at a blocked address");
});
