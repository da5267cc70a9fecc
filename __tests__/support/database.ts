import { randomBytes } from "node:crypto";
import { Client, type QueryResultRow } from "pg";
import { closeDatabase } from "@/lib/server/database/client";

/** A fresh migrated database for one test file, which the calls under test use; and a way to look into it. */
export function freshDatabase() {
  const template = new URL(process.env.TEST_TEMPLATE_URL ?? "");
  const mine = new URL(template);
  mine.pathname = `${template.pathname}_${randomBytes(4).toString("hex")}`;
  const name = ({ pathname }: URL) => `"${pathname.slice(1)}"`;
  let client: Client;

  beforeAll(async () => {
    await onServer(`CREATE DATABASE ${name(mine)} TEMPLATE ${name(template)}`);
    process.env.DATABASE_URL = mine.href;
    process.env.LOG_LEVEL ??= "silent";
    // A busy machine is slow, not wrong.
    process.env.DATABASE_TIMEOUT_MS ??= "15000";
    client = new Client({ connectionString: mine.href });
    client.on("error", () => {});
    await client.connect();
  });
  afterAll(async () => {
    await closeDatabase();
    await client.end();
    await onServer(`DROP DATABASE ${name(mine)} WITH (FORCE)`);
  });

  return {
    url: mine.href,
    /** The rows that a statement gives. */
    async sql<Row extends QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
      return (await client.query<Row>(text, values)).rows;
    },
  };
}

/** Nobody may be connected to a template while it is copied: this asks beside it. */
async function onServer(statement: string): Promise<void> {
  const client = new Client({ connectionString: process.env.TEST_SERVER_URL });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}
