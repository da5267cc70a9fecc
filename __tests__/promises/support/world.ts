import { join, resolve } from "node:path";
import type { Browser } from "@playwright/test";
import { Pool, type QueryResultRow } from "pg";
import { type App, endEveryApp, type Start, startApp } from "@/__tests__/support/processes/app";
import { startBrowser } from "@/__tests__/support/processes/browser";
import { type Postgres, startPostgres } from "@/__tests__/support/processes/postgres";
import type { RoleKind } from "@/lib/server/db/roles";
import { makeRoles } from "@/lib/server/db/roles";

/** The processes that the promises share. */
export interface World {
  postgres: Postgres;
  /** URL of the shared app's database, as its owner; and as those who use it. */
  database: string;
  users: Record<RoleKind, string>;
  app: App;
  /** The file in which apps without settings of sending note what they connect to. */
  connections: string;
  /** Starts another app process, by default on the same database. */
  start(start?: Partial<Start>): Promise<App>;
  sql<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** A hash of an application's row. */
  hashOf(id: string): Promise<string | undefined>;
  browser(): Promise<Browser>;
  end(): Promise<void>;
}

export interface Promised {
  number: number;
  /** It looks at what the others have left. */
  isLast?: true;
  /** Returns the measured figure; throws Broken if the promise does not hold. */
  prove(world: World): Promise<string>;
}

export async function createWorld(): Promise<World> {
  const postgres = await startPostgres();
  return worldOn(postgres).catch(async (error) => {
    endEveryApp();
    await postgres.remove();
    throw error;
  });
}

async function worldOn(postgres: Postgres): Promise<World> {
  const database = await postgres.createDatabase("promises");
  const roles = await makeRoles(database);
  const users = Object.fromEntries(roles.map(({ kind, url }) => [kind, url])) as World["users"];
  // `invited` writes to the database of this process's DATABASE_URL.
  process.env.DATABASE_URL = users.app;
  process.env.DATABASE_TIMEOUT_MS = "10000";
  const pool = new Pool({ connectionString: database, max: 4 });
  pool.on("error", () => {});
  const connections = join(postgres.folder, "connections.txt");
  const noted = {
    NODE_OPTIONS: `--require ${resolve("__tests__/support/processes/note-connections.cjs")}`,
    NOTED_CONNECTIONS: connections,
  };
  const start = (own: Partial<Start> = {}) =>
    startApp({ database: users.app, ...own, settings: { ...noted, ...own.settings } });
  const app = await start();
  let opened: Promise<Browser> | undefined;
  const sql = async <Row extends QueryResultRow>(text: string, values: unknown[] = []) =>
    (await pool.query<Row>(text, values)).rows;
  const end = async () => {
    endEveryApp();
    await (await opened?.catch(() => undefined))?.close();
    await pool.end();
    await postgres.remove();
  };
  // An interrupt and the finally block may both call end().
  let ending: Promise<void> | undefined;
  return {
    postgres,
    database,
    users,
    app,
    connections,
    start,
    sql,
    async hashOf(id) {
      const [row] = await sql<{ hash: string }>("SELECT md5(a::text) AS hash FROM applications a WHERE id = $1", [id]);
      return row?.hash;
    },
    browser() {
      opened ??= startBrowser();
      return opened;
    },
    end() {
      ending ??= end();
      return ending;
    },
  };
}
