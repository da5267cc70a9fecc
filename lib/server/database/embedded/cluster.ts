import "server-only";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { Binaries } from "./binaries";
import type { Files } from "./files";
import { finished } from "./finished";
import { database, superuser } from "./identity";
import type { RunAs } from "./run-as";

/**
 * Creates the data folder with the database in it: whole, or not at all, so that a start cut off in the middle leaves
 * nothing half-made, and of two at once one wins.
 */
export async function createCluster(files: Files, binaries: Binaries, as: RunAs, password: string): Promise<void> {
  const draft = `${files.data}.${process.pid}`;
  const passwordFile = `${draft}.password`;
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  for (const path of [draft, passwordFile]) as.give(path);
  const flags = [
    `--pgdata=${draft}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    // Postgres's own rules for text: the same on every system, whatever locales it has.
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--no-instructions",
  ];
  const failure = "The embedded Postgres could not be set up: ";
  try {
    await finished(as.spawn(binaries.initdb, flags, { stdio: ["ignore", "ignore", "pipe"] }), failure);
    const single = as.spawn(binaries.postgres, ["--single", "-D", draft, "postgres"], {
      stdio: ["pipe", "ignore", "pipe"],
    });
    single.stdin?.end(`CREATE DATABASE ${database}\n`);
    await finished(single, failure);
    place(draft, files.data);
  } finally {
    for (const path of [draft, passwordFile]) rmSync(path, { recursive: true, force: true });
  }
}

function place(draft: string, data: string): void {
  try {
    renameSync(draft, data);
  } catch (error) {
    if (!existsSync(data)) throw error;
  }
}
