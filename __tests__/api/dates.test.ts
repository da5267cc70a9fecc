import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { freshDatabase } from "@/__tests__/support/database";

const { url, sql } = freshDatabase();

const pairs = [
  ["2026-03-01", "2027-02-28"],
  ["2024-02-29", "2025-02-28"],
  ["2026-10-04", "2027-04-04"],
  ["2026-03-08", "2026-11-01"],
  ["2025-12-31", "2026-01-01"],
  ["1900-01-01", "2199-12-31"],
];

test.each([
  ["UTC", 0],
  ["Australia/Sydney", -660],
  ["America/Los_Angeles", 480],
])("dates come back from the database as they went in where the server is in %s", async (TZ, offset) => {
  const script = "__tests__/support/dates-there-and-back.ts";
  const command = ["--conditions=react-server", "--require", "tsx/cjs", script, JSON.stringify(pairs)];
  const env = { ...process.env, TZ, DATABASE_URL: url, LOG_LEVEL: "silent" };
  const { stdout } = await promisify(execFile)(process.execPath, command, { env });
  expect(JSON.parse(stdout)).toEqual({ back: pairs, offset });
  const stored = await sql(
    `SELECT "leaseStartDate"::text, "leaseEndDate"::text FROM applications ORDER BY "createdAt" DESC LIMIT 1`,
  );
  expect(Object.values(stored[0] ?? {})).toEqual(pairs.at(-1));
});
