import "server-only";
import { createHmac, randomBytes } from "node:crypto";
import { type Client, escapeIdentifier, escapeLiteral } from "pg";
import {
  currentSchema,
  type DatabaseSchema,
  existingRoles,
  lockSchema,
  rolesWithoutRights,
  runScript,
} from "./catalogue";
import { withConnection } from "./connection";
import { rolesSql } from "./files";

/** The identities beside the owner: the app, operations' commands, and Studio's reader. */
export const roleKinds = ["app", "operations", "reader"] as const;
export type RoleKind = (typeof roleKinds)[number];

/** Postgres cuts longer names, and two could become one. */
const longest = 63;

/** A role belongs to the whole server: its name carries the database's, so that two lenders can share one. */
export function roleName(database: string, kind: RoleKind): string {
  const name = `${database}_${kind}`;
  if (Buffer.byteLength(name) > longest) throw new Error(`The database's name is too long for a role named ${name}.`);
  return name;
}

/** The same database as a role whose password comes from the one given and does not reveal it. */
export function derivedUrl(kind: RoleKind, from: string): string {
  const url = new URL(from);
  return derived(url, kind, roleName(decodeURIComponent(url.pathname.slice(1)), kind));
}

/** The URL of the reader, from that of operations; null where it is somebody else's. */
export function readerUrl(operationsUrl: string): string | null {
  const url = new URL(operationsUrl);
  const [, database] = /^(.+)_operations$/.exec(decodeURIComponent(url.username)) ?? [];
  return database === undefined ? null : derived(url, "reader", roleName(database, "reader"));
}

function derived(url: URL, kind: RoleKind, name: string): string {
  url.password = createHmac("sha256", url.password).update(kind).digest("base64url");
  url.username = name;
  return url.href;
}

/** A role that was created just now. Its URL has the password, which is stored nowhere. */
export interface MadeRole {
  kind: RoleKind;
  name: string;
  url: string;
}

export const anyPassword = () => randomBytes(24).toString("base64url");

/** prisma/roles.sql for a database: :"app" and :'app' as in psql. */
function scriptFor({ database, schema }: DatabaseSchema, part: "all" | "rights" = "all"): string {
  const names: Record<string, string> = { database, schema };
  for (const kind of roleKinds) names[kind] = roleName(database, kind);
  const script = rolesSql()
    .replace(/:"(\w+)"/g, (_, name: string) => escapeIdentifier(names[name] ?? name))
    .replace(/:'(\w+)'/g, (_, name: string) => escapeLiteral(names[name] ?? name));
  if (part === "all") return script;
  return `SET LOCAL search_path = ${escapeIdentifier(schema)};\n${script.slice(script.indexOf("-- 2."))}`;
}

/** SQLSTATE insufficient_privilege. */
const insufficient = "42501";

/**
 * Creates the missing roles and grants all of them their rights, in one transaction, as the owner of the tables. Returns the
 * roles that it created.
 */
export function makeRoles(url: string, passwordOf: (kind: RoleKind) => string = anyPassword): Promise<MadeRole[]> {
  return withConnection(url, async (client) => {
    await lockSchema(client);
    const current = await currentSchema(client);
    const there = await existingKinds(client, current.database);
    const missing = roleKinds.filter((kind) => !there.includes(kind));
    const made = urlsOf(missing, url, current.database, passwordOf);
    const passwords = made.map(({ name, url: own }) => {
      const { password } = new URL(own);
      return `ALTER ROLE ${escapeIdentifier(name)} PASSWORD ${escapeLiteral(password)};`;
    });
    await runScript(client, [scriptFor(current), ...passwords].join("\n")).catch(explained);
    return made;
  });
}

/** The reader's password comes from operations' where both are made, so that one setting serves commands and Studio. */
function urlsOf(kinds: RoleKind[], url: string, database: string, passwordOf: (kind: RoleKind) => string): MadeRole[] {
  const urls = new Map<RoleKind, string>();
  for (const kind of kinds) {
    const own = new URL(url);
    own.username = roleName(database, kind);
    own.password = passwordOf(kind);
    const operations = urls.get("operations");
    urls.set(kind, kind === "reader" && operations ? derivedUrl(kind, operations) : own.href);
  }
  return [...urls].map(([kind, own]) => ({ kind, name: roleName(database, kind), url: own }));
}

export async function existingKinds(client: Client, database: string): Promise<RoleKind[]> {
  const names = roleKinds.map((kind) => roleName(database, kind));
  const found = await existingRoles(client, names);
  return roleKinds.filter((kind) => found.includes(roleName(database, kind)));
}

/** Grants the roles their rights, where all of them exist. The connection has to be the owner's. */
export async function grantRights(client: Client): Promise<void> {
  const current = await currentSchema(client);
  if ((await existingKinds(client, current.database)).length < roleKinds.length) return;
  await runScript(client, scriptFor(current, "rights"));
}

/** The script for a database administrator. It sets no passwords. */
export function rolesScript(url: string): Promise<string> {
  return withConnection(url, async (client) => {
    const current = await currentSchema(client);
    const passwords = roleKinds.map((kind) => `--   \\password "${roleName(current.database, kind)}"`);
    return `-- For an administrator of the server, in the database "${current.database}". It may be run again.
-- Then give each role a password, for instance in psql:
${passwords.join("\n")}

BEGIN;
${scriptFor(current)}COMMIT;`;
  });
}

/**
 * Which database users a database has not, or which have no rights in it: a dump has none of the server's users, and a
 * restore on a server without them none of their rights.
 */
export function missingRoles(url: string): Promise<string[]> {
  return withConnection(url, async (client) => {
    const { database } = await currentSchema(client);
    const names = roleKinds.map((kind) => roleName(database, kind));
    const there = await existingRoles(client, names);
    const powerless = await rolesWithoutRights(client, there);
    const absent = names.filter((name) => !there.includes(name));
    return [...absent.map((name) => `the database user ${name}`), ...powerless.map((name) => `the rights of ${name}`)];
  });
}

function explained(error: Error & { code?: string }): never {
  if (error.code !== insufficient) throw error;
  throw new Error(
    "This database user may not create roles. Have an administrator run what 'npm run --silent roles -- --sql' prints, then run this again.",
  );
}
