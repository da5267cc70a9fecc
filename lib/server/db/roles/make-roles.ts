import "server-only";
import { randomBytes } from "node:crypto";
import type { Client } from "pg";
import { withConnection } from "@/lib/server/db/connection";
import { lockSchema } from "@/lib/server/db/schema-lock";
import { derivedUrl, type RoleKind, roleKinds, roleName } from "./names";
import { closings, creation, grants, placeOf } from "./rights";

/** A role that was created just now. Its URL has the password, which is stored nowhere. */
export interface MadeRole {
  kind: RoleKind;
  name: string;
  url: string;
}

type PasswordOf = (kind: RoleKind) => string;

/** SQLSTATE insufficient_privilege. */
const insufficient = "42501";

export const anyPassword = () => randomBytes(24).toString("base64url");

/**
 * Creates the missing roles and grants all of them their rights, in one transaction, as the owner of the tables. Returns the
 * roles that it created.
 */
export function makeRoles(url: string, passwordOf: PasswordOf = anyPassword): Promise<MadeRole[]> {
  return withConnection(url, async (client) => {
    await lockSchema(client);
    const place = await placeOf(client);
    const missing = roleKinds.filter((kind) => !place.existing.includes(kind));
    const made = urlsOf(missing, url, place.database, passwordOf);
    await client.query("BEGIN");
    for (const { kind, url: own } of made)
      for (const statement of creation(place, kind, new URL(own).password))
        await client.query(statement).catch(explained);
    await grantRights(client);
    await client.query("COMMIT");
    return made;
  });
}

/** The reader's password comes from operations' where both are made, so that one setting serves commands and Studio. */
function urlsOf(kinds: RoleKind[], url: string, database: string, passwordOf: PasswordOf): MadeRole[] {
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

/** Grants the roles that exist their rights on the tables that exist. The connection has to be the owner's. */
export async function grantRights(client: Client): Promise<void> {
  const place = await placeOf(client);
  if (place.existing.length === 0) return;
  const { ofDatabase, ofSchema } = closings(place);
  const statements = [
    ...place.existing.flatMap((kind) => grants(place, kind)),
    ...(place.ownsDatabase && place.existing.length === roleKinds.length ? ofDatabase : []),
    ...(place.ownsSchema ? ofSchema : []),
  ];
  await client.query(statements.join(";\n"));
}

/** The same as an SQL script for a database administrator. It sets no passwords. */
export function rolesScript(url: string): Promise<string> {
  return withConnection(url, async (client) => {
    const place = await placeOf(client);
    const created = roleKinds.map((kind) => {
      const name = roleName(place.database, kind);
      return `DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '${name.replaceAll("'", "''")}') THEN
    ${creation(place, kind).join(";\n    ")};
  END IF;
END $$`;
    });
    const { ofDatabase, ofSchema } = closings(place);
    const granted = roleKinds.flatMap((kind) => grants(place, kind));
    const passwords = roleKinds.map((kind) => `--   \\password "${roleName(place.database, kind)}"`);
    return `-- For an administrator of the server, in the database "${place.database}". It may be run again.
-- Then give each role a password, for instance in psql:
${passwords.join("\n")}
${[...created, ...granted, ...ofDatabase, ...ofSchema].join(";\n")};`;
  });
}

function explained(error: Error & { code?: string }): never {
  if (error.code !== insufficient) throw error;
  throw new Error(
    "This database user may not make roles. Have an administrator run what 'npm run --silent roles -- --sql' prints, then run this again.",
  );
}
