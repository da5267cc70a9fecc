import { setTimeout } from "node:timers/promises";
import { freshDatabase } from "@/__tests__/support/database";
import { database, prisma } from "@/lib/server/db/client";
import { isDatabaseAway } from "@/lib/server/db/errors";

const { sql } = freshDatabase();

/** RAISE can raise any SQLSTATE, and the driver and Prisma report it like one that Postgres raises itself. */
const raise = (code: string) => `DO $$ BEGIN RAISE EXCEPTION 'as asked' USING ERRCODE = '${code}'; END $$`;
const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

const away = "08006 25006 28P01 3D000 40001 40P01 42501 42P01 53100 53300 55P03 57014 57P01 58030".split(" ");
const ownFaults = "22001 22021 22P02 23502 23505 23514 42601 42703".split(" ");

test.each(away)("SQLSTATE %s is temporary: a retry may succeed", async (code) => {
  expect(isDatabaseAway(await errorOf(database().pool.query(raise(code))))).toBe(true);
  expect(isDatabaseAway(await errorOf(prisma().$executeRawUnsafe(raise(code))))).toBe(true);
});

test.each(ownFaults)("SQLSTATE %s is our own fault: a retry would fail the same way", async (code) => {
  expect(isDatabaseAway(await errorOf(database().pool.query(raise(code))))).toBe(false);
  expect(isDatabaseAway(await errorOf(prisma().$executeRawUnsafe(raise(code))))).toBe(false);
});

test("an error that Prisma has renamed (P2003) is judged by the driver's code", async () => {
  const id = "00000000-0000-4000-8000-000000000000";
  const refused = await errorOf(prisma().link.create({ data: { applicationId: id, expiresAt: new Date() } }));
  expect(refused).toMatchObject({ name: "PrismaClientKnownRequestError", code: "P2003" });
  expect(isDatabaseAway(refused)).toBe(false);
});

test("a missing table or privilege is temporary, also when Prisma renames the error (P2021, P2010)", async () => {
  await sql("ALTER TABLE links RENAME TO elsewhere");
  const missing = await errorOf(prisma().link.findMany());
  await sql("ALTER TABLE elsewhere RENAME TO links");
  expect(missing).toMatchObject({ name: "PrismaClientKnownRequestError", code: "P2021" });
  expect(isDatabaseAway(missing)).toBe(true);
  const refused = await errorOf(prisma().link.deleteMany());
  expect(refused).toMatchObject({ name: expect.stringMatching(/^PrismaClient/) });
  expect(isDatabaseAway(refused)).toBe(true);
});

test("a query that Prisma itself rejects is our own fault", async () => {
  const refused = await errorOf(prisma().link.findMany({ where: { nowhere: 1 } as never }));
  expect(refused).toMatchObject({ name: "PrismaClientValidationError" });
  expect(isDatabaseAway(refused)).toBe(false);
});

test.each([undefined, "text", new Error("ours"), new TypeError("x is not a function")])(
  "%p is not a database failure",
  (error) => {
    expect(isDatabaseAway(error)).toBe(false);
  },
);

test("a connection that ends between two statements of a transaction is temporary", async () => {
  const broken = await errorOf(
    prisma().$transaction(async (transaction) => {
      const [session] = await transaction.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
      await sql("SELECT pg_terminate_backend($1)", [session?.pid]);
      await setTimeout(100);
      await transaction.$queryRaw`SELECT 1`;
    }),
  );
  expect(broken).toMatchObject({ message: expect.stringContaining("not queryable") });
  expect(isDatabaseAway(broken)).toBe(true);
});
