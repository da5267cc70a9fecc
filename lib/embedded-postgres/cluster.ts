import "server-only";
import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { findPrograms } from "./programs";
import { type RunAs, runAs } from "./run-as";

/** The owner of everything in the embedded Postgres, and its database. */
const superuser = "rent_advance";
export const databaseName = "rent_advance";

/** Where everything of one embedded Postgres lies. */
export interface Files {
  folder: string;
  data: string;
  log: string;
  /** Port and password, for the owner only. */
  identity: string;
  /** Postgres's own lock file. */
  lock: string;
}

export function filesIn(folder: string): Files {
  mkdirSync(folder, { recursive: true });
  const data = join(folder, "postgres");
  return {
    folder,
    data,
    log: join(folder, "postgres.log"),
    identity: join(folder, "postgres.json"),
    lock: join(data, "postmaster.pid"),
  };
}

/** Kept, so that a URL once printed stays right. The port is 0 until Postgres has run. */
interface Identity {
  port: number;
  password: string;
}

export function readIdentity({ identity }: Files): Identity {
  if (!existsSync(identity)) {
    // Unlike renaming, linking fails if the file exists: two first starts at once end up with the same password.
    const password = randomBytes(24).toString("base64url");
    writeWhole(identity, { port: 0, password }, (draft) => unlessThere(() => linkSync(draft, identity), identity));
  }
  return JSON.parse(readFileSync(identity, "utf8"));
}

export function keepPort(files: Files, port: number): void {
  const kept = readIdentity(files);
  if (kept.port !== port) writeWhole(files.identity, { ...kept, port }, (draft) => renameSync(draft, files.identity));
}

/** Whole or not at all. */
function writeWhole(path: string, content: Identity, place: (draft: string) => void): void {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(content), { mode: 0o600 });
  try {
    place(draft);
  } finally {
    rmSync(draft, { force: true });
  }
}

function unlessThere(place: () => void, path: string): void {
  try {
    place();
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
}

export function urlOf(files: Files, database: string): string {
  const { port, password } = readIdentity(files);
  return `postgresql://${superuser}:${password}@127.0.0.1:${port}/${database}`;
}

/** Creates the data folder if it is missing: whole or not at all, so that of two first starts at once one wins. */
export async function prepareCluster(files: Files): Promise<{ pgCtl: string; as: RunAs }> {
  const { initdb, pgCtl } = findPrograms();
  const as = runAs(files.data, [pgCtl, files.folder]);
  giveLog(files, as);
  if (existsSync(files.data)) return { pgCtl, as };
  const draft = `${files.data}.${process.pid}`;
  const passwordFile = `${draft}.password`;
  mkdirSync(draft, { mode: 0o700 });
  writeFileSync(passwordFile, readIdentity(files).password, { mode: 0o600 });
  for (const path of [draft, passwordFile]) as.give(path);
  // Postgres's own rules for text: the same on every system, whatever locales it has.
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const access = [`--username=${superuser}`, `--pwfile=${passwordFile}`, "--auth=scram-sha-256"];
  try {
    const { code, said } = await as.run(initdb, [`--pgdata=${draft}`, ...access, ...locale, "--no-instructions"]);
    if (code !== 0) throw new Error(`The embedded Postgres could not be set up: ${said}`);
    unlessThere(() => renameSync(draft, files.data), files.data);
  } finally {
    for (const path of [draft, passwordFile]) rmSync(path, { recursive: true, force: true });
  }
  return { pgCtl, as };
}

function giveLog({ log }: Files, as: RunAs): void {
  try {
    closeSync(openSync(log, "a", 0o600));
    as.give(log);
  } catch {
    throw new Error(`${log} cannot be written: run this as the user it belongs to, or set DATABASE_URL.`);
  }
}
