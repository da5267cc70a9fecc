import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser, BrowserContext } from "@playwright/test";
import { Pool, type QueryResultRow } from "pg";
import { type App, endEveryApp, type Start, startApp } from "@/__tests__/support/processes/app";
import { newDevice, startBrowser } from "@/__tests__/support/processes/browser";
import { type Postgres, startPostgres } from "@/__tests__/support/processes/postgres";
import type { RoleKind } from "@/lib/server/db/roles";
import { createRoles } from "@/lib/server/db/roles";

/** The processes that the promises share. */
export interface World {
  postgres: Postgres;
  /** The URL of the shared app's database as its owner; `users` has the URLs of its other users. */
  database: string;
  users: Record<RoleKind, string>;
  app: App;
  /** The file in which apps without message settings record the connections that they open. */
  connections: string;
  /** Starts another app process, by default on the same database. It is ended when the promise ends. */
  start(start?: Partial<Start>): Promise<App>;
  sql<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** A hash of an application's row. */
  hashOf(id: string): Promise<string | undefined>;
  browser(): Promise<Browser>;
  /** Opens a new browser context, which is closed when the promise ends. */
  device(timezone?: string): Promise<BrowserContext>;
  /** A temporary folder, removed when the promise ends. */
  folder(): string;
  /** Registers a function to call when the promise ends, whether or not it holds. The last registered is called first. */
  after(undo: () => unknown): void;
  undoAll(): Promise<void>;
  end(): Promise<void>;
}

type Prove = (world: World) => Promise<string>;

/** The registered promises, each with a function that returns its figure or throws Broken. */
export const promises = new Map<number, Prove>();

export function promise(number: number, prove: Prove): void {
  promises.set(number, prove);
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
  const roles = await createRoles(database);
  const users = Object.fromEntries(roles.map(({ kind, url }) => [kind, url])) as World["users"];
  // `invited` writes to the database of this process's DATABASE_URL.
  process.env.DATABASE_URL = users.app;
  process.env.DATABASE_TIMEOUT_MS = "10000";
  const pool = new Pool({ connectionString: database, max: 4 });
  pool.on("error", () => {});
  const connections = join(postgres.folder, "connections.txt");
  const recorded = {
    NODE_OPTIONS: `--require ${resolve("__tests__/support/processes/note-connections.cjs")}`,
    NOTED_CONNECTIONS: connections,
  };
  const startHere = (options: Partial<Start>) =>
    startApp({ database: users.app, ...options, settings: { ...recorded, ...options.settings } });
  const app = await startHere({});
  const undo: (() => unknown)[] = [];
  const after: World["after"] = (step) => undo.push(step);
  const sql: World["sql"] = async (text, values = []) => (await pool.query(text, values)).rows;
  let opened: Promise<Browser> | undefined;
  const browser = () => {
    opened ??= startBrowser();
    return opened;
  };
  const end = async () => {
    endEveryApp();
    await world.undoAll();
    await (await opened?.catch(() => undefined))?.close();
    await pool.end();
    await postgres.remove();
  };
  // An interrupt and a finally block may both call `end`, which must run only once.
  let ending: Promise<void> | undefined;
  const world: World = {
    postgres,
    database,
    users,
    app,
    connections,
    async start(options = {}) {
      const started = await startHere(options);
      after(() => started.end("SIGTERM"));
      return started;
    },
    sql,
    async hashOf(id) {
      const [row] = await sql<{ hash: string }>("SELECT md5(a::text) AS hash FROM applications a WHERE id = $1", [id]);
      return row?.hash;
    },
    browser,
    async device(timezone) {
      const device = await newDevice(await browser(), timezone);
      after(() => device.close());
      return device;
    },
    folder() {
      const folder = mkdtempSync(join(tmpdir(), "promise-"));
      after(() => rmSync(folder, { recursive: true, force: true }));
      return folder;
    },
    after,
    async undoAll() {
      while (undo.length > 0) await undo.pop()?.();
    },
    end() {
      ending ??= end();
      return ending;
    },
  };
  return world;
}
