import { hashes } from "@/__tests__/lab/promises/support/dump";
import { expect, same } from "@/__tests__/lab/promises/support/expect";
import { promise, type World } from "@/__tests__/lab/promises/support/world";
import { invited } from "@/__tests__/support/invited";
import { freePort } from "@/__tests__/support/processes/app";
import { submit } from "@/__tests__/support/processes/call";
import { type Studio, startStudio } from "@/__tests__/support/processes/studio";
import { withConnection } from "@/lib/server/db/connection";

/** Statements that change an answer, record or event of a submitted application, or gain the privilege to. All must fail. */
function changesOf(reference: string, owner: string): string[] {
  const row = `reference = '${reference}'`;
  const ofRow = `"applicationId" = (SELECT id FROM applications WHERE ${row})`;
  const set = (assignments: string) => `UPDATE applications SET ${assignments} WHERE ${row}`;
  return [
    set(`"firstName" = 'Eve'`),
    set(`"loanAmount" = 1`),
    set(`"leaseEndDate" = '2020-01-01'`),
    set(`"invitedMobile" = '61400000000'`),
    set("quotes = '{1}'"),
    set(`"submittedAt" = now()`),
    set(`"createdAt" = now()`),
    set(`"erasedAt" = now()`),
    set("reference = 'AAAA-AAAA'"),
    set("id = gen_random_uuid()"),
    set("status = 'draft'"),
    set("status = 'approved', email = ''"),
    `SELECT set_config('rent_advance.erasing', 'yes', false); ${set(`"firstName" = ''`)}`,
    `SELECT set_config('rent_advance.erasing', 'yes', false); UPDATE links SET id = gen_random_uuid() WHERE ${ofRow}`,
    `SELECT erase_applications(array_agg(id), '') FROM applications WHERE ${row}`,
    `INSERT INTO applications (reference) VALUES ('${reference}') ON CONFLICT (reference) DO UPDATE SET "firstName" = 'Eve'`,
    `DELETE FROM applications WHERE ${row}`,
    "TRUNCATE applications CASCADE",
    `UPDATE consent_records SET document = '' WHERE ${ofRow}`,
    `UPDATE consent_records SET "confirmLoan" = false WHERE ${ofRow}`,
    `UPDATE consent_records SET "consentedAt" = now() WHERE ${ofRow}`,
    `UPDATE consent_records SET address = '' WHERE ${ofRow}`,
    `DELETE FROM consent_records WHERE ${ofRow}`,
    "TRUNCATE consent_records",
    `UPDATE events SET detail = 'approved' WHERE ${ofRow}`,
    `UPDATE events SET at = now() WHERE ${ofRow}`,
    `UPDATE events SET by = 'Eve' WHERE ${ofRow}`,
    `DELETE FROM events WHERE ${ofRow}`,
    `INSERT INTO events ("applicationId", kind, detail) SELECT id, 'status_changed', 'approved' FROM applications WHERE ${row}`,
    `UPDATE links SET "revokedAt" = now() WHERE ${ofRow}; UPDATE links SET "revokedAt" = NULL WHERE ${ofRow}`,
    "TRUNCATE events",
    "ALTER TABLE consent_records DISABLE TRIGGER ALL",
    "ALTER TABLE applications DISABLE TRIGGER submitted_applications_are_immutable",
    "ALTER TABLE events ADD COLUMN note text",
    "ALTER TABLE events OWNER TO CURRENT_USER",
    "DROP TRIGGER events_are_immutable ON events",
    "DROP TABLE events CASCADE",
    "CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
    "CREATE RULE silence AS ON INSERT TO events DO INSTEAD NOTHING",
    "UPDATE pg_trigger SET tgenabled = 'D'",
    "SET session_replication_role = replica",
    `SET ROLE "${owner}"`,
    `SET SESSION AUTHORIZATION "${owner}"`,
    "COPY (SELECT 1) TO PROGRAM 'cat'",
  ];
}

/** Statements that read the hash of a token. All must fail. */
const readsOfHashes = [
  `SELECT encode("tokenHash", 'hex') FROM link_tokens`,
  "SELECT * FROM link_tokens",
  "SELECT * FROM fresh_link_requests",
  "TABLE link_tokens",
  "COPY link_tokens TO STDOUT",
  "SET ROLE none; SELECT * FROM link_tokens",
  "RESET SESSION AUTHORIZATION; SELECT * FROM link_tokens",
  "SELECT query_to_xml('SELECT * FROM link_tokens', true, true, '')",
  'SELECT a.* FROM links l JOIN link_tokens a ON a."linkId" = l.id',
  "SELECT pg_read_binary_file(pg_relation_filepath('link_tokens'))",
  "CREATE VIEW hashes AS SELECT * FROM link_tokens",
];

/** Submits an application. Returns the statements that try to change it, and the hash of its link token. */
async function victim({ app, sql, database }: World) {
  const { token, reference, id } = await invited({ firstName: "Ada" });
  await submit(app, token);
  const [link] = await sql<{ hash: string }>(
    `SELECT encode("tokenHash", 'hex') AS hash FROM link_tokens t JOIN links l ON l.id = t."linkId" WHERE l."applicationId" = $1`,
    [id],
  );
  return { changes: changesOf(reference, new URL(database).username), hash: link?.hash ?? "" };
}

/**
 * The SQLSTATEs of a refusal: a missing privilege, a trigger that refuses the change, a foreign key that restricts it, and in
 * Studio a READ ONLY transaction and several statements at once.
 */
const refusals = ["42501", "P0001", "23001", "25006", "42601"];

/** Runs each statement, and returns those that were not refused. A statement that fails in another way proves nothing. */
async function passed(statements: string[], run: (statement: string) => Promise<unknown>): Promise<string[]> {
  const passedStatements: string[] = [];
  for (const statement of statements)
    await run(statement).then(
      () => passedStatements.push(statement),
      // Studio's endpoint reports the SQLSTATE as the message.
      ({ code, message }) => expect(refusals.includes(code ?? message), `${code ?? ""} ${message}: ${statement}`),
    );
  return passedStatements;
}

promise(28, async (world) => {
  const { changes } = await victim(world);
  same(new Set(changes).size, 44, "statements");
  const before = await withConnection(world.database, hashes);
  const alone = (statement: string) => withConnection(world.users.app, (client) => client.query(statement));
  same(await passed(changes, alone), [], "statements that were let through as the app's user");
  same(await withConnection(world.database, hashes), before, "row hashes of every table");
  return `${changes.length} statements as the app's user on a submitted application: ${changes.length} refused, every row of every table as it was`;
});

promise(30, async (world) => {
  const { changes, hash } = await victim(world);
  // Each start of Studio is recorded in data_reads.
  const hashesBesideReads = async () => ({ ...(await withConnection(world.database, hashes)), data_reads: "" });
  const before = await hashesBesideReads();
  const studio = await startStudio({ OPERATIONS_DATABASE_URL: world.users.operations }, await freePort());
  world.after(studio.end);
  same(await passed(changes, studio.run), [], "statements that Studio let through");
  same(await passed(readsOfHashes, studio.run), [], "reads of a token hash that Studio let through");
  const seen = await studio.run("SELECT reference FROM applications");
  expect(seen.length > 2 && !seen.includes(hash), "Studio reads no applications");
  const statuses = await withoutSecret(studio, [...changes, ...readsOfHashes]);
  same(new Set(statuses), new Set([403]), "statuses without this start's secret");
  same(await hashesBesideReads(), before, "row hashes of every table");
  return `${changes.length} changes and ${readsOfHashes.length} reads of a token hash through Studio's endpoint: all refused; ${statuses.length} requests without this start's secret: ${statuses.length} × 403`;
});

/** Sends requests that another user of the machine could send, without the secret of this start. Returns their statuses. */
async function withoutSecret({ call: ask, port }: Studio, statements: string[]): Promise<number[]> {
  const host = `127.0.0.1:${port}`;
  const json = { host, "content-type": "application/json" };
  const body = (sql: string) => JSON.stringify({ procedure: "query", query: { sql, parameters: [] } });
  const posts = statements.map((sql) => ask("/bff", json, body(sql)));
  const wrong = [`/?secret=`, `/?secret=${"A".repeat(43)}`, "/", "/studio.js", "/favicon.ico", "//", "/bff"];
  const gets = wrong.map((path) => ask(path, { host, cookie: `studio-${port}=${"A".repeat(43)}` }));
  return (await Promise.all([...posts, ...gets])).map(({ status }) => status);
}
