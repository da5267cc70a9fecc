import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { freshDatabase } from "@/__tests__/support/database";
import { guess } from "@/__tests__/support/guess";

process.env.RATE_LIMIT_FACTOR = "0.5";
const { url } = freshDatabase();

const address = (n: number) => ({ "x-forwarded-for": `198.51.100.${n}` });
const times = <T>(n: number, one: T) => Array.from({ length: n }, () => one);
const refused = (statuses: number[]) => statuses.filter((status) => status === 429).length;

/** Guesses at another process of the app, with its own memory and pool and the same Postgres. */
async function guessElsewhere(settings: Record<string, string>, ...headers: Record<string, string>[]) {
  const command = ["--conditions=react-server", "--require", "tsx/cjs", "__tests__/support/guess.ts"];
  const env = { ...process.env, ...settings, DATABASE_URL: url };
  const { stdout } = await promisify(execFile)(process.execPath, [...command, JSON.stringify(headers)], { env });
  return JSON.parse(stdout) as number[];
}

test("two processes on one Postgres count together", async () => {
  const [ours, theirs] = await Promise.all([
    guess(times(10, address(7))),
    guessElsewhere({}, ...times(10, address(7))),
  ]);
  expect(refused([...ours, ...theirs])).toBe(10);
});

test("behind a trusted proxy, the address that it appended counts; earlier entries are ignored", async () => {
  const headers = Array.from({ length: 15 }, (_, n) => ({ "x-forwarded-for": `203.0.113.${n}, 192.0.2.1, 10.0.0.1` }));
  const statuses = await guessElsewhere({ TRUSTED_PROXIES: "1" }, ...headers, {
    "x-forwarded-for": "192.0.2.2, 10.0.0.1",
  });
  expect(refused(statuses)).toBe(5);
  expect(statuses.at(-1)).toBe(401);
});
