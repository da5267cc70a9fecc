import "server-only";
import { type Client, escapeIdentifier, escapeLiteral } from "pg";
import { type RoleKind, roleKinds, roleName } from "./names";

/** What the app may do with a table that is not named here. */
const usual = "SELECT, INSERT, UPDATE, DELETE";

/** Consent records and events are inserted once; applications and links are never deleted. */
export const ofApp: Record<string, string> = {
  _prisma_migrations: "SELECT",
  applications: "SELECT, INSERT, UPDATE",
  links: "SELECT, INSERT, UPDATE",
  link_tokens: "SELECT, INSERT",
  consent_records: "SELECT, INSERT",
  events: "SELECT, INSERT",
  rate_limits: usual,
};

/** Tables with hashes of tokens, which operations may not read. */
const secret = ["link_tokens"];

interface Place {
  database: string;
  schema: string;
  ownsDatabase: boolean;
  ownsSchema: boolean;
  tables: string[];
  sequences: string[];
  existing: RoleKind[];
}

export async function placeOf(client: Client): Promise<Place> {
  const { rows } = await client.query(`
    SELECT current_database() AS database, nspname AS schema, pg_has_role(nspowner, 'USAGE') AS "ownsSchema",
      (SELECT pg_has_role(datdba, 'USAGE') FROM pg_database WHERE datname = current_database()) AS "ownsDatabase",
      ARRAY(SELECT relname::text FROM pg_class WHERE relnamespace = n.oid AND relkind = 'r' ORDER BY 1) AS tables,
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
export function grants({ database, schema, tables, sequences }: Place, kind: RoleKind): string[] {
  const role = escapeIdentifier(roleName(database, kind));
  const inSchema = (name: string) => `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
  const rightsOn = (table: string) => {
    if (kind === "app") return ofApp[table] ?? usual;
    return secret.includes(table) ? null : "SELECT";
  };
  const onTables = tables.flatMap((table) => {
    const rights = rightsOn(table);
    const revoked = `REVOKE ALL ON ${inSchema(table)} FROM ${role}`;
    return rights ? [revoked, `GRANT ${rights} ON ${inSchema(table)} TO ${role}`] : [revoked];
  });
  const ofAppAlone = [
    ...sequences.map((sequence) => `GRANT USAGE ON SEQUENCE ${inSchema(sequence)} TO ${role}`),
    // Its migration takes it from PUBLIC; a restore without the dump's rights gives it back.
    `REVOKE ALL ON FUNCTION ${inSchema("erase_applications")}(uuid[], text) FROM PUBLIC`,
    `GRANT EXECUTE ON FUNCTION ${inSchema("erase_applications")}(uuid[], text) TO ${role}`,
  ];
  return [
    `GRANT USAGE ON SCHEMA ${escapeIdentifier(schema)} TO ${role}`,
    ...onTables,
    ...(kind === "app" ? ofAppAlone : []),
  ];
}

/** Takes away what Postgres lets every user do in a new database: create tables, temporary ones included. */
export function closings({ database, schema }: Place): { ofDatabase: string[]; ofSchema: string[] } {
  const name = escapeIdentifier(database);
  const roles = roleKinds.map((kind) => escapeIdentifier(roleName(database, kind))).join(", ");
  return {
    ofDatabase: [`REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`, `GRANT CONNECT ON DATABASE ${name} TO ${roles}`],
    ofSchema: [`REVOKE CREATE ON SCHEMA ${escapeIdentifier(schema)} FROM PUBLIC`],
  };
}
