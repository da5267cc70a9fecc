import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser } from "@playwright/test";
import { invited } from "@/__tests__/support/invited";
import { type App, endEveryApp, type Start, startApp } from "@/__tests__/support/processes/app";
import { startBrowser } from "@/__tests__/support/processes/browser";
import { type Postgres, startPostgres } from "@/__tests__/support/processes/postgres";

/** The running product, and the app that it is compared with. */
export interface World {
  postgres: Postgres;
  app: App;
  baseline: App;
  browser: Browser;
  /** A link to an application of its own. */
  newLink(): Promise<string>;
  startOn(database: string, probe?: Start["probe"]): Promise<App>;
  startBaseline(database: string, probe?: Start["probe"]): Promise<App>;
  end(): Promise<void>;
}

/** Builds __tests__/bench/baseline outside the project, where Next does not find the product's proxy.ts. */
function buildBaseline(): string {
  const folder = mkdtempSync(join(tmpdir(), "baseline-"));
  cpSync("__tests__/bench/baseline", folder, { recursive: true });
  for (const name of ["node_modules", "prisma/generated"])
    symlinkSync(resolve(name), join(folder, name.replace("prisma/", "")));
  const env = { ...process.env, NODE_ENV: "production" as const, NEXT_TELEMETRY_DISABLED: "1" };
  const built = spawnSync(process.execPath, ["node_modules/next/dist/bin/next", "build", folder], {
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (built.status !== 0) throw new Error(`The baseline could not be built: ${built.stderr || built.stdout}`);
  return folder;
}

export async function createWorld(): Promise<World> {
  const folder = buildBaseline();
  const postgres = await startPostgres();
  const database = await postgres.createDatabase("bench");
  // `invited` writes to the database of this process's DATABASE_URL.
  process.env.DATABASE_URL = database;
  process.env.DATABASE_TIMEOUT_MS = "20000";
  // Logs go to a file, as for a service: reading them from a pipe would cost this process time.
  const log = join(postgres.folder, "app.log");
  const startOn: World["startOn"] = (on, probe) =>
    startApp({ database: on, settings: { RATE_LIMIT_FACTOR: "100000" }, log, probe });
  const startBaseline: World["startBaseline"] = (on, probe = "/api/empty") =>
    startApp({ database: on, folder, log, probe });
  const [app, baseline, browser] = await Promise.all([startOn(database), startBaseline(database), startBrowser()]);
  let ending: Promise<void> | undefined;
  const end = async () => {
    endEveryApp();
    await browser.close();
    await postgres.remove();
    rmSync(folder, { recursive: true, force: true });
  };
  return {
    postgres,
    app,
    baseline,
    browser,
    startOn,
    startBaseline,
    newLink: async () => `${app.url}/?token=${(await invited()).token}&source=ba`,
    // An interrupt and the end of the run may both call it.
    end() {
      ending ??= end();
      return ending;
    },
  };
}
