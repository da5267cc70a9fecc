/** Ways to change an answer, a record or an event of a submitted application, or to become one who can. */
export function changesOf(reference: string, owner: string): string[] {
  const one = `reference = '${reference}'`;
  const its = `"applicationId" = (SELECT id FROM applications WHERE ${one})`;
  const set = (what: string) => `UPDATE applications SET ${what} WHERE ${one}`;
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
    `SELECT set_config('rent_advance.erasing', 'yes', false); UPDATE links SET id = gen_random_uuid() WHERE ${its}`,
    `SELECT erase_applications(array_agg(id), '') FROM applications WHERE ${one}`,
    `INSERT INTO applications (reference) VALUES ('${reference}') ON CONFLICT (reference) DO UPDATE SET "firstName" = 'Eve'`,
    `DELETE FROM applications WHERE ${one}`,
    "TRUNCATE applications CASCADE",
    `UPDATE consent_records SET document = '' WHERE ${its}`,
    `UPDATE consent_records SET "confirmLoan" = false WHERE ${its}`,
    `UPDATE consent_records SET "consentedAt" = now() WHERE ${its}`,
    `UPDATE consent_records SET address = '' WHERE ${its}`,
    `DELETE FROM consent_records WHERE ${its}`,
    "TRUNCATE consent_records",
    `UPDATE events SET detail = 'approved' WHERE ${its}`,
    `UPDATE events SET at = now() WHERE ${its}`,
    `UPDATE events SET by = 'Eve' WHERE ${its}`,
    `DELETE FROM events WHERE ${its}`,
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

/** Ways to read the hash of a token. */
export const readsOfHashes = [
  `SELECT encode("tokenHash", 'hex') FROM link_tokens`,
  "SELECT * FROM link_tokens",
  "TABLE link_tokens",
  "COPY link_tokens TO STDOUT",
  "SET ROLE none; SELECT * FROM link_tokens",
  "RESET SESSION AUTHORIZATION; SELECT * FROM link_tokens",
  "SELECT query_to_xml('SELECT * FROM link_tokens', true, true, '')",
  'SELECT a.* FROM links l JOIN link_tokens a ON a."linkId" = l.id',
  "SELECT pg_read_binary_file(pg_relation_filepath('link_tokens'))",
  "CREATE VIEW hashes AS SELECT * FROM link_tokens",
];
