import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findPrograms, runAs } from "./programs";

/** The superuser owns everything in the embedded Postgres. The database has the same name. */
export const superuser = "rent_advance";
export const databaseName = "rent_advance";

/** The files of one embedded Postgres. The files in the data folder belong to the user that runs Postgres. */
export function filesIn(folder: string) {
  const data = join(folder, "postgres");
  const file = (name: string) => join(data, name);
  return { folder, data, log: file("postgres.log"), password: file("password"), lock: file("postmaster.pid") };
}

export type Files = ReturnType<typeof filesIn>;

/** Creates the data folder atomically if it is missing, so that one of two simultaneous first starts wins. */
export async function prepareCluster({ folder, data }: Files) {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`No database is configured, and the embedded Postgres cannot create ${folder}: ${code}.`);
  }
  const { initdb, pgCtl, postgres } = findPrograms();
  const as = runAs(data, [pgCtl, folder]);
  if (existsSync(data)) {
    // These belong to first starts that were killed. One that is still under way comes too late, and will use the same data.
    const others = readdirSync(folder).filter((name) => name.startsWith("postgres."));
    for (const name of others) rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
    return { pgCtl, as };
  }
  // A random name, because a start that was killed here leaves its folder, and its process id may be used again.
  const fresh = mkdtempSync(`${data}.`);
  const [newData, newPassword] = [join(fresh, "data"), join(fresh, "password")];
  writeFileSync(newPassword, randomBytes(24).toString("base64url"), { mode: 0o600 });
  for (const path of [fresh, newPassword]) as.give(path);
  // Postgres's built-in locale treats text the same on every system, whatever locales are installed.
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const access = [`--username=${superuser}`, `--pwfile=${newPassword}`, "--auth=scram-sha-256"];
  // In single-user mode, nobody else can connect. Without exit_on_error, it would succeed despite an error.
  const single = ["--single", "-c", "exit_on_error=on", "-D", newData, "postgres"];
  try {
    const failure =
      (await as.run(initdb, [`--pgdata=${newData}`, ...access, ...locale])) ??
      (await as.run(postgres, single, `CREATE DATABASE ${databaseName}`));
    if (failure !== null) throw new Error(`The embedded Postgres could not be set up: ${failure}`);
    renameSync(newPassword, join(newData, "password"));
    renameSync(newData, data);
  } catch (error) {
    if (!existsSync(data)) throw error;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return { pgCtl, as };
}
