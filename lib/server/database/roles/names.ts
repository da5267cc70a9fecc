import "server-only";

/** The two identities beside the owner. */
export const roleKinds = ["app", "operations"] as const;
export type RoleKind = (typeof roleKinds)[number];

/** Postgres cuts longer names, and two could become one. */
const longest = 63;

/** A role belongs to the whole server: its name carries the database's, so that two lenders can share one. */
export function roleName(database: string, kind: RoleKind): string {
  const name = `${database}_${kind}`;
  if (Buffer.byteLength(name) > longest) throw new Error(`The database's name is too long for a role named ${name}.`);
  return name;
}
