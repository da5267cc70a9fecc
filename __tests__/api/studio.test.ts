import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { freePort } from "@/__tests__/support/processes/app";
import { type Studio, startStudio } from "@/__tests__/support/processes/studio";
import { firstView, forReading, scriptChanges } from "@/lib/cli/studio-page";

jest.setTimeout(120_000);

const { url, appUrl, operationsUrl, readerUrl, sql } = freshDatabase();
/** SQLSTATE, which is all that Studio passes on. */
const insufficientPrivilege = "42501";

describe("with the database user of operations, whose commands may do more", () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await startStudio({ DATABASE_URL: appUrl, OPERATIONS_DATABASE_URL: operationsUrl }, await freePort());
  });
  afterAll(() => studio.end());

  test("the printed address opens it, and a cookie keeps it open; nobody else is answered", async () => {
    const { port } = studio;
    const host = `127.0.0.1:${port}`;
    // Not localhost: a browser asks ::1 first, where another user of the machine may hold the same port and read the secret.
    expect(studio.address).toMatch(new RegExp(`^http://${host}/\\?secret=[\\w-]{43}$`));
    const page = await studio.call("/", studio.ours);
    expect([page.status, page.headers["content-security-policy"]]).toEqual([200, "connect-src 'self'"]);
    const strangers = [
      studio.call("/", { host }),
      studio.call("/studio.js", { host }),
      studio.call("/?secret=", { host }),
      studio.call("//", { host }),
      studio.call("/?secret=wrong", { host, cookie: `studio-${port}=wrong` }),
      studio.call("/bff", { host, "content-type": "application/json" }, "{}"),
      studio.call("/", { ...studio.ours, host: "attacker.example" }),
      studio.call("/", { ...studio.ours, host: `localhost:${port}` }),
      studio.call("/bff", { ...studio.ours, origin: "https://attacker.example" }, "{}"),
    ];
    expect((await Promise.all(strangers)).map(({ status }) => status)).toEqual(strangers.map(() => 403));
  });

  test("its own endpoint reads applications", async () => {
    const { reference } = await invited();
    expect(await studio.run("SELECT reference FROM applications")).toContain(reference);
  });

  test("its script offers nothing that writes", async () => {
    expect((await studio.call("/studio.js", studio.ours)).text).not.toContain('children:"Insert row"');
  });

  test.each([
    "SET ROLE none; SELECT * FROM link_tokens",
    `SELECT "tokenHash" FROM link_tokens`,
    "ALTER TABLE consent_records DISABLE TRIGGER consent_records_are_immutable",
    "COPY (SELECT 1) TO PROGRAM 'cat > /tmp/studio-was-here'",
    "SET session_replication_role = replica",
    "UPDATE applications SET status = 'approved'",
    "SELECT set_application_status(id, 'approved', '', '') FROM applications",
    "SELECT erase_applications(array_agg(id), '') FROM applications",
  ])("its own endpoint is refused %s", async (sql) => {
    await expect(studio.run(sql)).rejects.toThrow(insufficientPrivilege);
  });

  test("SET ROLE none leaves it what it is", async () => {
    await studio.run("SET ROLE none").catch(() => {});
    await expect(studio.run("SELECT * FROM link_tokens")).rejects.toThrow(insufficientPrivilege);
  });
});

test("it starts as the reader that an administrator made, and says what is missing where none was", async () => {
  const studio = await startStudio({ OPERATIONS_DATABASE_URL: readerUrl }, await freePort());
  await studio.end();
  const { username } = new URL(readerUrl);
  await sql(`ALTER ROLE "${username}" NOLOGIN`);
  const starting = startStudio({ OPERATIONS_DATABASE_URL: operationsUrl }, await freePort());
  await expect(starting).rejects.toThrow(`${username} is not let in. Run 'npm run roles'`);
  await sql(`ALTER ROLE "${username}" LOGIN`);
});

test.each([
  ["the owner", { DATABASE_URL: url }, /is a superuser/],
  ["the app", { DATABASE_URL: appUrl }, /can change applications/],
  ["one that was given too much", { OPERATIONS_DATABASE_URL: appUrl }, /can read link_tokens/],
])("it does not start as %s", async (_, env, reason) => {
  // Of its own: another test's Studio may be starting.
  const TMPDIR = mkdtempSync(join(tmpdir(), "refused-"));
  const starting = startStudio({ ...(env as unknown as Record<string, string>), TMPDIR }, await freePort());
  await expect(starting).rejects.toThrow(reason);
  expect(readdirSync(TMPDIR).filter((name) => name.startsWith("studio-"))).toEqual([]);
  rmSync(TMPDIR, { recursive: true });
});

test.each(scriptChanges)("what is changed in Prisma Studio's script stands there, once: %s", (found) => {
  const script = readFileSync("node_modules/prisma/build/studio.js", "utf8");
  expect([...script.matchAll(new RegExp(found, "g"))]).toHaveLength(1);
});

test("of the schema, Studio's page is told what people read, references first, and to search few columns", () => {
  const column = (name: string, datatype = "text") => ({ name, datatype, options: [], pk: null });
  const relation = (name: string, ...columns: object[]) => ({ schema: "public", name, columns });
  const readable = {
    events: ["id"],
    events_by_reference: ["reference", "at", "detail", "number"],
    applications: ["id", "reference", "firstName", "invitedFirstName"],
    [firstView]: ["reference", "name", "foundBy"],
  };
  const given = [
    relation("link_tokens", column("tokenHash", "bytea")),
    relation("events", column("id", "int8")),
    relation("applications", ...["firstName", "id", "invitedFirstName", "reference"].map((name) => column(name))),
    relation("events_by_reference", ...["at", "detail", "number", "reference"].map((name) => column(name))),
    relation(firstView, ...["foundBy", "name", "reference"].map((name) => column(name))),
  ];
  const [error, told] = JSON.parse(forReading("/bff", JSON.stringify([null, given]), readable));
  const searched = told.map((one: { columns: { name: string; datatype: string }[] }) =>
    one.columns.map(({ name, datatype }) => (datatype === "text" ? name.toUpperCase() : name)),
  );
  expect([error, told.map(({ name }: { name: string }) => name)]).toEqual([
    null,
    [firstView, "applications", "events_by_reference"],
  ]);
  expect(searched).toEqual([
    ["reference", "name", "FOUNDBY"],
    ["REFERENCE", "FIRSTNAME", "invitedFirstName", "id"],
    ["REFERENCE", "at", "detail", "number"],
  ]);
  expect(told[2].columns[0]).toMatchObject({ fk_table: firstView, fk_column: "reference", pk: null });
  expect(told[2].columns[3]).toMatchObject({ pk: 1 });
  const rows = JSON.stringify([null, [{ reference: "K7QM-4XRT" }]]);
  expect(forReading("/bff", rows, readable)).toBe(rows);
});
