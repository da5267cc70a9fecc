import { randomBytes } from "node:crypto";
import { Client, type QueryResultRow } from "pg";
import { closeDatabase } from "@/lib/server/db/client";
import { until } from "./until";

/**
 * A fresh migrated database for one test file, which the calls under test use as the app; and a way to query it as its owner.
 * Tests call what commands do in this same process, so the app may do it as well here; roles.test.ts tries what it may do alone.
 */
export function freshDatabase({ appIsOperations = true } = {}) {
  const template = new URL(process.env.TEST_TEMPLATE_URL ?? "");
  const mine = new URL(template);
  mine.pathname = `${template.pathname}_${randomBytes(4).toString("hex")}`;
  const copy = (url: string | undefined) => {
    const copied = new URL(url ?? "");
    copied.pathname = mine.pathname;
    return copied.href;
  };
  const appUrl = copy(process.env.TEST_APP_URL);
  const name = ({ pathname }: URL) => `"${pathname.slice(1)}"`;
  let client: Client;
  // Now, since settings are read once: a test file may do so before its first test.
  process.env.LOG_LEVEL ??= "silent";
  // Generous, since a busy machine is slow and the tests are not about time-outs.
  process.env.DATABASE_TIMEOUT_MS ??= "60000";

  beforeAll(async () => {
    await onServer(`CREATE DATABASE ${name(mine)} TEMPLATE ${name(template)}`);
    process.env.DATABASE_URL = appUrl;
    client = new Client({ connectionString: mine.href });
    client.on("error", () => {});
    await client.connect();
    if (!appIsOperations) return;
    const app = `"${new URL(appUrl).username}"`;
    await client.query(`GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO ${app}`);
  });
  afterAll(async () => {
    await closeDatabase();
    await client.end();
    await onServer(`DROP DATABASE ${name(mine)} WITH (FORCE)`);
  });

  return {
    url: mine.href,
    appUrl,
    operationsUrl: copy(process.env.TEST_OPERATIONS_URL),
    readerUrl: copy(process.env.TEST_READER_URL),
    /** Runs a statement and returns its rows. */
    async sql<Row extends QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
      return (await client.query<Row>(text, values)).rows;
    },
    /** Resolves once somebody waits for what these statements have locked. */
    async isWaitedFor(): Promise<void> {
      const blocked = "SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))";
      await until(async () => (await client.query(blocked)).rowCount !== 0);
    },
  };
}

/** Connects to another database: CREATE DATABASE … TEMPLATE fails while anybody is connected to the template. */
async function onServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: process.env.TEST_SERVER_URL });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
