import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { consent } from "@/__tests__/support/answers";
import { fillIn, submitFinal } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { runCommand } from "@/__tests__/support/run-command";
import { withConnection } from "@/lib/server/database/connection";
import { excessOf } from "@/lib/server/database/roles/excess";
import { makeRoles } from "@/lib/server/database/roles/make-roles";

jest.setTimeout(60_000);

const { url, appUrl, operationsUrl, sql } = freshDatabase();
const excess = (of: string, kind: "app" | "operations") => withConnection(of, (client) => excessOf(client, kind));

test("operations read everything but the hashes of tokens, and write nothing", async () => {
  await invited();
  const tables = await sql<{ name: string; secret: boolean }>(
    `SELECT table_name AS name, bool_or(data_type = 'bytea') AS secret FROM information_schema.columns
     WHERE table_schema = 'public' GROUP BY table_name`,
  );
  await withConnection(operationsUrl, async (client) => {
    const refused = (statement: string) => expect(client.query(statement)).rejects.toThrow(/permission denied/);
    for (const { name, secret } of tables) {
      if (secret) await refused(`SELECT * FROM ${name}`);
      else await client.query(`SELECT * FROM ${name}`);
      await refused(`DELETE FROM ${name}`);
    }
    await refused("UPDATE applications SET status = 'approved'");
    await refused("INSERT INTO events (kind) VALUES ('submitted')");
    await refused("TRUNCATE events");
    await refused("CREATE TABLE mine (id int)");
    await refused("SELECT erase_applications('{}', '')");
  });
});

test("the app neither changes a record or an event nor touches a table's definition", async () => {
  const { token } = await invited();
  await fillIn(token);
  await post(submitFinal, { token, data: consent });
  await withConnection(appUrl, async (client) => {
    for (const statement of [
      "UPDATE events SET detail = 'x'",
      "DELETE FROM consent_records",
      "TRUNCATE rate_limits",
      "DELETE FROM applications",
      "UPDATE link_tokens SET \"tokenHash\" = ''",
      "ALTER TABLE applications DISABLE TRIGGER USER",
      "CREATE TABLE mine (id int)",
      "SET session_replication_role = replica",
    ])
      await expect(client.query(statement)).rejects.toThrow(/permission denied|must be owner/);
    await client.query("SELECT set_config('rent_advance.erasing', 'yes', false)");
    for (const change of [`"firstName" = ''`, "status = 'draft'"])
      await expect(client.query(`UPDATE applications SET ${change}`)).rejects.toThrow(/is never changed/);
  });
});

test("what a user can do beyond its identity is told in words", async () => {
  expect(await excess(appUrl, "app")).toEqual([]);
  expect(await excess(operationsUrl, "operations")).toEqual([]);
  expect(await excess(url, "app")).toEqual(["is a superuser"]);
  expect(await excess(appUrl, "operations")).toContain("can change applications");
  const operations = new URL(operationsUrl).username;
  await sql(`GRANT "${new URL(appUrl).username}" TO "${operations}"`);
  expect(await excess(operationsUrl, "operations")).toContain("can read link_tokens");
  await sql(`REVOKE "${new URL(appUrl).username}" FROM "${operations}"`);
  await sql(`GRANT pg_execute_server_program TO "${operations}"`);
  expect(await excess(operationsUrl, "operations")).toEqual(["is a member of pg_execute_server_program"]);
  await sql(`REVOKE pg_execute_server_program FROM "${operations}"`);
});

describe("a lender whose database user owns its database and nothing more", () => {
  const name = `test_plain_${randomBytes(4).toString("hex")}`;
  const owner = new URL(url);
  owner.username = name;
  owner.password = "secret";
  owner.pathname = `/${name}`;
  const admin = new URL(url);
  admin.pathname = `/${name}`;
  const asAdmin = (text: string) => withConnection(admin.href, (client) => client.query(text));
  const run = (command: string, ...args: string[]) => runCommand(command, args, { DATABASE_URL: owner.href });

  beforeAll(async () => {
    await sql(`CREATE ROLE ${name} LOGIN PASSWORD 'secret'`);
    await sql(`CREATE DATABASE ${name} OWNER ${name}`);
  });
  afterAll(async () => {
    await sql(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    for (const role of [`${name}_app`, `${name}_operations`, name]) await sql(`DROP ROLE IF EXISTS ${role}`);
  });

  test("migrates, and is told who has to make the roles", async () => {
    expect(await run("migrate")).toMatchObject({ code: 0 });
    const refused = await run("roles");
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toContain("roles -- --sql");
    expect(refused.err).not.toMatch(/^\s+at /m);
  });

  test("gets its roles from an administrator, who may run the same script twice", async () => {
    const { out } = await run("roles", "--sql");
    await asAdmin(out);
    await asAdmin(out);
    await asAdmin(`ALTER ROLE ${name}_app PASSWORD 'a'; ALTER ROLE ${name}_operations PASSWORD 'o'`);
    const asRole = (kind: string, password: string) => {
      const own = new URL(owner);
      own.username = `${name}_${kind}`;
      own.password = password;
      return own.href;
    };
    expect(await excess(asRole("app", "a"), "app")).toEqual([]);
    expect(await excess(asRole("operations", "o"), "operations")).toEqual([]);
    expect(await excess(owner.href, "app")).toContain("owns tables");
    const invitation = await runCommand("invite", ["--mobile", "61412345678"], { DATABASE_URL: asRole("app", "a") });
    expect(invitation).toMatchObject({ code: 0 });
    expect(await run("roles")).toMatchObject({ code: 0 });
  });

  test("may make the roles itself where it is let, beside another lender's on the same server", async () => {
    await asAdmin(`DROP OWNED BY ${name}_app, ${name}_operations; DROP ROLE ${name}_app, ${name}_operations`);
    await asAdmin(`ALTER ROLE ${name} CREATEROLE`);
    const made = await makeRoles(owner.href);
    expect(made.map((role) => role.name)).toEqual([`${name}_app`, `${name}_operations`]);
    for (const { url: own, kind } of made) expect(await excess(own, kind)).toEqual([]);
    expect(await makeRoles(owner.href)).toEqual([]);
    const client = new Client({ connectionString: made[0]?.url });
    await client.connect();
    await client.query("SELECT FROM applications").finally(() => client.end());
  });
});
