import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool, type QueryResultRow } from "pg";
import type { App, Start } from "@/__tests__/support/processes/app";
import { makeRoles } from "@/lib/server/db/roles";
import { expect } from "./expect";
import type { World } from "./world";

/** Where everybody is written to. */
export const sandbox = { SANDBOX_RECIPIENTS: "*", REMINDER_DAYS: "3,7,14" };

/** A database of its own, so that no other promise's messages are sent. */
export interface Post {
  owner: string;
  app: string;
  operations: string;
  sql<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Starts `npm run worker`; resolves once it sends. */
  worker(settings: Record<string, string>): Promise<ChildProcess>;
  start(settings: Record<string, string>, start?: Partial<Start>): Promise<App>;
  /** Due emails that are about no application. */
  tests(count: number): Promise<unknown>;
  /** Resolves with the milliseconds until the query says 0. */
  until(what: string, countOf: string, seconds: number): Promise<number>;
  end(): Promise<void>;
}

export async function openPost({ postgres, start }: World, name: string): Promise<Post> {
  const owner = await postgres.createDatabase(name);
  const roles = await makeRoles(owner);
  const urlOf = (wanted: string) => roles.find(({ kind }) => kind === wanted)?.url ?? "";
  const [app, operations] = [urlOf("app"), urlOf("operations")];
  const pool = new Pool({ connectionString: owner, max: 2 });
  pool.on("error", () => {});
  const children = new Set<ChildProcess>();
  const sql: Post["sql"] = async (text, values = []) => (await pool.query(text, values)).rows;
  return {
    owner,
    app,
    operations,
    sql,
    async worker(settings) {
      const child = spawn(
        process.execPath,
        ["--conditions=react-server", "--require", "tsx/cjs", "lib/cli/worker.ts"],
        {
          env: { ...process.env, DATABASE_URL: app, LOG_LEVEL: "info", ...sandbox, ...settings },
          stdio: ["ignore", "pipe", "inherit"],
        },
      );
      children.add(child);
      await once(child.stdout, "data");
      child.stdout.resume();
      return child;
    },
    start: (settings, own) => start({ database: app, settings: { ...sandbox, ...settings }, ...own }),
    tests: (count) =>
      sql(
        `INSERT INTO messages (kind, channel, recipient)
         SELECT 'test', 'email', 'person' || n || '@mail.example' FROM generate_series(1, $1) AS n`,
        [count],
      ),
    async until(what, countOf, seconds) {
      const begun = performance.now();
      for (;;) {
        const [row] = await sql<{ count: string }>(`SELECT count(*) ${countOf}`);
        if (Number(row?.count) === 0) return Math.round(performance.now() - begun);
        expect(performance.now() - begun < seconds * 1000, `${row?.count} ${what} after ${seconds} s`);
        await sleep(50);
      }
    },
    async end() {
      for (const child of children) child.kill("SIGKILL");
      await pool.end();
    },
  };
}

export const unsent = "FROM messages WHERE state IN ('waiting', 'sending')";

/** How often each Message-ID came. */
export function timesOf(raw: Buffer[]): number[] {
  const times = new Map<string, number>();
  for (const message of raw) {
    const id = /^Message-ID: (\S+)/im.exec(message.toString("latin1"))?.[1] ?? "none";
    times.set(id, (times.get(id) ?? 0) + 1);
  }
  return [...times.values()];
}
