import { landlord } from "@/__tests__/support/answers";
import { saveLandlord } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { lines, logged } from "@/__tests__/support/log-lines";
import { post } from "@/__tests__/support/post";
import { readinessCache } from "@/__tests__/support/readiness-cache";
import { reportFigure } from "@/__tests__/support/size";
import { GET as health } from "@/app/api/health/route";
import { GET as ready } from "@/app/api/ready/route";
import { closeDatabase, database } from "@/lib/server/db/client";
import { missingForCalls } from "@/lib/server/db/system-queries";

process.env.LOG_LEVEL = "info";
const { appUrl, sql, insertMessage, withoutTable } = freshDatabase();
const app = () => `"${new URL(appUrl).username}"`;

jest.mock("pino", () => require("@/__tests__/support/log-lines").pinoMock);

const endCache = readinessCache();

async function without<T>(take: string, giveBack: string, look: () => Promise<T>): Promise<T> {
  await sql(take);
  return look().finally(() => sql(giveBack));
}

test("health is 200 while the database answers", async () => {
  const response = await health();
  expect([response.status, await response.json()]).toEqual([200, { status: "ok" }]);
  expect(response.headers.get("cache-control")).toBe("no-store");
});

test("with every table, privilege and migration the app is ready, and its test write leaves no row", async () => {
  const response = await ready();
  expect([response.status, await response.json()]).toEqual([200, { status: "ready" }]);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(await sql("SELECT * FROM rate_limits")).toEqual([]);
});

test("without any one of its tables the app is not ready", async () => {
  // The app never uses data_reads, in which commands record who has read personal data, nor the sessions of the desk.
  const tables = await sql<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema() AND tablename NOT IN ('data_reads', 'desk_sessions')",
  );
  expect(tables.length).toBeGreaterThan(6);
  for (const { name } of tables) {
    expect(await withoutTable(name, missingForCalls)).toEqual([`table ${name}`]);
  }
  expect(await missingForCalls()).toEqual([]);
});

test("without a privilege the app is not ready, and calls that need it get 503 until it is granted again", async () => {
  const { token } = await invited();
  endCache();
  lines.length = 0;
  await without(`REVOKE INSERT ON events FROM ${app()}`, `GRANT INSERT ON events TO ${app()}`, async () => {
    const response = await ready();
    expect([response.status, await response.json()]).toEqual([503, { status: "unready" }]);
    endCache();
    await ready();
    const { status, headers } = await post(saveLandlord, { token, data: landlord });
    expect([status, headers.get("retry-after")]).toEqual([503, "5"]);
    expect((await health()).status).toBe(200);
  });
  endCache();
  expect((await ready()).status).toBe(200);
  expect((await post(saveLandlord, { token, data: landlord })).status).toBe(200);
  expect(logged()).toEqual([
    expect.objectContaining({ level: 50, ready: false, missing: ["INSERT on events"] }),
    expect.objectContaining({
      call: "submit-step-1",
      status: 503,
      error: { name: "PrismaClientKnownRequestError", code: "42501" },
    }),
    expect.objectContaining({ level: 30, ready: true }),
    expect.objectContaining({ call: "submit-step-1", status: 200 }),
  ]);
  reportFigure(58, "without any one table or a right: unready, 503 with Retry-After, and ready again by itself");
});

test.each([
  [`UPDATE ("lastUsedAt") ON api_keys`, "UPDATE on api_keys"],
  ["USAGE ON SEQUENCE messages_number_seq", "USAGE on messages_number_seq"],
])("without %s the app is not ready", async (privilege, missing) => {
  const look = missingForCalls;
  expect(await without(`REVOKE ${privilege} FROM ${app()}`, `GRANT ${privilege} TO ${app()}`, look)).toEqual([missing]);
  expect(await missingForCalls()).toEqual([]);
});

test("UPDATE on a sequence is enough to take numbers from it", async () => {
  const sequence = `ON SEQUENCE messages_number_seq`;
  await without(
    `GRANT UPDATE ${sequence} TO ${app()}; REVOKE USAGE ${sequence} FROM ${app()}`,
    `GRANT USAGE ${sequence} TO ${app()}; REVOKE UPDATE ${sequence} FROM ${app()}`,
    async () => {
      expect(await missingForCalls()).toEqual([]);
      await database().pool.query("SELECT nextval('messages_number_seq')");
    },
  );
});

test("a missing migration is named; a migration of a newer version is ignored", async () => {
  const take = "UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name LIKE '%_init'";
  const giveBack = "UPDATE _prisma_migrations SET finished_at = now()";
  expect(await without(take, giveBack, missingForCalls)).toEqual([expect.stringMatching(/^migration \d+_init$/)]);
  const later = "SELECT 'x', checksum, now(), '99991231000000_later' FROM _prisma_migrations LIMIT 1";
  await sql(`INSERT INTO _prisma_migrations ${later}`);
  expect(await missingForCalls()).toEqual([]);
});

test("a database that refuses writes fails readiness", async () => {
  const role = `ALTER ROLE ${app()} IN DATABASE "${new URL(appUrl).pathname.slice(1)}"`;
  const look = async () => {
    await closeDatabase();
    await expect(missingForCalls()).rejects.toMatchObject({ code: "25006" });
    await closeDatabase();
  };
  await without(`${role} SET default_transaction_read_only = on`, `${role} RESET default_transaction_read_only`, look);
  expect(await missingForCalls()).toEqual([]);
});

test("an overdue message is reported and does not fail readiness", async () => {
  await insertMessage({ dueAt: new Date(Date.now() - 3_600_000) });
  endCache();
  const response = await ready();
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ status: "ready", oldestMessageDueSeconds: expect.closeTo(3602, -1) });
  await sql("DELETE FROM messages");
});

test("any number of probes within a second check the database once", async () => {
  endCache();
  const connect = jest.spyOn(database().pool, "connect");
  await Promise.all(Array.from({ length: 100 }, () => ready()));
  await ready();
  // A check connects once for missing privileges, once for the oldest due message, and once for the standby setting.
  expect(connect).toHaveBeenCalledTimes(3);
});
