import "server-only";
import { type Client, escapeIdentifier, escapeLiteral } from "pg";
import { invitableAnswers } from "@/lib/domain/application";
import { invitedColumn } from "@/lib/server/db/application-row";
import { type RoleKind, roleKinds, roleName } from "./names";

/** What a role may do with a table that is not named here. */
const usual: Record<RoleKind, string> = {
  app: "SELECT, INSERT, UPDATE, DELETE",
  operations: "SELECT",
  reader: "SELECT",
};

/** Not "databaseUser", which the database writes, nor the number, which gives their order. */
const eventColumns = ["applicationId", "linkId", "kind", "detail", "at", "address", "by", "reason"];
/** What is still to be sent. Not that it was. */
const messageColumns = [
  ...[
    "id",
    "applicationId",
    "kind",
    "channel",
    "recipient",
    "detail",
    "template",
    "state",
    "dueAt",
    "attempts",
    "error",
  ],
  ...["providerId", "createdAt", "by"],
];

/** Consent records and events are inserted once; applications and links are never deleted. */
export const ofApp: Record<string, string> = {
  _prisma_migrations: "SELECT",
  applications: "SELECT, INSERT, UPDATE",
  links: "SELECT, INSERT, UPDATE",
  link_tokens: "SELECT, INSERT",
  consent_records: "SELECT, INSERT",
  events: "SELECT, INSERT",
  messages: "SELECT, INSERT, UPDATE",
  message_attempts: "SELECT, INSERT, UPDATE",
  suppressions: "SELECT, INSERT",
  rate_limits: usual.app,
};

const list = (columns: readonly string[]) => columns.map(escapeIdentifier).join(", ");

/** What an invitation writes of an application: no status, and no time at which an applicant did something. */
const invitedColumns = list([
  ...["id", "reference", "source", "quotes", "batch", "rowHash", "consentBasis"],
  ...invitableAnswers.flatMap((name) => [name, invitedColumn(name)]),
]);

const named: Record<RoleKind, Record<string, string | null>> = {
  app: { ...ofApp, events: `SELECT, INSERT (${list(eventColumns)})` },
  // Invites and withdraws. An UPDATE of one column is also what SELECT … FOR UPDATE asks for. The rest is in functions.
  operations: {
    applications: `SELECT, INSERT (${invitedColumns}), UPDATE ("updatedAt")`,
    links: `SELECT, INSERT (${list(["id", "applicationId", "createdAt", "expiresAt"])}), UPDATE ("revokedAt")`,
    link_tokens: 'SELECT ("linkId"), INSERT',
    events: `SELECT, INSERT (${list(eventColumns)})`,
    messages: `SELECT, INSERT (${list(messageColumns)}), UPDATE ("state", "dueAt", "firstDueAt", "attempts", "error")`,
    suppressions: "SELECT, INSERT, DELETE",
  },
  reader: { link_tokens: null },
};

/** What operations do through functions that run as the owner. Where a lender has one database user for everything, it owns them. */
export const operationsFunctions = [
  "erase_applications(uuid[], text)",
  'set_application_status(uuid, "ApplicationStatus", text, text)',
  "known_token_hashes(bytea[])",
];

interface Place {
  database: string;
  schema: string;
  ownsDatabase: boolean;
  ownsSchema: boolean;
  tables: string[];
  views: string[];
  sequences: string[];
  existing: RoleKind[];
}

export async function placeOf(client: Client): Promise<Place> {
  const { rows } = await client.query(`
    SELECT current_database() AS database, nspname AS schema, pg_has_role(nspowner, 'USAGE') AS "ownsSchema",
      (SELECT pg_has_role(datdba, 'USAGE') FROM pg_database WHERE datname = current_database()) AS "ownsDatabase",
      ARRAY(SELECT relname::text FROM pg_class WHERE relnamespace = n.oid AND relkind = 'r' ORDER BY 1) AS tables,
      ARRAY(SELECT relname::text FROM pg_class WHERE relnamespace = n.oid AND relkind = 'v' AND pg_has_role(relowner, 'USAGE')
        ORDER BY 1) AS views,
      ARRAY(SELECT relname::text FROM pg_class WHERE relnamespace = n.oid AND relkind = 'S' ORDER BY 1) AS sequences
    FROM pg_namespace n WHERE nspname = current_schema()`);
  return { ...rows[0], existing: await existingRoles(client, rows[0].database) };
}

export async function existingRoles(client: Client, database: string): Promise<RoleKind[]> {
  const { rows } = await client.query("SELECT rolname FROM pg_roles");
  return roleKinds.filter((kind) => rows.some(({ rolname }) => rolname === roleName(database, kind)));
}

/** Without a password the role cannot log in until somebody sets one. */
export function creation({ database, schema }: Place, kind: RoleKind, password?: string): string[] {
  const role = escapeIdentifier(roleName(database, kind));
  const secretOf = password === undefined ? "" : ` PASSWORD ${escapeLiteral(password)}`;
  const path = `ALTER ROLE ${role} IN DATABASE ${escapeIdentifier(database)} SET search_path = ${escapeIdentifier(schema)}`;
  return [`CREATE ROLE ${role} LOGIN${secretOf}`, ...(schema === "public" ? [] : [path])];
}

/** Sets the rights of a role to exactly these; may be run again, for instance after a migration. */
export function grants({ database, schema, tables, views, sequences }: Place, kind: RoleKind): string[] {
  const role = escapeIdentifier(roleName(database, kind));
  const inSchema = (name: string) => `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
  const given = (name: string, rights: string | null) => [
    `REVOKE ALL ON ${inSchema(name)} FROM ${role}`,
    ...(rights === null ? [] : [`GRANT ${rights} ON ${inSchema(name)} TO ${role}`]),
  ];
  const ofTable = (table: string) => (table in named[kind] ? (named[kind][table] ?? null) : usual[kind]);
  const ofChanges = [
    ...sequences.map((sequence) => `GRANT USAGE ON SEQUENCE ${inSchema(sequence)} TO ${role}`),
    // Their migrations take them from PUBLIC; a restore without the dump's rights gives them back.
    ...operationsFunctions
      .map(signatureIn(schema))
      .flatMap((one) => [
        `REVOKE ALL ON FUNCTION ${one} FROM PUBLIC, ${role}`,
        ...(kind === "operations" ? [`GRANT EXECUTE ON FUNCTION ${one} TO ${role}`] : []),
      ]),
  ];
  return [
    `GRANT USAGE ON SCHEMA ${escapeIdentifier(schema)} TO ${role}`,
    ...tables.flatMap((table) => given(table, ofTable(table))),
    // A view of one table can be written to, with the rights of its owner.
    ...views.flatMap((view) => given(view, kind === "app" ? null : "SELECT")),
    ...(kind === "reader" ? [] : ofChanges),
  ];
}

/** A type of ours needs the schema as well, where it is not in the search path. */
const signatureIn = (schema: string) => (signature: string) =>
  `${escapeIdentifier(schema)}.${signature.replace(/"\w+"/, (type) => `${escapeIdentifier(schema)}.${type}`)}`;

/** Takes away what Postgres lets every user do in a new database: create tables, temporary ones included. */
export function closings({ database, schema }: Place): { ofDatabase: string[]; ofSchema: string[] } {
  const name = escapeIdentifier(database);
  const roles = roleKinds.map((kind) => escapeIdentifier(roleName(database, kind))).join(", ");
  return {
    ofDatabase: [`REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`, `GRANT CONNECT ON DATABASE ${name} TO ${roles}`],
    ofSchema: [`REVOKE CREATE ON SCHEMA ${escapeIdentifier(schema)} FROM PUBLIC`],
  };
}
