import "server-only";
import { once } from "node:events";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { Binaries } from "./binaries";
import type { Files, Identity } from "./files";
import type { RunAs } from "./run-as";

/** The one owner of everything in the embedded Postgres. */
export const superuser = "rent_advance";

/** Creates the data folder: whole, or not at all, so that a start cut off in the middle leaves nothing half-made. */
export async function createCluster(files: Files, { initdb }: Binaries, as: RunAs, { password }: Identity) {
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
  try {
    await finished(as.spawn(initdb, flags, { stdio: ["ignore", "ignore", "pipe"] }));
    renameSync(draft, files.data);
  } finally {
    for (const path of [draft, passwordFile]) rmSync(path, { recursive: true, force: true });
  }
}

async function finished(child: ReturnType<RunAs["spawn"]>): Promise<void> {
  let complaint = "";
  child.stderr?.on("data", (chunk) => {
    complaint += chunk;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`The embedded Postgres could not be set up: ${complaint.trim()}`);
}
