import "server-only";
import { PrismaPg } from "@prisma/adapter-pg";
import { type Client, Pool, type PoolClient, type QueryResultRow } from "pg";
import { driverUrl } from "@/lib/server/database-url";
import { currentSettings } from "@/lib/server/settings";
import { type Prisma, PrismaClient } from "@/prisma/generated/client";
import { DatabaseTimeout, isNodeFailure, readOnly } from "./errors";

/** The client or a transaction. A function that receives a transaction must send every statement through it. */
export type Db = Prisma.TransactionClient;

export interface Database {
  prisma: PrismaClient;
  /** The connections of `prisma`, for what does not go through it: the hot statements, limits, readiness and metrics. */
  pool: Pool;
  url: string;
}

interface Options {
  url: string;
  max: number;
  /** The limit for each statement and for the wait for a connection. A transaction may take twice as long. */
  timeoutMs: number;
  /** The limit for a transaction that sends no statement. A process that freezes inside a transaction loses its locks then. */
  idleMs?: number;
  /** Whether a pooler stands in between. It refuses time limits, so those of the role apply (prisma/roles.sql). */
  isPooled?: boolean;
}

/** The options of a transaction that writes many rows of a list. */
export const longTransaction = { maxWait: 30_000, timeout: 120_000 };

/** Reads several tables as they are at one moment. */
export function readSnapshot<T>(read: (tx: Db) => Promise<T>): Promise<T> {
  return prisma().$transaction(read, { ...longTransaction, isolationLevel: "RepeatableRead" });
}

/** The limit of prepared statements, which statements with lists of varying lengths would otherwise add without end. */
const maxPrepared = 300;

// On globalThis, in production too: Next bundles the calls, the pages and the instrumentation separately, so this module is
// loaded once for each of them, and they must share a pool. `next dev` reloads it as well.
const globalForPrisma = globalThis as { rentAdvanceDatabase?: Database | undefined; readOnlyPools?: Set<Pool> };

/** The pools that a read-only node has answered, until a newer connection works: the worker may reach another node than the calls. */
globalForPrisma.readOnlyPools ??= new Set<Pool>();
const { readOnlyPools } = globalForPrisma;
export const hasReadOnlyPool = () => readOnlyPools.size > 0;

export function createDatabase({ url, max, timeoutMs, idleMs = 10 * timeoutMs, isPooled = false }: Options): Database {
  const pool = new Pool({
    connectionString: driverUrl(url),
    max,
    connectionTimeoutMillis: timeoutMs,
    // Not every login has the limits of its role.
    ...(isPooled ? {} : { statement_timeout: timeoutMs, idle_in_transaction_session_timeout: idleMs }),
    // The driver's own limit, in case the server does not answer at all.
    query_timeout: timeoutMs + 250,
  });
  // The pool replaces a connection that breaks. Without a listener, its 'error' event would end the process. A new connection
  // has none until Prisma begins a transaction on it, and a server that shuts down may break it before then.
  pool.on("error", () => {});
  const openedAt = new WeakMap<PoolClient, number>();
  const failing = new WeakSet<PoolClient>();
  let readOnlySince = Number.POSITIVE_INFINITY;
  pool.on("connect", (client) => {
    client.on("error", () => {});
    openedAt.set(client, performance.now());
    (client as PoolClient & Client).connection.on("errorMessage", ({ code = "" }: { code?: string }) => {
      if (isNodeFailure(code)) failing.add(client);
      if (code !== readOnly) return;
      readOnlySince = performance.now();
      readOnlyPools.add(pool);
    });
  });
  pool.on("release", (_, client) => {
    // The node was demoted or is failing. Another connection may reach the new primary.
    const isFailing = failing.has(client);
    if (!isFailing && (openedAt.get(client) ?? 0) > readOnlySince) readOnlyPools.delete(pool);
    // Prisma releases a connection even if its ROLLBACK got no response. The next statement would join the open transaction.
    if (isFailing || client.getTransactionStatus() !== "I") (client as PoolClient & Client).end().catch(() => {});
  });
  const names = new Map<string, string>();
  // A named statement is prepared: each connection parses it once. The type demands a name, but the driver accepts undefined.
  // A search is not prepared, so that Postgres plans it for its words: after five runs it would plan a prepared one for any words.
  const statementNameGenerator = ({ sql }: { sql: string }) => {
    if (!sql.includes(" LIKE ") && !names.has(sql) && names.size < maxPrepared) names.set(sql, `s${names.size}`);
    return names.get(sql) as string;
  };
  const adapter = new PrismaPg(pool, { statementNameGenerator });
  const prisma = new PrismaClient({ adapter, transactionOptions: { maxWait: timeoutMs, timeout: 2 * timeoutMs } });
  return { prisma, pool, url };
}

export async function close({ prisma, pool }: Pick<Database, "prisma" | "pool">): Promise<void> {
  readOnlyPools.delete(pool);
  await prisma.$disconnect();
  await pool.end();
}

/** Runs the work on a separate connection, whose statements may take longer than others. */
export async function onSeparateConnection<T>(url: string, timeoutMs: number, work: (db: PrismaClient) => Promise<T>) {
  const separate = createDatabase({ url, max: 1, timeoutMs, isPooled: isDatabasePooled() });
  return work(separate.prisma).finally(() => close(separate));
}

/** Opens the client of this process. In tests, the first use opens it for DATABASE_URL. */
export function openDatabase(url: string): Database {
  const { DATABASE_POOL_SIZE: max, DATABASE_TIMEOUT_MS: timeoutMs } = currentSettings();
  globalForPrisma.rentAdvanceDatabase ??= createDatabase({ url, max, timeoutMs });
  return globalForPrisma.rentAdvanceDatabase;
}

/** The client of this process. Calls and commands share its pool. The worker and `onSeparateConnection` open their own. */
export function database(): Database {
  return globalForPrisma.rentAdvanceDatabase ?? openDatabase(process.env.DATABASE_URL ?? "");
}

/** Omits the time limits from new connections, once the database turns out to be behind a pooler, which refuses them. */
export function markDatabasePooled(): void {
  Object.assign(database().pool.options, { statement_timeout: false, idle_in_transaction_session_timeout: undefined });
}

export const isDatabasePooled = () => database().pool.options.statement_timeout === false;

export const prisma = (): PrismaClient => database().prisma;

/**
 * Sends a statement through the driver, because Prisma's raw call spends almost three times the processor time on it. Only the two
 * statements of nearly every call use this. Each connection prepares the statement under its name.
 */
export async function queryByDriver<Row extends QueryResultRow>(name: string, { text, values }: Prisma.Sql) {
  // Raw: the callers' statements, whose reasons stand there.
  const { rows } = await database().pool.query<Row>({ name, text, values });
  return rows;
}

export async function closeDatabase(): Promise<void> {
  const open = globalForPrisma.rentAdvanceDatabase;
  globalForPrisma.rentAdvanceDatabase = undefined;
  if (open) await close(open);
}

/**
 * Limits the time of a whole call, which may wait for a connection and for several statements. After that `signal` is aborted,
 * so that abandoned work begins nothing new: the applicant may have sent newer answers since. A statement that already
 * waits for a connection may still run, within its own time limit.
 */
export async function withDeadline<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const deadline = new AbortController();
  const { signal } = deadline;
  const timeout = new DatabaseTimeout("The database does not answer");
  const timer = setTimeout(() => deadline.abort(timeout), currentSettings().DATABASE_TIMEOUT_MS * 1.2);
  const silence = new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(timeout)));
  return Promise.race([work(signal), silence]).finally(() => clearTimeout(timer));
}
