import { spawnSync } from "node:child_process";
import { cpSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { createWorld } from "@/__tests__/lab/promises/support/world";
import { invited } from "@/__tests__/support/invited";
import type { App, Start } from "@/__tests__/support/processes/app";

/** Builds __tests__/lab/bench/baseline outside the project, where Next does not find the product's proxy.ts. */
function buildBaseline(folder: string): void {
  cpSync("__tests__/lab/bench/baseline", folder, { recursive: true });
  for (const name of ["node_modules", "prisma/generated"])
    symlinkSync(resolve(name), join(folder, name.replace("prisma/", "")));
  const env = { ...process.env, NODE_ENV: "production" as const, NEXT_TELEMETRY_DISABLED: "1" };
  const command = ["node_modules/next/dist/bin/next", "build", folder];
  const built = spawnSync(process.execPath, command, { env, encoding: "utf8" });
  if (built.status !== 0) throw new Error(`The baseline could not be built: ${built.stderr || built.stdout}`);
}

/** The running product and the baseline app that it is compared with. */
export type Bench = Awaited<ReturnType<typeof createBench>>;

export async function createBench() {
  const world = await createWorld();
  const folder = world.folder();
  buildBaseline(folder);
  // Logs go to a file, as for a service: reading them from a pipe would cost this process time.
  const log = join(world.postgres.folder, "app.log");
  const settings = { RATE_LIMIT_FACTOR: "100000", DATABASE_TIMEOUT_MS: "15000", NODE_OPTIONS: "" };
  const startOn = (database: string, probe?: Start["probe"]) => world.start({ database, settings, log, probe });
  const startBaseline = (database: string, probe: Start["probe"] = "/"): Promise<App> =>
    world.start({ database, settings, folder, log, probe });
  const [app, baseline] = [await startOn(world.users.app), await startBaseline(world.users.app)];
  return {
    ...world,
    browser: await world.browser(),
    app,
    baseline,
    startOn,
    startBaseline,
    newLink: async () => `${app.url}/?token=${(await invited()).token}&source=ba`,
  };
}
