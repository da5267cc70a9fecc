import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { type Studio, startStudio } from "@/__tests__/support/processes/studio";

jest.setTimeout(120_000);

const { url, appUrl, operationsUrl } = freshDatabase();
/** SQLSTATE, which is all that Studio passes on. */
const insufficientPrivilege = "42501";
const port = 20_000 + (process.pid % 20_000);

describe("with the database user of operations", () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await startStudio({ DATABASE_URL: appUrl, OPERATIONS_DATABASE_URL: operationsUrl }, port);
  });
  afterAll(() => studio.end());
  const host = `localhost:${port}`;

  test("the printed address opens it, and a cookie keeps it open; nobody else is answered", async () => {
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
      studio.call("/bff", { ...studio.ours, origin: "https://attacker.example" }, "{}"),
    ];
    expect((await Promise.all(strangers)).map(({ status }) => status)).toEqual(strangers.map(() => 403));
  });

  test("its own endpoint reads applications", async () => {
    const { reference } = await invited();
    expect(await studio.run("SELECT reference FROM applications")).toContain(reference);
  });

  test.each([
    "SET ROLE none; SELECT * FROM link_tokens",
    `SELECT "tokenHash" FROM link_tokens`,
    "ALTER TABLE consent_records DISABLE TRIGGER consent_records_are_immutable",
    "COPY (SELECT 1) TO PROGRAM 'cat > /tmp/studio-was-here'",
    "SET session_replication_role = replica",
    "UPDATE applications SET status = 'approved'",
  ])("its own endpoint is refused %s", async (sql) => {
    await expect(studio.run(sql)).rejects.toThrow(insufficientPrivilege);
  });

  test("SET ROLE none leaves it what it is", async () => {
    await studio.run("SET ROLE none").catch(() => {});
    await expect(studio.run("SELECT * FROM link_tokens")).rejects.toThrow(insufficientPrivilege);
  });
});

test.each([
  ["the owner", { DATABASE_URL: url }, /is a superuser/],
  ["the app", { DATABASE_URL: appUrl }, /can change applications/],
  ["one that was given too much", { OPERATIONS_DATABASE_URL: appUrl }, /can read link_tokens/],
])("it does not start as %s", async (_, env, reason) => {
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith("studio-")).length;
  const starting = startStudio(env as unknown as Record<string, string>, port + 1);
  await expect(starting).rejects.toThrow(reason);
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith("studio-")).length).toBe(before);
});
