import { randomBytes } from "node:crypto";
import { Client, type QueryResultRow } from "pg";
import { closeDatabase } from "@/lib/server/db/client";
import { withConnection } from "@/lib/server/db/connection";
import { until } from "./until";

/**
 * Creates a migrated database for one test file. The calls under test use it as the app, and `sql` queries it as its owner.
 * Commands run in the same process, so the app's user may execute their functions here. roles.test.ts tests its privileges.
 */
export function freshDatabase({ appIsOperations = true } = {}) {
  const template = new URL(process.env.TEST_TEMPLATE_URL ?? "");
  const ownUrl = new URL(template);
  ownUrl.pathname = `${template.pathname}_${randomBytes(4).toString("hex")}`;
  const copy = (url: string | undefined) => {
    const copied = new URL(url ?? "");
    copied.pathname = ownUrl.pathname;
    return copied.href;
  };
  const appUrl = copy(process.env.TEST_APP_URL);
  const name = ({ pathname }: URL) => `"${pathname.slice(1)}"`;
  let client: Client;
  // This is set at once, because settings are read only once, and a test file may read them before its first test.
  process.env.LOG_LEVEL ??= "silent";
  // The time-out is generous, because a busy machine is slow and these tests do not test time-outs.
  process.env.DATABASE_TIMEOUT_MS ??= "60000";
  // Commands that issue links need it.
  process.env.APP_URL ??= "http://localhost:3000";

  beforeAll(async () => {
    await onServer(`CREATE DATABASE ${name(ownUrl)} TEMPLATE ${name(template)}`);
    process.env.DATABASE_URL = appUrl;
    client = new Client({ connectionString: ownUrl.href });
    client.on("error", () => {});
    await client.connect();
    if (!appIsOperations) return;
    const app = `"${new URL(appUrl).username}"`;
    await client.query(`GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA public TO ${app}`);
  });
  afterAll(async () => {
    await closeDatabase();
    await client.end();
    await onServer(`DROP DATABASE ${name(ownUrl)} WITH (FORCE)`);
  });

  /** Resolves once at least this many connections to the database wait for a lock. */
  async function untilWaiting(count: number, database = ownUrl.pathname.slice(1)): Promise<void> {
    const waiting = "SELECT FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = 'Lock'";
    await until(async () => {
      // Within a transaction, Postgres would repeat what it has shown before.
      await client.query("SELECT pg_stat_clear_snapshot()");
      return (await client.query(waiting, [database])).rows.length >= count;
    });
  }

  /** Resolves once another connection waits for a lock that these statements hold. */
  async function untilBlocked(): Promise<void> {
    const blocked = "SELECT FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY (pg_blocking_pids(pid))";
    await until(async () => (await client.query(blocked)).rowCount !== 0);
  }

  /** Runs `work` while a transaction holds this statement's locks. */
  async function whileLocked<T>(text: string, values: unknown[], work: () => Promise<T>): Promise<T> {
    await client.query("BEGIN");
    await client.query(text, values);
    return work().finally(() => client.query("COMMIT"));
  }

  /** Inserts rows as the owner, and returns them. A column has its default if no row names it, and is null if only some do. */
  async function insertRows(table: string, rows: object[]): Promise<QueryResultRow[]> {
    if (rows.length === 0) return [];
    const names = Object.keys(Object.assign({}, ...rows)).map((name) => `"${name}"`);
    const values = `SELECT ${names} FROM jsonb_populate_recordset(NULL::${table}, $1)`;
    return (await client.query(`INSERT INTO ${table} (${names}) ${values} RETURNING *`, [JSON.stringify(rows)])).rows;
  }

  return {
    url: ownUrl.href,
    appUrl,
    operationsUrl: copy(process.env.TEST_OPERATIONS_URL),
    readerUrl: copy(process.env.TEST_READER_URL),
    /** Runs a statement and returns its rows. */
    async sql<Row extends QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
      return (await client.query<Row>(text, values)).rows;
    },
    /** Runs a statement and returns the first column of its rows. */
    async column(text: string, values: unknown[] = []) {
      const { rows } = await client.query({ text, values, rowMode: "array" });
      return rows.map(([value]) => value);
    },
    /** Counts the rows of a table, or of a table with a WHERE clause. */
    async countRows(table: string): Promise<number> {
      return (await client.query(`SELECT count(*)::int AS count FROM ${table}`)).rows[0].count;
    },
    /** Returns a hash of an application's row, which every change of the row changes. */
    async rowHash(id: string): Promise<string> {
      return (await client.query("SELECT md5(a::text) AS hash FROM applications a WHERE id = $1", [id])).rows[0].hash;
    },
    /** Inserts a message that has been due for a second, unless `columns` say otherwise. */
    async insertMessage(columns: Record<string, unknown> = {}): Promise<{ id: string; number: number }> {
      const [row] = await insertRows("messages", [{ ...dueMessage(), ...columns }]);
      return { id: row?.id, number: Number(row?.number) };
    },
    /** Inserts this many such messages. */
    async insertMessages(count: number, columns: Record<string, unknown> = {}): Promise<void> {
      await insertRows("messages", Array(count).fill({ ...dueMessage(), ...columns }));
    },
    insertRows,
    untilBlocked,
    untilWaiting,
    whileLocked,
    /** Starts `work` behind this statement's locks. Once it waits for them, calls `meanwhile`, commits and returns its result. */
    async blockedBy<T>(
      text: string,
      values: unknown[],
      work: () => Promise<T>,
      meanwhile: () => Promise<unknown> = async () => {},
    ): Promise<T> {
      const { result } = await whileLocked(text, values, async () => {
        const result = work();
        // The caller handles a failure, but only after the commit.
        result.catch(() => {});
        await untilBlocked();
        await meanwhile();
        return { result };
      });
      return result;
    },
    /** Runs a statement that neither triggers nor foreign keys stop, as only a superuser can. */
    async tamper(text: string, ...values: unknown[]): Promise<void> {
      await client.query("SET session_replication_role = replica");
      await client.query(text, values).finally(() => client.query("SET session_replication_role = origin"));
    },
    /** Runs `work` while a table is missing. */
    async withoutTable<T>(name: string, work: () => Promise<T>): Promise<T> {
      await client.query(`ALTER TABLE ${name} RENAME TO elsewhere`);
      return work().finally(() => client.query(`ALTER TABLE elsewhere RENAME TO ${name}`));
    },
  };
}

const dueMessage = () => ({
  kind: "test",
  channel: "email",
  recipient: "a@b.example",
  dueAt: new Date(Date.now() - 1000),
});

/** Connects to another database, because CREATE DATABASE … TEMPLATE fails while the template has connections. */
const onServer = (statement: string) =>
  withConnection(process.env.TEST_SERVER_URL ?? "", (client) => client.query(statement));
