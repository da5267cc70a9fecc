import "server-only";
import { randomBytes } from "node:crypto";
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { derivedUrl, type RoleKind } from "@/lib/server/database/roles/names";
import type { Files } from "./files";

/** The one owner of everything in the embedded Postgres. */
export const superuser = "rent_advance";
export const database = "rent_advance";

/** Kept so that a URL once given stays right. */
interface Identity {
  port: number;
  password: string;
}

/** The identity, made up at first use. Its port is where Postgres last ran; 0 where it never did. */
export function readIdentity({ identity }: Files): Identity {
  if (!existsSync(identity)) {
    const password = randomBytes(24).toString("base64url");
    writeWhole(identity, { port: 0, password }, linkOnce);
  }
  return JSON.parse(readFileSync(identity, "utf8"));
}

export function keepPort(files: Files, port: number): void {
  const kept = readIdentity(files);
  if (kept.port === port) return;
  writeWhole(files.identity, { ...kept, port }, renameSync);
}

/** Whole or not at all, and for the owner only. */
function writeWhole(path: string, content: Identity, place: (draft: string, path: string) => void): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(content), { mode: 0o600 });
  try {
    place(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Unlike renaming, linking fails where the name is taken: two processes at once end up with the same password. */
function linkOnce(draft: string, path: string): void {
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

export function urlOf(files: Files, database: string, port = readIdentity(files).port): string {
  return `postgresql://${superuser}:${readIdentity(files).password}@127.0.0.1:${port}/${database}`;
}

/** The owner's database as one of the roles. The reader's password comes from operations', as it does on any server. */
export function urlAs(kind: RoleKind, ownerUrl: string): string {
  return derivedUrl(kind, kind === "reader" ? derivedUrl("operations", ownerUrl) : ownerUrl);
}
