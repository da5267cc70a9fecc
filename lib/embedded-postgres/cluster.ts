import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { findPrograms } from "./programs";
import { runAs } from "./run-as";

/** The superuser owns everything in the embedded Postgres. The database has the same name. */
const superuser = "rent_advance";
export const databaseName = "rent_advance";

/** The files of one embedded Postgres. The files in the data folder belong to the user that runs Postgres. */
export function filesIn(folder: string) {
  const data = join(folder, "postgres");
  const file = (name: string) => join(data, name);
  return { folder, data, log: file("postgres.log"), password: file("password"), lock: file("postmaster.pid") };
}

/** A first start takes less than this. */
const draftMs = 600_000;

export type Files = ReturnType<typeof filesIn>;

/** The port of the last start, which Postgres records in a file. 0 before the first start. */
export function lastPort({ data }: Files): number {
  const options = join(data, "postmaster.opts");
  return existsSync(options) ? Number(/\bport=(\d+)/.exec(readFileSync(options, "utf8"))?.[1] ?? 0) : 0;
}

export function urlOf(files: Files, database: string, port = lastPort(files)): string {
  return `postgresql://${superuser}:${readFileSync(files.password, "utf8")}@127.0.0.1:${port}/${database}`;
}

/** Removes what a first start has left that was killed: its draft, and its password. A younger draft may be in use. */
function removeAbandonedDrafts(folder: string): void {
  for (const name of readdirSync(folder).filter((entry) => entry.startsWith("postgres."))) {
    const path = join(folder, name);
    const changedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - changedAt > draftMs) rmSync(path, { recursive: true, force: true });
  }
}

/** Creates the data folder atomically if it is missing, so that one of two simultaneous first starts wins. */
export async function prepareCluster({ folder, data }: Files) {
  mkdirSync(folder, { recursive: true });
  removeAbandonedDrafts(folder);
  const { initdb, pgCtl } = findPrograms();
  const as = runAs(data, [pgCtl, folder]);
  if (existsSync(data)) return { pgCtl, as };
  // A random name, because a start that was killed here leaves its folder, and its process id may be used again.
  const draft = mkdtempSync(`${data}.`);
  const draftPassword = `${draft}.password`;
  writeFileSync(draftPassword, randomBytes(24).toString("base64url"), { mode: 0o600 });
  for (const path of [draft, draftPassword]) as.give(path);
  // Postgres's built-in locale treats text the same on every system, whatever locales are installed.
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const access = [`--username=${superuser}`, `--pwfile=${draftPassword}`, "--auth=scram-sha-256"];
  try {
    const { code, errors } = await as.run(initdb, [`--pgdata=${draft}`, ...access, ...locale, "--no-instructions"]);
    if (code !== 0) throw new Error(`The embedded Postgres could not be set up: ${errors}`);
    renameSync(draftPassword, join(draft, "password"));
    renameSync(draft, data);
  } catch (error) {
    if (!existsSync(data)) throw error;
  } finally {
    for (const path of [draft, draftPassword]) rmSync(path, { recursive: true, force: true });
  }
  return { pgCtl, as };
}
