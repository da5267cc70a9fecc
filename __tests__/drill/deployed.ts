import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { same } from "@/__tests__/promises/support/expect";
import { newServer, programWith, urlsIn } from "@/__tests__/promises/support/new-server";
import { startReverseProxy } from "@/__tests__/promises/support/reverse-proxies";
import { smallDisk } from "@/__tests__/promises/support/small-disk";
import { type App, startApp, untilHealthy } from "@/__tests__/support/processes/app";
import { endWhenCutOff } from "@/__tests__/support/processes/end-when-cut-off";
import { withClient } from "@/__tests__/support/processes/postgres";
import { runCommand } from "@/__tests__/support/run-command";
import { type Landlord, lostIn } from "./landlords";

const diskMegabytes = 768;

/** The lender's own settings: an address that is not this machine, so production, and the names that it needs. */
const production: Record<string, string> = {
  ...(parseEnv(readFileSync(".env.example", "utf8").replace(/^# (?=BRAND_)/gm, "")) as Record<string, string>),
  APP_URL: "https://apply.example",
};

/** Runs a command that has to succeed; returns what it printed. */
export async function command(name: string, args: string[], env: Record<string, string>): Promise<string> {
  const { code, out, err } = await runCommand(name, args, { ...production, ...env });
  same([code, err], [0, ""], `exit code and complaints of '${name} ${args.join(" ")}'`);
  return out;
}

export type Place = Awaited<ReturnType<typeof deploy>>;

/** The product as the deployment page says: a database with its users, two processes, nginx in front. */
export async function deploy() {
  const folder = mkdtempSync(join(tmpdir(), "drill-"));
  const undo: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  const undoAll = async () => {
    while (undo.length > 0) await undo.pop()?.();
  };
  // An interrupt and a finally block may both call it.
  let ending: Promise<void> | undefined;
  const end = () => {
    ending ??= undoAll();
    return ending;
  };
  endWhenCutOff(end);
  try {
    const disk = smallDisk(diskMegabytes);
    undo.push(disk.remove);
    const program = programWith("pg_dump");
    const server = await newServer(program, disk.folder);
    undo.push(server.stop);
    const owner = { DATABASE_URL: server.owner };
    const migrated = await runCommand("migrate", [], { ...production, ...owner });
    same(migrated.code, 0, `exit code of migrate, which said ${migrated.err}`);
    const users = urlsIn(await command("roles", [], owner));
    const settings = { ...production, SHUTDOWN_DELAY_MS: "1000" };
    const start = (port?: number, database = users.app ?? ""): Promise<App> => startApp({ database, settings, port });
    const apps: [App, App] = [await start(), await start()];
    undo.push(() => Promise.all(apps.map((app) => app.end("SIGTERM"))));
    const nginx = await startReverseProxy("nginx", [apps[0].port, apps[1].port]);
    undo.push(nginx.stop);
    const front = { url: `https://127.0.0.1:${nginx.port}` };
    // The certificate is the drill's own.
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    await untilHealthy(front);
    const landlords: Landlord[] = [];
    const operations = { ...production, OPERATIONS_DATABASE_URL: users.operations ?? "" };
    return {
      summary: `PostgreSQL ${server.version} on a disk of ${diskMegabytes} MB, migrated, ${Object.keys(users).length + 1} users; two processes behind nginx`,
      folder,
      disk,
      program,
      server,
      apps,
      start,
      front,
      landlords,
      undo,
      end,
      /** A command that may fail, and one that may not. */
      attempt: (name: string, ...args: string[]) => runCommand(name, args, operations),
      operate: (name: string, ...args: string[]) => command(name, args, operations),
      lost: () => withClient(server.owner, (client) => lostIn(client, landlords)),
    };
  } catch (error) {
    await end();
    throw error;
  }
}
