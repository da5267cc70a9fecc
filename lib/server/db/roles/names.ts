import "server-only";
import { createHmac } from "node:crypto";

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

/** The same database as a role whose password comes from the one given and does not tell it. */
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
