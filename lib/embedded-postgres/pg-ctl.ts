import "server-only";
import { once } from "node:events";
import { readFileSync, rmSync, statSync } from "node:fs";
import { type AddressInfo, connect as connectSocket, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, DatabaseError } from "pg";
import { databaseName, type Files, keepPort, prepareCluster, readIdentity, urlOf } from "./cluster";

const host = "127.0.0.1";
const patienceMs = 120_000;
/** After a crash, sessions of the dead Postgres may hold its memory for a moment. */
const restartMs = 5000;
/** A Postgres listens within this time after it has written its lock file. */
const silenceMs = 3000;
/** An advisory lock: who uses the database holds it shared, who stops it because it is unused takes it alone. */
const inUse = 7_214_530_962;

/** What differs from Postgres's own defaults; those that make it durable are left alone. */
const settings = {
  listen_addresses: host,
  unix_socket_directories: "",
  max_connections: "200",
  timezone: "UTC",
  log_timezone: "UTC",
  // The log says what went wrong without quoting what anybody wrote.
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
};

export interface Postmaster {
  pid: number;
  port: number;
}

/** The running Postgres, from its lock file; null if none runs. */
export function readPostmaster(files: Files): Postmaster | null {
  const lock = readLock(files);
  return lock?.isHere ? lock : null;
}

/** Null if its process is gone. `isHere` is false in a copy of a folder whose Postgres runs. */
function readLock({ data, lock }: Files): (Postmaster & { isHere: boolean }) | null {
  try {
    const [pid, home = "", , port] = readFileSync(lock, "utf8").split("\n");
    process.kill(Number(pid), 0);
    const isHere = statSync(/*turbopackIgnore: true*/ home).ino === statSync(data).ino;
    return { pid: Number(pid), port: Number(port), isHere };
  } catch {
    return null;
  }
}

interface Started {
  /** Tells others that this process uses the database. */
  client: Client;
  isStartedHere: boolean;
}

/** A connection to the Postgres of a folder, which is started if it is not running. */
export async function startPostgres(files: Files): Promise<Started> {
  const begun = Date.now();
  let isStartedHere = false;
  let seen: { pid?: number; since: number } = { since: begun };
  for (; Date.now() - begun < patienceMs; await sleep(50)) {
    const lock = readLock(files);
    const client = lock?.isHere ? await connect(files, lock) : null;
    if (client && (await tryLock(client, "lock_shared"))) return { client, isStartedHere };
    await client?.end();
    if (lock?.pid !== seen.pid) seen = { pid: lock?.pid, since: Date.now() };
    // The number in a lock file that kill -9 has left may since belong to another process.
    const isSilent = Date.now() - seen.since > silenceMs;
    const isStale = lock && isSilent && !(lock.isHere && (await isListening(lock.port)));
    if (lock && !isStale) continue;
    if (lock && readLock(files)?.pid === lock.pid) rmSync(files.lock, { force: true });
    isStartedHere = await start(files);
  }
  throw new Error(`The embedded Postgres did not start. Its log is ${files.log}.`);
}

/** Whether this process started it: of several that try at once, Postgres's own lock lets one win. */
async function start(files: Files): Promise<boolean> {
  const { pgCtl, as } = await prepareCluster(files);
  const port = await freePort(readIdentity(files).port);
  const flags = Object.entries({ ...settings, port }).map(([name, value]) => `-c ${name}='${value}'`);
  const args = ["start", "-D", files.data, "-l", files.log, "-w", "-o", flags.join(" ")];
  for (const begun = Date.now(); ; await sleep(250)) {
    const { code } = await as.run(pgCtl, args);
    if (code === 0) keepPort(files, port);
    if (code === 0 || readPostmaster(files)) return code === 0;
    if (Date.now() - begun > restartMs)
      throw new Error(`The embedded Postgres did not start: ${lastLine(files)} Its log is ${files.log}.`);
  }
}

/** False if it is just being stopped. */
async function tryLock(client: Client, kind: "lock" | "lock_shared"): Promise<boolean> {
  const { rows } = await client
    .query(`SELECT pg_try_advisory_${kind}($1) AS taken`, [inUse])
    .catch(() => ({ rows: [] }));
  return rows[0]?.taken ?? false;
}

/** Stops Postgres unless somebody uses it: of one that joins and one that stops it, one wins. Returns whether it has. */
export async function stopIfUnused(files: Files): Promise<boolean> {
  const postmaster = readPostmaster(files);
  const client = postmaster && (await connect(files, postmaster));
  const isUnused = client !== null && (await tryLock(client, "lock"));
  if (isUnused) await stopPostgres(files);
  await client?.end();
  return isUnused;
}

/** Ends sessions, finishes what is committed, and leaves nothing to recover. */
export async function stopPostgres(files: Files): Promise<void> {
  const { pgCtl, as } = await prepareCluster(files);
  const { code, said } = await as.run(pgCtl, ["stop", "-D", files.data, "-m", "fast", "-w"]);
  if (code !== 0 && readPostmaster(files)) throw new Error(`The embedded Postgres did not stop: ${said}`);
}

/** Other processes that are connected; null if no Postgres runs. */
export async function countUsers(files: Files): Promise<number | null> {
  const postmaster = readPostmaster(files);
  const client = postmaster && (await connect(files, postmaster));
  if (!client) return null;
  const { rows } = await client.query(
    "SELECT count(*)::int AS users FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
  );
  await client.end();
  return rows[0].users;
}

/** Null while Postgres is starting or stopping. Creates the database on the first start. */
async function connect(files: Files, { port }: Postmaster, database = databaseName): Promise<Client | null> {
  const url = new URL(urlOf(files, database));
  url.port = String(port);
  const client = new Client({ connectionString: url.href, connectionTimeoutMillis: 2000 });
  // An error rejects the next query. The event would end the process if nobody listened.
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    const code = error instanceof DatabaseError ? (error.code ?? "") : undefined;
    // SQLSTATE class 57: it is starting or stopping. Without a code nobody has answered.
    if (code === undefined || code.startsWith("57")) return null;
    if (code === "3D000" && database === databaseName) return createDatabase(files, { pid: 0, port });
    throw new Error(`The embedded Postgres refuses connections: ${(error as Error).message}.`);
  }
}

async function createDatabase(files: Files, postmaster: Postmaster): Promise<null> {
  const client = await connect(files, postmaster, "postgres");
  // SQLSTATE duplicate_database and unique_violation: another process has just created it.
  await client?.query(`CREATE DATABASE ${databaseName}`).catch(({ code, message }: DatabaseError) => {
    if (code !== "42P04" && code !== "23505") throw new Error(message);
  });
  await client?.end();
  return null;
}

/** What Postgres said last before it gave up. */
function lastLine({ log }: Files): string {
  const lines = readFileSync(log, "utf8").trimEnd().split("\n");
  return lines.findLast((line) => line.includes("FATAL")) ?? lines.at(-1) ?? "";
}

/** The preferred port or, if something else listens on it, another. */
async function freePort(preferred: number): Promise<number> {
  if (preferred > 0 && !(await isListening(preferred))) return preferred;
  const probe = createServer();
  await once(probe.listen(0, host), "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

export function isListening(port: number): Promise<boolean> {
  const socket = connectSocket(port, host);
  return once(socket, "connect")
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}
