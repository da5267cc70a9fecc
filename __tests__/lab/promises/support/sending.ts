import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Pool, type QueryResultRow } from "pg";
import { startMailServer } from "@/__tests__/support/mail-server";
import { usersOf } from "@/__tests__/support/processes/postgres";
import { program } from "@/__tests__/support/program";
import { runCommand } from "@/__tests__/support/run-command";
import { until } from "@/__tests__/support/until";
import { same } from "./expect";
import type { World } from "./world";

/** Settings that allow messages to everybody. */
export const sandbox = { SANDBOX_RECIPIENTS: "*", REMINDER_DAYS: "3,7,14" };

export const unsent = "FROM messages WHERE state IN ('waiting', 'sending')";

/** The messages of one promise, in their own database, so that no other promise's messages are sent. */
export type MessagingSetup = Awaited<ReturnType<typeof openMessagingSetup>>;

type Place = Pick<World, "start" | "after"> & { postgres: Pick<World["postgres"], "createDatabase"> };

export async function openMessagingSetup({ postgres, start, after }: Place, name: string) {
  const owner = await postgres.createDatabase(name);
  const { app, operations } = await usersOf(owner);
  const pool = new Pool({ connectionString: owner, max: 2 });
  pool.on("error", () => {});
  after(() => pool.end());
  const sql = async <Row extends QueryResultRow>(text: string, values: unknown[] = []) =>
    (await pool.query<Row>(text, values)).rows;
  return {
    owner,
    operations,
    sql,
    /** Starts `npm run worker`, and resolves once it has printed its first line. */
    async worker(settings: Record<string, string>) {
      const flags = program("lib/cli/messages/worker.ts");
      const env = {
        APP_URL: "http://localhost:3000",
        ...process.env,
        DATABASE_URL: app,
        LOG_LEVEL: "info",
        ...sandbox,
        ...settings,
      };
      const child = spawn(process.execPath, flags, { env, stdio: ["ignore", "pipe", "inherit"] });
      after(() => child.kill("SIGKILL"));
      await once(child.stdout, "data");
      child.stdout.resume();
      return child;
    },
    start: (settings: Record<string, string>) => start({ database: app, settings: { ...sandbox, ...settings } }),
    /** Runs a command as operations, and expects that it succeeds. */
    async command(command: string, args: string[], settings: Record<string, string> = {}) {
      const result = await runCommand(command, args, { ...sandbox, ...settings, OPERATIONS_DATABASE_URL: operations });
      same(result.code, 0, `exit code of ${command}, which said ${result.err}${result.out.slice(0, 300)}`);
      return result;
    },
    /** Enqueues so many messages on each channel, which belong to no application. */
    enqueueTests: (count: number, channels = ["email"]) =>
      sql(
        `INSERT INTO messages (kind, channel, recipient)
         SELECT 'test', channel, CASE channel WHEN 'sms' THEN '614' || lpad(floor(random() * 1e8)::text, 8, '0')
                                              ELSE 'person' || n || '@mail.example' END
         FROM generate_series(1, $1) AS n, unnest($2::"MessageChannel"[]) AS channel`,
        [count, channels],
      ),
    /** Ends the leases of killed workers, which would last a minute. */
    endLeases: () => sql(`UPDATE messages SET "dueAt" = "dueAt" - interval '61 s' WHERE state = 'sending'`),
    /** Resolves with the milliseconds until the query counts 0. */
    until(what: string, countOf: string, seconds: number): Promise<number> {
      let left: number | undefined;
      const isDone = async () => {
        left = (await sql<{ count: number }>(`SELECT count(*)::int ${countOf}`))[0]?.count;
        return left === 0;
      };
      return until(isDone, seconds * 1000, () => `${left} ${what}`);
    },
  };
}

/** Writes a CSV list of `count` people, with their mobiles and, if `hasEmail`, their addresses. Returns its path. */
export function listOf(count: number, folder: string, hasEmail = true): string {
  const file = join(folder, "in.csv");
  const rows = Array.from({ length: count }, (_, n) => {
    const mobile = `614${String(n).padStart(8, "0")}`;
    return hasEmail ? `${mobile},person${n}@mail.example` : mobile;
  });
  writeFileSync(file, `${[hasEmail ? "mobile,email" : "mobile", ...rows].join("\n")}\n`);
  return file;
}

/** Call this before starting the workers that send to it, so that the mail server is stopped after them. */
export async function openMailServer({ after }: World, port?: number) {
  const server = await startMailServer({}, port);
  after(server.stop);
  return server;
}

/** How many messages came with each Message-ID. */
export function timesOf(raw: Buffer[]): number[] {
  const times = new Map<string, number>();
  for (const message of raw) {
    const id = /^Message-ID: (\S+)/im.exec(message.toString("latin1"))?.[1] ?? "none";
    times.set(id, (times.get(id) ?? 0) + 1);
  }
  return [...times.values()];
}
