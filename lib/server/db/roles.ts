import { createHmac, hash, pbkdf2Sync, randomBytes } from "node:crypto";
import { join, parse } from "node:path";
import { type Client, escapeIdentifier, escapeLiteral } from "pg";
import { withConnection } from "./connection";
import { rolesSql } from "./files";
import {
  currentSchema,
  findRoles,
  inSchema,
  lockSchema,
  passwordStatement,
  runScript,
  schemaLock,
} from "./system-queries";

/** The roles besides the owner: for the app, for the commands of operations, and for Studio, which only reads. */
export const roleKinds = ["app", "operations", "reader"] as const;
export type RoleKind = (typeof roleKinds)[number];

/** Postgres truncates longer names, so that two of them could become the same. */
const maxNameBytes = 63;

/** A role belongs to the whole server. Its name includes the database's, so that two lenders can share a server. */
function roleName(database: string, kind: RoleKind): string {
  const name = `${database}_${kind}`;
  if (Buffer.byteLength(name) > maxNameBytes)
    throw new Error(`The database's name is too long for a role named ${name}.`);
  return name;
}

/** The URL of the same database for a role. The password in `from` determines the role's, which does not reveal it. */
export function derivedUrl(kind: RoleKind, from: string): string {
  const url = new URL(from);
  return derived(url, kind, roleName(decodeURIComponent(url.pathname.slice(1)), kind));
}

/**
 * Derives the reader's URL from that of operations. Returns null if the URL has another user, or no password: what derives from
 * an empty one would be the same everywhere.
 */
export function readerUrl(operationsUrl: string): string | null {
  const url = new URL(operationsUrl);
  const [, database] = /^(.+)_operations$/.exec(decodeURIComponent(url.username)) ?? [];
  if (database === undefined || !(url.password || url.searchParams.has("sslcert"))) return null;
  return derived(url, "reader", roleName(database, "reader"));
}

function derived(url: URL, kind: RoleKind, name: string): string {
  return urlFor(name, url, createHmac("sha256", url.password).update(kind).digest("base64url"));
}

/** The URL for another user, who logs in as the first one does. Certificates are in one folder, named after their users. */
function urlFor(name: string, from: URL, password: string): string {
  const url = new URL(from);
  url.username = name;
  if (url.password || !url.searchParams.has("sslcert")) {
    url.password = password;
    return url.href;
  }
  for (const parameter of ["sslcert", "sslkey"]) {
    const { dir, ext } = parse(url.searchParams.get(parameter) ?? "");
    url.searchParams.set(parameter, join(dir, name + ext));
  }
  url.search = url.search.replaceAll("%2F", "/");
  return url.href;
}

/** A role that was just created. The URL contains its password, which is stored nowhere else, or names its certificate. */
export interface CreatedRole {
  kind: RoleKind;
  name: string;
  url: string;
}

const randomPassword = () => randomBytes(24).toString("base64url");

/** PostgreSQL's default (scram_iterations). */
const scramIterations = 4096;

/**
 * What PostgreSQL stores in place of a password. A server may log its statements, so none contains the password itself; psql's
 * \password does the same. A password here is base64url, which SASLprep would leave as it is.
 */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, scramIterations, 32, "sha256");
  const keyOf = (name: string) => createHmac("sha256", salted).update(name).digest();
  const storedKey = hash("sha256", keyOf("Client Key"), "base64");
  const serverKey = keyOf("Server Key").toString("base64");
  return `SCRAM-SHA-256$${scramIterations}:${salt.toString("base64")}$${storedKey}:${serverKey}`;
}

/** prisma/roles.sql for a database, with variables such as :"app" and :'app' replaced as psql does it. */
function scriptFor(current: { database: string; schema: string }, part: "all" | "privileges" = "all"): string {
  const { database, schema } = current;
  const names: Record<string, string> = { ...current };
  for (const kind of roleKinds) names[kind] = roleName(database, kind);
  const script = rolesSql()
    .replace(/:"(\w+)"/g, (_, name: string) => escapeIdentifier(names[name] ?? name))
    .replace(/:'(\w+)'/g, (_, name: string) => escapeLiteral(names[name] ?? name));
  if (part === "all") return script;
  return inSchema(schema, script.slice(script.indexOf("-- 2.")));
}

/**
 * Creates the missing roles and grants every role its privileges, in one transaction, as the owner of the tables. Returns the
 * roles that it created. The reader's password derives from that of operations, if that role is created as well or its URL is
 * given: one setting then serves commands and Studio.
 */
export function createRoles(
  url: string,
  operationsUrl?: string,
  passwordOf: (kind: RoleKind) => string = randomPassword,
): Promise<CreatedRole[]> {
  return withConnection(url, async (client) => {
    await lockSchema(client);
    const current = await currentSchema(client);
    const made: CreatedRole[] = [];
    for (const { kind, name, exists } of await readRoles(client)) {
      if (exists) continue;
      const operations = made.find((role) => role.kind === "operations")?.url ?? operationsUrl;
      const reader = kind === "reader" && operations ? readerUrl(operations) : null;
      const password = reader ? new URL(reader).password : passwordOf(kind);
      made.push({ kind, name, url: urlFor(name, new URL(url), password) });
    }
    const passwords = made.flatMap(({ name, url: roleUrl }) => {
      const { password } = new URL(roleUrl);
      return password ? passwordStatement(name, scramVerifier(password)) : [];
    });
    await runScript(client, [scriptFor(current), ...passwords].join("\n")).catch((error) => {
      // SQLSTATE insufficient_privilege.
      if (error.code !== "42501") throw error;
      throw new Error(
        "This database user may not create roles. Have an administrator run what 'npm run --silent roles -- --sql' prints, then run this again.",
      );
    });
    return made;
  });
}

export const readRoles = (client: Client) => findRoles(client, roleKinds);

/** Grants the roles their privileges if all of them exist. The connection must be the owner's. */
export async function grantPrivileges(client: Client): Promise<void> {
  const roles = await readRoles(client);
  if (roles.every(({ exists }) => exists))
    await runScript(client, scriptFor(await currentSchema(client), "privileges"));
}

/** The script for a database administrator. It sets no passwords. */
export function rolesScript(url: string): Promise<string> {
  return withConnection(url, async (client) => {
    const current = await currentSchema(client);
    const passwords = (await readRoles(client)).map(({ name }) => `--   \\password "${name}"`);
    return `-- For an administrator of the server, in the database "${current.database}". It may be run again.
-- Then give each role a password, for instance in psql:
${passwords.join("\n")}

BEGIN;
-- Waits while another change of tables or privileges is under way. Postgres would reject one of the two.
SELECT pg_advisory_xact_lock(${schemaLock});
${scriptFor(current)}COMMIT;`;
  });
}

/**
 * The database users that do not exist or have no privileges in the database. A dump does not contain the server's users, and a
 * restore on a server without them grants no privileges.
 */
export function missingRoles(url: string): Promise<string[]> {
  return withConnection(url, async (client) => {
    const roles = await readRoles(client);
    return roles.flatMap(({ name, exists, mayRead }) => {
      if (!exists) return [`the database user ${name}`];
      return mayRead ? [] : [`the privileges of ${name}`];
    });
  });
}
