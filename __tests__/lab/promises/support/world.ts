import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser } from "@playwright/test";
import { Pool, type QueryResultRow } from "pg";
import { type App, endEveryApp, type Start, startApp } from "@/__tests__/support/processes/app";
import { newDevice, startBrowser } from "@/__tests__/support/processes/browser";
import { type Postgres, startPostgres, usersOf } from "@/__tests__/support/processes/postgres";

/** The processes that the promises share. */
export type World = Awaited<ReturnType<typeof worldOn>>;

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

async function worldOn(postgres: Postgres) {
  const database = await postgres.createDatabase("promises");
  const users = await usersOf(database);
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
  const after = (step: () => unknown) => undo.push(step);
  const undoAll = async () => {
    while (undo.length > 0) await undo.pop()?.();
  };
  // biome-ignore lint/suspicious/noExplicitAny: a query that names no type may read every column
  const sql = async <Row extends QueryResultRow = any>(text: string, values: unknown[] = []) =>
    (await pool.query<Row>(text, values)).rows;
  let opened: Promise<Browser> | undefined;
  const browser = () => {
    opened ??= startBrowser();
    return opened;
  };
  const end = async () => {
    endEveryApp();
    await undoAll();
    await (await opened?.catch(() => undefined))?.close();
    await pool.end();
    await postgres.remove();
  };
  // An interrupt and a finally block may both call `end`, which must run only once.
  let ending: Promise<void> | undefined;
  return {
    postgres,
    /** The URL of the shared app's database as its owner; `users` has the URLs of its other users. */
    database,
    users,
    app,
    /** The file in which apps without message settings record the connections that they open. */
    connections,
    /** Starts another app process, by default on the same database. It is ended when the promise ends. */
    async start(options: Partial<Start> = {}): Promise<App> {
      const started = await startHere(options);
      after(() => started.end("SIGTERM"));
      return started;
    },
    sql,
    browser,
    /** Opens a new browser context, which is closed when the promise ends. */
    async device(timezone?: string) {
      const device = await newDevice(await browser(), timezone);
      after(() => device.close());
      return device;
    },
    /** A temporary folder, removed when the promise ends. */
    folder() {
      const folder = mkdtempSync(join(tmpdir(), "promise-"));
      after(() => rmSync(folder, { recursive: true, force: true }));
      return folder;
    },
    /** Registers a function to call when the promise ends, whether or not it holds. The last registered is called first. */
    after,
    undoAll,
    end() {
      ending ??= end();
      return ending;
    },
  };
}
