import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { freshDatabase } from "@/__tests__/support/database";
import { guess } from "@/__tests__/support/guess";
import { reportFigure, size } from "@/__tests__/support/size";

process.env.RATE_LIMIT_FACTOR = "0.5";
const { url } = freshDatabase();

/** The headers of requests from one client, which forges another address each time. */
const forging = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ "x-forwarded-for": `203.0.113.${n % 256}, 198.51.100.7` }));
const refused = (statuses: number[]) => statuses.filter((status) => status === 429).length;

/** Sends guesses to another process of the app, which has its own memory and pool and the same Postgres. */
async function guessElsewhere(settings: Record<string, string>, ...headers: Record<string, string>[]) {
  const command = ["--conditions=react-server", "--require", "tsx/cjs", "__tests__/support/guess.ts"];
  const env = { ...process.env, ...settings, DATABASE_URL: url };
  const { stdout } = await promisify(execFile)(process.execPath, [...command, JSON.stringify(headers)], { env });
  return JSON.parse(stdout) as number[];
}

test("two processes on one Postgres count together", async () => {
  const each = size(10, 500);
  const [ours, theirs] = await Promise.all([guess(forging(each)), guessElsewhere({}, ...forging(each))]);
  expect(refused([...ours, ...theirs])).toBe(2 * each - 10);
  reportFigure(12, `${2 * each} wrong tokens at two processes, X-Forwarded-For forged: all but 10 × 429`);
});

test("behind a trusted proxy, the address that it appended counts; earlier entries are ignored", async () => {
  const headers = Array.from({ length: 15 }, (_, n) => ({ "x-forwarded-for": `203.0.113.${n}, 192.0.2.1, 10.0.0.1` }));
  const statuses = await guessElsewhere({ TRUSTED_PROXIES: "1" }, ...headers, {
    "x-forwarded-for": "192.0.2.2, 10.0.0.1",
  });
  expect(refused(statuses)).toBe(5);
  expect(statuses.at(-1)).toBe(401);
});
