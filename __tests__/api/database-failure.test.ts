import { once } from "node:events";
import type { Socket } from "node:net";
import { Client, type ClientConfig, Pool } from "pg";
import { freshDatabase } from "@/__tests__/support/database";
import { startTcpServer } from "@/__tests__/support/tcp-server";
import { close, createDatabase, database, prisma } from "@/lib/server/db/client";
import { explain, isDatabaseFailure, isDatabaseUnavailable } from "@/lib/server/db/errors";

const { sql, appUrl, withoutTable } = freshDatabase();

/** RAISE can raise any SQLSTATE, and the driver and Prisma report it like one that Postgres raises itself. */
const raise = (code: string) => `DO $$ BEGIN RAISE EXCEPTION 'as asked' USING ERRCODE = '${code}'; END $$`;
const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

const away = "08006 25006 28P01 3D000 40001 40P01 42501 42P01 53100 53300 55P03 57014 57P01 58030".split(" ");
const ownFaults = "22001 22021 22P02 23502 23505 23514 42601 42703 P0001".split(" ");

test.each([
  ...away.map((code) => [code, "temporary: a retry may succeed", true] as const),
  ...ownFaults.map((code) => [code, "our own fault: a retry would fail the same way", false] as const),
])("SQLSTATE %s is %s", async (code, _, isTemporary) => {
  expect(isDatabaseUnavailable(await errorOf(database().pool.query(raise(code))))).toBe(isTemporary);
  expect(isDatabaseUnavailable(await errorOf(prisma().$executeRawUnsafe(raise(code))))).toBe(isTemporary);
});

test("an error that Prisma has renamed (P2003) is recognised by the driver's code", async () => {
  const id = "00000000-0000-4000-8000-000000000000";
  const refused = await errorOf(prisma().link.create({ data: { applicationId: id, expiresAt: new Date() } }));
  expect(refused).toMatchObject({ name: "PrismaClientKnownRequestError", code: "P2003" });
  expect(isDatabaseUnavailable(refused)).toBe(false);
});

test("a missing table or privilege is temporary, also when Prisma renames the error (P2021, P2010)", async () => {
  const missing = await withoutTable("links", () => errorOf(prisma().link.findMany()));
  expect(missing).toMatchObject({ name: "PrismaClientKnownRequestError", code: "P2021" });
  expect(isDatabaseUnavailable(missing)).toBe(true);
  const refused = await errorOf(prisma().link.deleteMany());
  expect(refused).toMatchObject({ name: expect.stringMatching(/^PrismaClient/) });
  expect(isDatabaseUnavailable(refused)).toBe(true);
});

test("a query that Prisma itself rejects is our own fault", async () => {
  const refused = await errorOf(prisma().link.findMany({ where: { nowhere: 1 } as never }));
  expect(refused).toMatchObject({ name: "PrismaClientValidationError" });
  expect(isDatabaseUnavailable(refused)).toBe(false);
});

/** Connects to a server that does this with each connection. */
async function connectTo(serve: (socket: Socket) => void, connect: (config: ClientConfig) => Promise<unknown>) {
  const { port, stop } = await startTcpServer(serve);
  const limit = serve === silent ? { connectionTimeoutMillis } : {};
  return connect({ host: "127.0.0.1", port, ...limit }).finally(stop);
}
const silent = () => {};
/** The server's answer to a request for TLS. */
const refusesTls = (socket: Socket) => void socket.once("data", () => socket.write("N"));
const connectionTimeoutMillis = 100;
const asClient = (config: ClientConfig) => new Client(config).on("error", () => {}).connect();
const asTlsClient = (config: ClientConfig) => asClient({ ...config, ssl: true });
const asPool = (config: ClientConfig) => new Pool(config).on("error", () => {}).connect();

async function withOwnClient<T>(work: (client: Client) => Promise<T>, config: ClientConfig = {}): Promise<T> {
  const client = new Client({ connectionString: appUrl, ...config }).on("error", () => {});
  await client.connect();
  return work(client).finally(() => client.end());
}

async function queryAfterEnd(own: Client): Promise<void> {
  const isNoticed = once(own, "error");
  await own.query("SELECT pg_terminate_backend(pg_backend_pid())").catch(() => {});
  await isNoticed;
  await own.query("SELECT 1");
}

async function fromBusyPool(): Promise<unknown> {
  const pool = new Pool({ connectionString: appUrl, max: 1 });
  const busy = await pool.connect();
  // Only now, because a busy machine takes longer to connect.
  pool.options.connectionTimeoutMillis = connectionTimeoutMillis;
  return pool.connect().finally(async () => {
    busy.release();
    await pool.end();
  });
}

test.each<[message: string, cause: () => Promise<unknown>]>([
  ["timeout expired", () => connectTo(silent, asClient)],
  ["timeout exceeded when trying to connect", fromBusyPool],
  ["Connection terminated due to connection timeout", () => connectTo(silent, asPool)],
  ["Connection terminated unexpectedly", () => connectTo((socket) => socket.end(), asClient)],
  ["Query read timeout", () => withOwnClient((own) => own.query("SELECT pg_sleep(60)"), { query_timeout: 50 })],
  ["Client was closed and is not queryable", () => withOwnClient((own) => own.end().then(() => own.query("SELECT 1")))],
  ["Client has encountered a connection error and is not queryable", () => withOwnClient(queryAfterEnd)],
  ["The server does not support SSL connections", () => connectTo(refusesTls, asTlsClient)],
])("the driver's error '%s' is a database failure", async (message, cause) => {
  const error = await errorOf(cause());
  expect(error).toMatchObject({ message });
  expect((error as { code?: string }).code).toBeUndefined();
  expect([isDatabaseFailure(error), isDatabaseUnavailable(error)]).toEqual([true, true]);
});

test("a database that cannot be reached through its socket is a database failure", async () => {
  const error = await errorOf(new Client({ host: "/nowhere" }).connect());
  expect(error).toMatchObject({ code: "ENOENT", address: expect.stringContaining("/nowhere") });
  expect(isDatabaseFailure(error)).toBe(true);
});

test.each([
  ...[undefined, "text", new TypeError("x is not a function")],
  new Error("Invalid settings:\nDATABASE_TIMEOUT_MS: is not a whole number from 100 to 60000"),
  new Error("terminated-leases.csv, row 2: mobile must be a phone number\nNothing was created."),
  // Only the error of a file has a path.
  Object.assign(new Error("no such file or directory"), { code: "ENOENT", path: "/nowhere/leases.csv" }),
])("%p is no database failure", (error) => {
  expect([isDatabaseFailure(error), isDatabaseUnavailable(error)]).toEqual([false, false]);
});

test("a connection that ends between two statements of a transaction is temporary", async () => {
  const connected = once(database().pool, "acquire");
  const broken = await errorOf(
    prisma().$transaction(async (transaction) => {
      const [session] = await transaction.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
      const [connection] = (await connected) as [Client];
      const isNoticed = new Promise((resolve) => connection.once("end", resolve));
      await sql("SELECT pg_terminate_backend($1)", [session?.pid]);
      await isNoticed;
      await transaction.$queryRaw`SELECT 1`;
    }),
  );
  expect(broken).toMatchObject({ message: expect.stringContaining("not queryable") });
  expect(isDatabaseUnavailable(broken)).toBe(true);
});

/** One message of Postgres: its type, its length and its text. */
function message(type: string, text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + Buffer.byteLength(text));
  return Buffer.concat([Buffer.from(type), length, Buffer.from(text)]);
}

test("an error that arrives together with a new connection does not end the process", async () => {
  const [accepted, ready] = [message("R", "\0\0\0\0"), message("Z", "I")];
  const gone = message("E", "SFATAL\0C57P01\0Mterminating connection due to unexpected postmaster exit\0\0");
  const answer = Buffer.concat([accepted, ready, gone]);
  const server = await startTcpServer((socket) => socket.once("data", () => socket.end(answer)));
  const away = createDatabase({ url: `postgresql://a@127.0.0.1:${server.port}/b`, max: 1, timeoutMs: 1000 });
  const error = await errorOf(away.prisma.$transaction((transaction) => transaction.link.count()));
  await close(away).finally(server.stop);
  expect(isDatabaseUnavailable(error)).toBe(true);
});

test("each connection prepares a statement of Prisma once, except for a search, which is planned for its words", async () => {
  const { prisma, pool } = createDatabase({ url: appUrl, max: 1, timeoutMs: 60_000 });
  for (const word of ["%a%", "%b%"]) await prisma.$queryRaw`SELECT FROM links WHERE device LIKE ${word}`;
  for (const skip of [0, 0]) await prisma.link.findMany({ skip });
  const { rows } = await pool.query("SELECT name FROM pg_prepared_statements");
  await close({ prisma, pool });
  expect(rows).toEqual([{ name: "s0" }]);
});

test("an expired certificate of the database is named as such", () => {
  const expired = Object.assign(new Error("certificate has expired"), { code: "CERT_HAS_EXPIRED" });
  const { message } = explain(expired, "postgresql://app@db.example:5432/lender");
  expect(message).toBe("The certificate of the database db.example:5432/lender has expired: renew it.");
});
