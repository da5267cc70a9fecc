import "server-only";
import { closeSync, openSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { withConnection } from "@/lib/server/database/connection";
import { superuser } from "./cluster";
import type { Files, Identity } from "./files";
import type { Installation } from "./prepare";

/** What differs from Postgres's own defaults; those that make it durable are left alone. */
const settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "200",
  timezone: "UTC",
  log_timezone: "UTC",
  // The log tells what went wrong without quoting what anybody wrote.
  log_error_verbosity: "terse",
  log_min_error_statement: "panic",
};

export interface Postmaster {
  exited: Promise<void>;
  stop(): Promise<void>;
}

export function urlOf({ port, password }: Identity, database: string): string {
  return `postgresql://${superuser}:${password}@127.0.0.1:${port}/${database}`;
}

/** Runs Postgres on existing data, and resolves once it takes connections. */
export async function startPostmaster({ files, binaries, as, identity }: Installation): Promise<Postmaster> {
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const log = openSync(files.log, "a", 0o600);
  const child = as.spawn(binaries.postgres, ["-D", files.data, "-p", String(identity.port), ...flags], {
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  let hasExited = false;
  // A program that cannot even be started reports an error and no exit.
  const exited = new Promise<void>((resolve) => child.once("exit", resolve).once("error", () => resolve())).then(() => {
    hasExited = true;
  });
  while (!(await takesConnections(identity))) {
    if (hasExited) throw new Error(`The embedded Postgres did not start: ${lastLine(files)} Its log is ${files.log}.`);
    await sleep(40);
  }
  return {
    exited,
    stop() {
      // The fast shutdown: it ends sessions, finishes what is committed, and leaves nothing to recover.
      child.kill("SIGINT");
      return exited;
    },
  };
}

/** Throws where it is there but will not let us in, such as with a wrong password. */
export async function takesConnections(identity: Identity): Promise<boolean> {
  try {
    return await withConnection(urlOf(identity, "postgres"), async () => true, 2000);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    // Class 28 of SQLSTATE: a wrong password or user. Anything else is a matter of time.
    if (code?.startsWith("28")) throw new Error(`The embedded Postgres refuses its own password: ${message}.`);
    return false;
  }
}

function lastLine({ log }: Files): string {
  const lines = readFileSync(log, "utf8").trimEnd().split("\n");
  return lines.findLast((line) => line.includes("FATAL")) ?? lines.at(-1) ?? "";
}
