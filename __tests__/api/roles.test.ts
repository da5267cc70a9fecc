import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { callCommand } from "@/__tests__/support/call-command";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { fillInAndSubmit, submitted } from "@/__tests__/support/submitted";
import { close, createDatabase } from "@/lib/server/db/client";
import { withConnection } from "@/lib/server/db/connection";
import { createRoles, type RoleKind, readerUrl as readerOf, roleKinds } from "@/lib/server/db/roles";
import { schemaDifference } from "@/lib/server/db/schema-difference";
import { excessPrivileges, lockSchema } from "@/lib/server/db/system-queries";
import { workerDatabase } from "@/lib/server/delivery/worker";
import { revokeLinks } from "@/lib/server/invitations/links";
import { commercialKinds } from "@/lib/server/outbox/message-kinds";

const { url, appUrl, operationsUrl, readerUrl, sql, column, untilWaiting } = freshDatabase({ appIsOperations: false });
const excessOf = (databaseUrl: string, kind: "app" | "reader") =>
  withConnection(databaseUrl, (client) => excessPrivileges(client, kind));
const notPermitted = /permission denied|is never changed|cannot (update|insert into|delete from) view|must be owner/;
const notPermittedToApp =
  /permission denied|must be owner|is never changed|violates (RESTRICT setting of )?foreign key|cannot set|function .* does not exist/;

/** Expects that each statement is refused with such a message. */
async function expectRefused(client: Client, statements: string[], message = notPermitted) {
  for (const statement of statements)
    expect([statement, await client.query(statement).catch((error) => error.message)]).toEqual([
      statement,
      expect.stringMatching(message),
    ]);
}

test("the reader reads everything but the hashes of tokens, and writes nothing", async () => {
  await invited();
  const tables = await sql<{ name: string; secret: boolean }>(
    `SELECT table_name AS name, bool_or(data_type = 'bytea') AS secret FROM information_schema.columns
     WHERE table_schema = 'public' GROUP BY table_name`,
  );
  await withConnection(readerUrl, async (client) => {
    for (const { name, secret } of tables) {
      if (secret) await expectRefused(client, [`SELECT * FROM ${name}`]);
      else await client.query(`SELECT * FROM ${name}`);
      await expectRefused(client, [`DELETE FROM ${name}`]);
    }
    await expectRefused(client, [
      "UPDATE applications SET status = 'approved'",
      "UPDATE application_list SET mobile = ''",
      "INSERT INTO events (kind) VALUES ('submitted')",
      "TRUNCATE events",
      "CREATE TABLE mine (id int)",
      "SELECT erase_applications('{}', '')",
      "SELECT set_application_status(gen_random_uuid(), 'approved', '', '')",
      "SELECT known_token_hashes('{}')",
    ]);
  });
});

test("operations change data only by inviting, revoking, and the functions that record who did it", async () => {
  const { id } = await submitted();
  const { id: withdrawn } = await invited();
  await sql(`UPDATE links SET "revokedAt" = now() WHERE "applicationId" = $1`, [withdrawn]);
  await sql("INSERT INTO api_keys (name, \"keyHash\", \"revokedAt\") VALUES ('ended', '', now())");
  await withConnection(operationsUrl, async (client) => {
    await expectRefused(client, [
      "UPDATE applications SET status = 'approved'",
      `UPDATE applications SET "firstName" = ''`,
      "UPDATE application_list SET mobile = ''",
      "DELETE FROM applications",
      `UPDATE links SET "expiresAt" = now() + interval '9 years'`,
      `UPDATE links SET "openedAt" = now()`,
      "DELETE FROM links",
      `UPDATE links SET "revokedAt" = NULL`,
      `UPDATE links SET "revokedAt" = now() + interval '1 day'`,
      `UPDATE api_keys SET "revokedAt" = NULL`,
      "SELECT * FROM link_tokens",
      "SELECT * FROM fresh_link_requests",
      `SELECT "tokenHash" FROM link_tokens`,
      `SELECT FROM link_tokens WHERE "tokenHash" > ''`,
      `UPDATE link_tokens SET "tokenHash" = ''`,
      "UPDATE events SET by = ''",
      "DELETE FROM events",
      "UPDATE consent_records SET document = ''",
      `INSERT INTO consent_records ("applicationId") VALUES ('${id}')`,
      "UPDATE applications SET email = ''",
      "DELETE FROM data_reads",
      `INSERT INTO data_reads (command, "databaseUser") VALUES ('export', 'somebody')`,
      "DELETE FROM _prisma_migrations",
      "TRUNCATE events",
      "ALTER TABLE applications DISABLE TRIGGER USER",
      "CREATE TABLE mine (id int)",
      "SELECT blank_columns('applications', 'id', '{}', '{}')",
      "SET session_replication_role = replica",
      "COPY (SELECT 1) TO PROGRAM 'cat'",
      "INSERT INTO applications (reference, status) VALUES ('AAAA-AAAA', 'approved')",
      `INSERT INTO applications (reference, "submittedAt") VALUES ('AAAA-AAAA', now())`,
      `INSERT INTO applications (reference, "erasedAt") VALUES ('AAAA-AAAA', now())`,
      `INSERT INTO applications (reference, "loanAmount") VALUES ('AAAA-AAAA', 50000)`,
      `INSERT INTO applications (reference, "landlordSavedAt") VALUES ('AAAA-AAAA', now())`,
      `INSERT INTO links ("applicationId", "expiresAt", "openedAt") VALUES ('${id}', now(), now())`,
      `INSERT INTO events ("applicationId", kind, "databaseUser") VALUES ('${id}', 'submitted', 'somebody')`,
      `INSERT INTO events (id, "applicationId", kind) VALUES (1, '${id}', 'submitted')`,
      `INSERT INTO events ("applicationId", kind) VALUES ('${id}', 'submitted')`,
      `INSERT INTO events ("applicationId", kind, detail) VALUES ('${id}', 'status_changed', 'declined')`,
      `INSERT INTO events ("applicationId", kind) VALUES ('${id}', 'erased')`,
      `INSERT INTO events ("applicationId", kind, at) VALUES ('${id}', 'noted', now() - interval '1 year')`,
      `INSERT INTO messages ("applicationId", kind, channel, "sentAt") VALUES ('${id}', 'status', 'email', now())`,
    ]);
    // The function records who changed the status, and leaves a draft as it is.
    const draft = await invited();
    await client.query("SELECT set_application_status($1, 'approved', 'Ines', 'It is fine')", [draft.id]);
    await client.query("SELECT set_application_status($1, 'approved', 'Ines', 'It is fine')", [id]);
  });
  expect(await column("SELECT status FROM applications WHERE status <> 'draft'")).toEqual(["approved"]);
  expect(await sql(`SELECT by, reason FROM events WHERE kind = 'status_changed'`)).toEqual([
    { by: "Ines", reason: "It is fine" },
  ]);
});

test("the app neither changes a record or an event nor touches a table's definition", async () => {
  await sql("DELETE FROM messages");
  await submitted();
  await withConnection(appUrl, async (client) => {
    // 'npm run roles' forbids temporary objects. Elsewhere they shadow nothing, since the functions' search path is fixed.
    for (const shadow of [
      "CREATE TEMPORARY TABLE pg_class AS SELECT oid, current_user::regrole::oid AS relowner FROM pg_catalog.pg_class",
      "CREATE FUNCTION pg_temp.pg_get_userbyid(oid) RETURNS name LANGUAGE sql AS 'SELECT current_user'",
      "SET search_path = pg_temp, public, pg_catalog",
    ])
      await client.query(shadow).catch(() => {});
    // A draft may be changed, so the trigger of submitted applications does not protect it.
    const { reference } = await invited();
    await revokeLinks(reference, "Ines");
    // Any user can set this, but the triggers obey it only for the owner of the table, as inside erase_applications.
    await client.query("SELECT set_config('rent_advance.erasing', 'yes', false)");
    const forbidden = [
      `UPDATE applications SET "firstName" = ''`,
      "UPDATE applications SET status = 'draft'",
      // If foreign keys cascaded, Postgres would change the events too, as their owner.
      "UPDATE links SET id = gen_random_uuid()",
      "UPDATE applications SET id = gen_random_uuid() WHERE status = 'draft'",
      `UPDATE links SET "applicationId" = gen_random_uuid()`,
      `UPDATE links SET "revokedAt" = NULL`,
      `INSERT INTO events ("applicationId", kind, detail) SELECT id, 'status_changed', 'approved' FROM applications`,
      `INSERT INTO events ("applicationId", kind) SELECT id, 'erased' FROM applications`,
      "UPDATE events SET detail = ''",
      "DELETE FROM consent_records",
      "TRUNCATE rate_limits",
      "DELETE FROM applications",
      "UPDATE link_tokens SET \"tokenHash\" = ''",
      "ALTER TABLE applications DISABLE TRIGGER USER",
      "CREATE TABLE public.mine (id int)",
      "SET session_replication_role = replica",
      `INSERT INTO applications AS a (id, reference) SELECT id, reference FROM applications
        ON CONFLICT (id) DO UPDATE SET "firstName" = ''`,
      `MERGE INTO applications a USING links l ON l."applicationId" = a.id WHEN MATCHED THEN UPDATE SET "firstName" = ''`,
      `SELECT erase_applications(array_agg(id), '') FROM applications`,
      "SELECT set_application_status(id, 'approved', '', '') FROM applications",
      "SELECT known_token_hashes('{}')",
      "SELECT correct_contact(id, 'eve@mail.example', NULL, '') FROM applications",
      "UPDATE data_reads SET by = ''",
      "DELETE FROM data_reads",
      "SELECT blank_columns('events', 'applicationId', array_agg(id), '{}') FROM applications",
      "CREATE OR REPLACE FUNCTION public.is_erasing(changed_table oid) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
      "ALTER FUNCTION is_erasing(oid) RESET search_path",
      "ALTER FUNCTION is_erasing(oid) OWNER TO CURRENT_USER",
      `DO $$ BEGIN UPDATE applications SET "firstName" = ''; END $$`,
    ];
    await expectRefused(client, forbidden, notPermittedToApp);
  });
});

test("excessPrivileges describes in words what a user can do beyond its role", async () => {
  expect(await excessOf(appUrl, "app")).toEqual([]);
  const functions = ["correct_contact", "erase_applications", "known_token_hashes", "set_application_status"];
  expect(await excessOf(operationsUrl, "app")).toEqual(functions.map((name) => `can call ${name}`));
  expect(await excessOf(readerUrl, "reader")).toEqual([]);
  expect(await excessOf(url, "app")).toEqual(["is a superuser"]);
  expect(await excessOf(appUrl, "reader")).toContain("can change applications");
  expect(await excessOf(operationsUrl, "reader")).toEqual(
    expect.arrayContaining(["can change links", "can call erase_applications", "can read link_tokens"]),
  );
});

describe("a lender whose database user owns its database and nothing more", () => {
  const name = `test_plain_${randomBytes(4).toString("hex")}`;
  const admin = Object.assign(new URL(url), { pathname: `/${name}` });
  const owner = Object.assign(new URL(admin), { username: name, password: "secret" });
  const asAdmin = (text: string) => withConnection(admin.href, (client) => client.query(text));
  const roles = roleKinds.map((kind) => `${name}_${kind}`);
  const dropRoles = `DROP OWNED BY ${roles}; DROP ROLE ${roles}`;
  const run = (command: string, ...args: string[]) => callCommand(command, args, { DATABASE_URL: owner.href });

  beforeAll(async () => {
    await sql(`CREATE ROLE ${name} LOGIN PASSWORD 'secret'`);
    await sql(`CREATE DATABASE ${name} OWNER ${name}`);
  });
  afterAll(async () => {
    await sql(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    for (const role of [...roles, name]) await sql(`DROP ROLE IF EXISTS ${role}`);
  });

  test("the owner can migrate, and the roles command names what an administrator runs", async () => {
    expect(await run("migrate")).toMatchObject({ code: 0 });
    const refused = await run("roles");
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toContain("roles -- --sql");
    expect(refused.err).not.toMatch(/^\s+at /m);
  });

  test("the owner gets its roles from an administrator, who may run the same script twice", async () => {
    const { out } = await run("roles", "--sql");
    await asAdmin(out);
    await asAdmin(out);
    for (const kind of roleKinds) await asAdmin(`ALTER ROLE ${name}_${kind} PASSWORD '${kind}'`);
    const asRole = (kind: RoleKind) =>
      Object.assign(new URL(owner), { username: `${name}_${kind}`, password: kind }).href;
    expect(await excessOf(asRole("app"), "app")).toEqual([]);
    expect(await excessOf(asRole("reader"), "reader")).toEqual([]);
    await asAdmin(`GRANT ${name}_app TO ${name}_reader`);
    expect(await excessOf(asRole("reader"), "reader")).toContain("can read link_tokens");
    await asAdmin(`REVOKE ${name}_app FROM ${name}_reader; GRANT pg_execute_server_program TO ${name}_reader`);
    expect(await excessOf(asRole("reader"), "reader")).toEqual(["is a member of pg_execute_server_program"]);
    await asAdmin(`REVOKE pg_execute_server_program FROM ${name}_reader`);
    expect(await excessOf(owner.href, "app")).toContain("owns tables");
    for (const kind of ["app", "operations"] as const) {
      const args = ["--mobile", "61412345678", "--allow-duplicates"];
      expect(await callCommand("invite", args, { DATABASE_URL: asRole(kind) })).toMatchObject({ code: 0 });
    }
    expect(await run("roles")).toMatchObject({ code: 0 });
  });

  test("the owner may create the roles itself if permitted, beside another lender's on the same server", async () => {
    await asAdmin(dropRoles);
    await asAdmin(`ALTER ROLE ${name} CREATEROLE`);
    const sent = jest.spyOn(Client.prototype, "query");
    const made = await createRoles(owner.href);
    const statements = JSON.stringify(sent.mock.calls.map(([statement]) => statement));
    sent.mockRestore();
    // A server that logs its statements would store a password that one of them contains.
    expect(statements).toContain("ALTER ROLE");
    expect(made.filter(({ url: roleUrl }) => statements.includes(new URL(roleUrl).password))).toEqual([]);
    expect(made.map(({ kind }) => kind)).toEqual(["app", "operations", "reader"]);
    const [app, operations, reader] = made.map(({ url: roleUrl }) => roleUrl);
    expect([await excessOf(app ?? "", "app"), await excessOf(reader ?? "", "reader")]).toEqual([[], []]);
    expect(readerOf(operations ?? "")).toBe(reader);
    expect(await createRoles(owner.href)).toEqual([]);
    await withConnection(app ?? "", (client) => client.query("SELECT FROM applications"));
  });

  test("an administrator's script waits for another one that is under way, instead of failing", async () => {
    const { out } = await run("roles", "--sql");
    await withConnection(admin.href, async (client) => {
      await client.query(out.replace(/COMMIT;\s*$/, ""));
      const second = asAdmin(out);
      second.catch(() => {});
      await untilWaiting(1, name);
      await client.query("COMMIT");
      await second;
    });
  });

  test("of two people who create the roles at once, during a migration, one creates them", async () => {
    await asAdmin(dropRoles);
    const creating = await withConnection(admin.href, async (client) => {
      await lockSchema(client);
      const both = [createRoles(owner.href), createRoles(owner.href)];
      await untilWaiting(2, name);
      return { both: Promise.all(both) };
    });
    const made = (await creating.both).toSorted((a, b) => b.length - a.length);
    expect(made.map((created) => created.map(({ kind }) => kind))).toEqual([["app", "operations", "reader"], []]);
    for (const { url: roleUrl } of made.flat())
      await withConnection(roleUrl, (client) => client.query("SELECT FROM applications"));
  });

  test("the next migrate grants missing privileges, because an earlier one may have been killed", async () => {
    await asAdmin(`REVOKE INSERT ON api_requests FROM ${name}_app`);
    expect(await run("migrate")).toMatchObject({ code: 0 });
    const { rows } = await asAdmin(`SELECT has_table_privilege('${name}_app', 'api_requests', 'INSERT') AS granted`);
    expect(rows).toEqual([{ granted: true }]);
  });
});

test("a command that runs as the app's user names the settings to check", async () => {
  const { reference } = await submitted();
  expect(await callCommand("status", [reference, "approved"], { DATABASE_URL: appUrl })).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^Database error: permission denied .+\. Check which .+ OPERATIONS_DATABASE_URL .+\n$/),
  });
});

/** The database URL of a member of operations who has her own login. */
const inesLogin = { username: `ines_${randomBytes(4).toString("hex")}`, password: "secret" };
const ines = Object.assign(new URL(operationsUrl), inesLogin);
const login = (url: string) => new URL(url).username;
beforeAll(async () => {
  await sql(`CREATE ROLE ${ines.username} LOGIN PASSWORD 'secret' IN ROLE "${login(operationsUrl)}"`);
});
// Roles belong to the server. This file's own database has been dropped by then.
afterAll(() =>
  withConnection(process.env.TEST_SERVER_URL ?? "", (client) => client.query(`DROP ROLE ${ines.username}`)),
);

const runAsInes = async (name: string, ...args: string[]) => {
  const { code, out, err } = await callCommand(name, args, { DATABASE_URL: ines.href });
  if (code !== 0) throw new Error(err);
  return out;
};

test("every event that a command writes records the login that ran it, whatever --by says", async () => {
  const reference = JSON.parse(await runAsInes("invite", "--json", "--mobile", "61412345678", "--by", "Bob")).reference;
  const { token } = JSON.parse(await runAsInes("links", "reissue", reference, "--json", "--by", "Bob"));
  await fillInAndSubmit(token);
  await runAsInes("status", reference, "in-review", "--by", "Bob");
  await runAsInes("links", "revoke", reference, "--by", "Bob");
  await runAsInes("person", "erase", reference, "--by", "Bob");
  const events = await sql<{ kind: string; by: string; databaseUser: string }>(
    `SELECT kind, by, "databaseUser" FROM events_by_reference WHERE reference = $1 ORDER BY number`,
    [reference],
  );
  const byBob = events.filter(({ by }) => by === "Bob");
  expect(byBob.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(["link_issued", "link_reissued", "link_revoked", "status_changed", "erased"]),
  );
  expect(new Set(byBob.map(({ databaseUser }) => databaseUser))).toEqual(new Set([ines.username]));
  const ofCalls = events.filter(({ by }) => by === "").map(({ databaseUser }) => databaseUser);
  expect(new Set(ofCalls)).toEqual(new Set([login(appUrl)]));
  const shown = await runAsInes("applications", "show", reference);
  expect(shown).toMatch(new RegExp(`status changed: .* by Bob {3}login ${ines.username}`));
});

test.each([
  ["a person who logs in to operations", "15s", () => createDatabase({ url: ines.href, max: 1, timeoutMs: 1500 })],
  ["a worker", "10s", () => workerDatabase(url)],
] as const)("the idle transactions of %s end after %s, whatever the role's limit", async (_, ms, open) => {
  const { prisma, pool } = open();
  const [limit] = await prisma.$queryRaw<[object]>`SELECT current_setting('idle_in_transaction_session_timeout') AS ms`;
  await close({ prisma, pool });
  expect(limit).toEqual({ ms });
});

test.each([
  ["the app", appUrl],
  ["operations", operationsUrl],
  ["a person of operations", ines.href],
])("%s cannot write another login into an event", async (_, url) => {
  const { id } = await invited();
  await withConnection(url, async (client) => {
    const insert = `INSERT INTO events ("applicationId", kind, by, "databaseUser") VALUES ($1, 'link_revoked', 'Bob', 'bob')`;
    await expect(client.query(insert, [id])).rejects.toThrow("permission denied");
    await expect(client.query(`UPDATE events SET "databaseUser" = 'bob'`)).rejects.toThrow("permission denied");
    await client.query("SELECT set_config('session_authorization', 'bob', false)").catch(() => {});
    await client.query(`INSERT INTO events ("applicationId", kind, by) VALUES ($1, 'link_revoked', 'Bob')`, [id]);
  });
  const written = `SELECT "databaseUser" FROM events WHERE "applicationId" = $1 AND by = 'Bob'`;
  expect(await sql(written, [id])).toEqual([{ databaseUser: login(url) }]);
});

test("the migrations and schema.prisma agree", async () => {
  expect(await schemaDifference(url)).toBe("");
});

test("the indexes of due messages divide them into commercial and other kinds", async () => {
  for (const index of ["messages_due_idx", "messages_commercial_due_idx"]) {
    const [definition] = await column("SELECT pg_get_indexdef($1::regclass)", [index]);
    expect(definition.match(/'[\w-]+'(?=::text)/g)).toEqual(commercialKinds.map((kind) => `'${kind}'`));
  }
});

test("a caller's search_path cannot put other functions or tables in front of those of a trigger", async () => {
  const withoutPath = `SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    AND (prosecdef OR prorettype = 'trigger'::regtype) AND proconfig IS NULL`;
  expect(await column(withoutPath)).toEqual([]);
});

/** Triggers refuse these statements even to the owner of the tables. */
describe("after submission", () => {
  beforeAll(() => submitted());

  test.each([
    `UPDATE applications SET "firstName" = 'Eve'`,
    `UPDATE applications SET "loanAmount" = 1`,
    `UPDATE applications SET status = 'draft'`,
    `UPDATE applications SET "submittedAt" = now()`,
    `UPDATE consent_records SET document = ''`,
    `UPDATE consent_records SET "confirmLoan" = false`,
    "DELETE FROM consent_records",
    "TRUNCATE consent_records",
    `UPDATE events SET detail = 'x'`,
    "DELETE FROM events",
    "TRUNCATE events CASCADE",
    "TRUNCATE applications CASCADE",
    "DELETE FROM applications",
  ])("%s is refused", async (statement) => {
    await expect(sql(statement)).rejects.toThrow(/is never changed|violates .*foreign key/);
  });
});
