import "server-only";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Where everything of one embedded Postgres lies: data, log, and what only its owner may read. */
export interface Files {
  folder: string;
  data: string;
  log: string;
  /** Port and password of Postgres, kept so that a URL once given stays right. */
  identity: string;
  /** How to reach the keeper that runs now. */
  card: string;
}

export interface Identity {
  port: number;
  password: string;
}

export function filesIn(folder: string): Files {
  mkdirSync(folder, { recursive: true });
  return {
    folder,
    data: join(folder, "postgres"),
    log: join(folder, "postgres.log"),
    identity: join(folder, "postgres.json"),
    card: join(folder, "keeper.json"),
  };
}

/** Whole or not at all, and for the owner only. */
export function writePrivately(path: string, content: string): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, content, { mode: 0o600 });
  renameSync(draft, path);
}

export function readIdentity({ identity }: Files): Identity {
  if (existsSync(identity)) return JSON.parse(readFileSync(identity, "utf8"));
  return { port: 0, password: randomBytes(24).toString("base64url") };
}
