import { once } from "node:events";
import { readFileSync, rmSync, statSync } from "node:fs";
import { type AddressInfo, connect as connectSocket, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, DatabaseError } from "pg";
import { databaseName, type Files, lastPort, prepareCluster, urlOf } from "./cluster";

// Raw throughout: these are advisory locks, before a Prisma client exists.

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

/** Reads Postgres's lock file. Null if its process is not running. */
function readLock({ data, lock }: Files) {
  try {
    const [pid, home = "", , port] = readFileSync(lock, "utf8").split("\n");
    process.kill(Number(pid), 0);
    // False if the folder is a copy of the one whose Postgres is running.
    const isHere = statSync(/*turbopackIgnore: true*/ home).ino === statSync(data).ino;
    return { pid: Number(pid), port: Number(port), isHere };
  } catch {
    return null;
  }
}

export function readPostmaster(files: Files) {
  const lock = readLock(files);
  return lock?.isHere ? lock : null;
}

/** Connects to the Postgres of a folder, and starts it if it is not running. */
export async function startPostgres(files: Files): Promise<{ client: Client; isStartedHere: boolean }> {
  let isStartedHere = false;
  let seen: { pid?: number; since: number } = { since: Date.now() };
  for (const end = Date.now() + startTimeoutMs; Date.now() < end; await sleep(50)) {
    const client = await connect(files);
    if (client && (await tryLock(client, "lock_shared"))) return { client, isStartedHere };
    await client?.end();
    const lock = readLock(files);
    if (lock?.pid !== seen.pid) seen = { pid: lock?.pid, since: Date.now() };
    // After kill -9, the process id in the lock file may belong to another process by now.
    const isSilent = lock && Date.now() - seen.since > staleAfterMs && !(lock.isHere && (await isListening(lock.port)));
    // Another start may have replaced the lock file while this one waited for the port.
    if (isSilent && readLock(files)?.pid === lock.pid) rmSync(files.lock, { force: true });
    if (!lock || isSilent) isStartedHere = await start(files);
  }
  throw new Error(`The embedded Postgres did not start. Its log is ${files.log}.`);
}

/** Returns whether this process started Postgres. If several try at once, Postgres's own lock lets one win. */
async function start(files: Files): Promise<boolean> {
  const { pgCtl, as } = await prepareCluster(files);
  const port = await freePort(lastPort(files));
  const flags = Object.entries({ ...settings, port }).map(([name, value]) => `-c ${name}='${value}'`);
  const args = ["start", "-D", files.data, "-l", files.log, "-w", "-o", flags.join(" ")];
  for (const end = Date.now() + restartMs; ; await sleep(250)) {
    const failure = await as.run(pgCtl, args);
    if (failure === null || readPostmaster(files)) return failure === null;
    if (Date.now() < end) continue;
    const fatal = readFileSync(files.log, "utf8").match(/^.*FATAL.*$/gm);
    throw new Error(`The embedded Postgres did not start: ${fatal?.at(-1) ?? failure} Its log is ${files.log}.`);
  }
}

/** Stops Postgres: ends its sessions and shuts it down cleanly, so that the next start has nothing to recover. */
export async function stopPostgres(files: Files): Promise<void> {
  const { pgCtl, as } = await prepareCluster(files);
  const failure = await as.run(pgCtl, ["stop", "-D", files.data, "-m", "fast", "-w"]);
  if (failure !== null && readPostmaster(files)) throw new Error(`The embedded Postgres did not stop: ${failure}`);
}

/** Returns false if another process holds a conflicting lock, or while Postgres is stopping. */
async function tryLock(client: Client, kind: "lock" | "lock_shared"): Promise<boolean> {
  const result = await client.query(`SELECT pg_try_advisory_${kind}($1) AS taken`, [usageLock]).catch(() => null);
  return result?.rows[0].taken ?? false;
}

/**
 * Stops Postgres unless a process uses it. The lock ensures this: a process could connect after a count of connections. Retries
 * for three seconds, because the connections of processes that have just ended take a moment to close.
 */
export async function stopIfUnused(files: Files): Promise<boolean> {
  for (let attempt = 1; attempt <= 6; attempt += 1) {
    const client = await connect(files);
    const isUnused = client !== null && (await tryLock(client, "lock"));
    if (isUnused) await stopPostgres(files);
    await client?.end();
    if (isUnused) return true;
    await sleep(500);
  }
  return false;
}

/** Null if Postgres is not running, is starting or is stopping. */
async function connect(files: Files): Promise<Client | null> {
  const postmaster = readPostmaster(files);
  if (!postmaster) return null;
  const connectionString = urlOf(files, databaseName, postmaster.port);
  const client = new Client({ connectionString, connectionTimeoutMillis: 2000 });
  // An error also rejects the next query. Without a listener, the event would end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    // SQLSTATE class 57: Postgres is starting or stopping. Another error than Postgres's: nothing has answered.
    if (!(error instanceof DatabaseError) || error.code?.startsWith("57")) return null;
    throw new Error(`The embedded Postgres refuses connections: ${error.message}.`);
  }
}

/** The preferred port or, if another program listens on it, a free one. */
async function freePort(preferred: number): Promise<number> {
  if (preferred > 0 && !(await isListening(preferred))) return preferred;
  const probe = createServer();
  await once(probe.listen(0, host), "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

export async function isListening(port: number): Promise<boolean> {
  const socket = connectSocket(port, host);
  const connected = await once(socket, "connect").catch(() => null);
  socket.destroy();
  return connected !== null;
}
