import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { consent } from "@/__tests__/support/answers";
import { submitFinal } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { post } from "@/__tests__/support/post";
import { program } from "@/__tests__/support/program";
import { filledIn } from "@/__tests__/support/submitted";
import { prisma } from "@/lib/server/db/client";

const { url, sql } = freshDatabase();

const pairs = [
  ["2026-03-01", "2027-02-28"],
  ["2024-02-29", "2025-02-28"],
  ["2026-10-04", "2027-04-04"],
  ["2026-03-08", "2026-11-01"],
  ["2025-12-31", "2026-01-01"],
  ["1900-01-01", "2199-12-31"],
];

const read = [
  "March 1, 2026",
  "February 29, 2024",
  "October 4, 2026",
  "March 8, 2026",
  "December 31, 2025",
  "January 1, 1900",
];

test.each([
  ["Australia/Sydney", -660],
  ["America/Los_Angeles", 480],
])("dates are stored, returned and displayed as the same days where the server is in %s", async (TZ, offset) => {
  const script = "__tests__/support/round-trip-dates.ts";
  const command = program(script, JSON.stringify(pairs));
  const env = { ...process.env, TZ, DATABASE_URL: url, LOG_LEVEL: "silent" };
  const { stdout } = await promisify(execFile)(process.execPath, command, { env });
  expect(JSON.parse(stdout)).toEqual({ back: pairs, read, offset });
  const stored = await sql(
    `SELECT "leaseStartDate"::text, "leaseEndDate"::text FROM applications ORDER BY "createdAt" DESC LIMIT 1`,
  );
  expect(Object.values(stored[0] ?? {})).toEqual(pairs.at(-1));
});

test("times are right on a database in another time zone: Prisma writes and reads them without their zone", async () => {
  await sql(
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET TimeZone = %L', current_database(), 'Australia/Sydney'); END $$`,
  );
  const { token, id } = await filledIn({ mobile: "61412345678" }, { expiresInDays: 1 });
  const { body } = await post(submitFinal, { token, data: consent });
  const [{ late, days } = {}] = await sql<{ late: number; days: number }>(
    `SELECT abs(extract(epoch FROM now() - "submittedAt"))::float AS late,
       (SELECT extract(epoch FROM "expiresAt" - l."createdAt")::float / 86400 FROM links l WHERE l."applicationId" = a.id) AS days
     FROM applications a WHERE id = $1`,
    [id],
  );
  expect(late).toBeLessThan(60);
  expect(days).toBeCloseTo(1, 1);
  const { submittedAt } = await prisma().application.findUniqueOrThrow({ where: { id } });
  expect(submittedAt?.toISOString()).toBe((body.data as { submittedAt: string }).submittedAt);
});
