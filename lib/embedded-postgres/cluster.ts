import { randomBytes, randomInt } from "node:crypto";
import { once } from "node:events";
import * as fs from "node:fs";
import { connect as connectSocket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, DatabaseError } from "pg";
import { findPrograms, runAs } from "./programs";

// Raw throughout: the creation of the database, and advisory locks, before a Prisma client exists.

/** The superuser owns everything in the embedded Postgres. The database has the same name. */
const superuser = "rent_advance";
export const databaseName = "rent_advance";

const host = "127.0.0.1";
const startTimeoutMs = 120_000;
/** A start is retried for this long: after a crash, sessions of the dead Postgres may hold its memory for a moment. */
const restartMs = 5000;
/** Postgres listens within this time after it has written its lock file. */
const staleAfterMs = 3000;
/** An advisory lock. Processes that use the database share it. A process that stops an unused database takes it exclusively. */
const usageLock = 7_214_530_963;

/** The settings that differ from Postgres's defaults. The settings for durability keep their defaults. */
const settings = {
  listen_addresses: host,
  unix_socket_directories: "",
  max_connections: "200",
  timezone: "UTC",
  log_timezone: "UTC",
  // The log reports errors without quoting personal data.
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
};

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
    fs.mkdirSync(folder, { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`No database is configured, and the embedded Postgres cannot create ${folder}: ${code}.`);
  }
  const { initdb, pgCtl, postgres } = findPrograms();
  const as = runAs(data, [pgCtl, folder]);
  if (fs.existsSync(data)) {
    // These belong to first starts that were killed. One that is still under way comes too late, and will use the same data.
    const others = fs.readdirSync(folder).filter((name) => name.startsWith("postgres."));
    for (const name of others) fs.rmSync(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
    return { pgCtl, as };
  }
  // A random name, because a start that was killed here leaves its folder, and its process id may be used again.
  const fresh = fs.mkdtempSync(`${data}.`);
  const [newData, newPassword] = [join(fresh, "data"), join(fresh, "password")];
  fs.writeFileSync(newPassword, randomBytes(24).toString("base64url"), { mode: 0o600 });
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
    fs.renameSync(newPassword, join(newData, "password"));
    fs.renameSync(newData, data);
  } catch (error) {
    if (!fs.existsSync(data)) throw error;
  } finally {
    fs.rmSync(fresh, { recursive: true, force: true });
  }
  return { pgCtl, as };
}

/** Null if no process has the id in the lock file. The port is 0 if the folder is a copy of that process's. */
export function readLock({ data, lock }: Files): { pid: number; port: number } | null {
  try {
    const [pid, home = "", , port] = fs.readFileSync(lock, "utf8").split("\n");
    process.kill(Number(pid), 0);
    const isCopy = fs.statSync(/*turbopackIgnore: true*/ home).ino !== fs.statSync(data).ino;
    return { pid: Number(pid), port: isCopy ? 0 : Number(port) };
  } catch {
    return null;
  }
}

/** The port of the last start, which Postgres records in a file. 0 before the first start. */
function lastPort({ data }: Files): number {
  const options = join(data, "postmaster.opts");
  return fs.existsSync(options) ? Number(/\bport=(\d+)/.exec(fs.readFileSync(options, "utf8"))?.[1] ?? 0) : 0;
}

export function urlOf(files: Files, database: string, port = lastPort(files)): string {
  return `postgresql://${superuser}:${fs.readFileSync(files.password, "utf8")}@${host}:${port}/${database}`;
}

/** Connects to the Postgres of a folder, and starts it if it is not running. */
export async function startPostgres(files: Files): Promise<{ client: Client; isStartedHere: boolean }> {
  let [isStartedHere, tries] = [false, 0];
  let seen: { pid?: number; since: number } = { since: Date.now() };
  for (const end = Date.now() + startTimeoutMs; Date.now() < end; await sleep(50)) {
    const client = await connect(files, "lock_shared");
    if (client) return { client, isStartedHere };
    const lock = readLock(files);
    if (lock?.pid !== seen.pid) seen = { pid: lock?.pid, since: Date.now() };
    if (lock && (Date.now() - seen.since < staleAfterMs || (await isListening(lock.port)))) continue;
    // After kill -9, the process id in the lock file may belong to another process by now: nothing listens.
    // Another start may have replaced the lock file while this one waited for the port.
    if (lock && readLock(files)?.pid === lock.pid) fs.rmSync(files.lock, { force: true });
    const logged = fs.statSync(files.log, { throwIfNoEntry: false })?.size ?? 0;
    const failure = await start(files);
    isStartedHere = failure === null;
    tries += 1;
    // The first try may have created the data, which can take longer than the retries may.
    if (isStartedHere || readLock(files) || tries === 1 || Date.now() - seen.since < restartMs) continue;
    const log = fs.existsSync(files.log) ? fs.readFileSync(files.log).subarray(logged).toString() : "";
    const cause = log.match(/^.*FATAL.*$/gm)?.at(-1) ?? failure;
    throw new Error(`The embedded Postgres did not start: ${cause} Its log is ${files.log}.`);
  }
  throw new Error(`The embedded Postgres did not start. Its log is ${files.log}.`);
}

/** Returns null or, if it did not start Postgres, why. If several try at once, Postgres's own lock lets one win. */
async function start(files: Files): Promise<string | null> {
  const { pgCtl, as } = await prepareCluster(files);
  let port = lastPort(files);
  // These are below the ports of outgoing connections, one of which could take the port while Postgres is stopped.
  while (port === 0 || (await isListening(port))) port = randomInt(20_000, 32_000);
  const flags = Object.entries({ ...settings, port }).map(([name, value]) => `-c ${name}='${value}'`);
  return as.run(pgCtl, ["start", "-D", files.data, "-l", files.log, "-w", "-o", flags.join(" ")]);
}

/** Stops Postgres: ends its sessions and shuts it down cleanly, so that the next start has nothing to recover. */
export async function stopPostgres(files: Files): Promise<void> {
  const { pgCtl, as } = await prepareCluster(files);
  const failure = await as.run(pgCtl, ["stop", "-D", files.data, "-m", "fast", "-w"]);
  if (failure !== null && readLock(files)) throw new Error(`The embedded Postgres did not stop: ${failure}`);
}

/** Stops Postgres unless a process uses it. The lock ensures this: one could connect after a count of connections. */
export async function stopIfUnused(files: Files): Promise<boolean> {
  // Three seconds, because the connections of processes that have just ended take a moment to close.
  for (const end = Date.now() + 3000; Date.now() < end; await sleep(500)) {
    if (!(await connect(files, "lock"))) continue;
    await stopPostgres(files);
    return true;
  }
  return false;
}

/** Returns a connection that holds the lock. Null if another process's lock conflicts, or Postgres is not ready. */
async function connect(files: Files, lock: "lock" | "lock_shared"): Promise<Client | null> {
  const postmaster = readLock(files);
  if (!postmaster?.port) return null;
  const connectionString = urlOf(files, databaseName, postmaster.port);
  const client = new Client({ connectionString, connectionTimeoutMillis: 2000 });
  // An error also rejects the next query. Without a listener, the event would end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query(`SELECT pg_try_advisory_${lock}($1) AS taken`, [usageLock]);
    if (rows[0].taken) return client;
    await client.end();
  } catch (error) {
    // SQLSTATE class 57: Postgres is starting or stopping. Another error than Postgres's: nothing has answered.
    if (error instanceof DatabaseError && !error.code?.startsWith("57"))
      throw new Error(`The embedded Postgres in ${files.data} refuses connections: ${error.message}.`);
  }
  return null;
}

export async function isListening(port: number): Promise<boolean> {
  const socket = connectSocket(port, host);
  const connected = await once(socket, "connect").catch(() => null);
  socket.destroy();
  return connected !== null;
}
