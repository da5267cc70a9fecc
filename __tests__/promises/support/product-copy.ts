import { chmodSync, cpSync, mkdirSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const linked = ["app", "components", "lib", "node_modules", "package.json", "public", "next.config.mjs"];

/** The product in a folder other than that of its build, with or without its migrations. */
export function productCopy({ migrated }: { migrated: boolean }): string {
  const folder = mkdtempSync(join(tmpdir(), "start-"));
  // As root, the embedded Postgres runs as another user, who needs to enter the folder.
  chmodSync(folder, 0o755);
  for (const name of [...linked, "tsconfig.json", "tsconfig.build.json"])
    symlinkSync(join(process.cwd(), name), join(folder, name));
  const isWanted = (path: string) => !/^\.next\/(cache|dev)/.test(path);
  cpSync(".next", join(folder, ".next"), { recursive: true, verbatimSymlinks: true, filter: isWanted });
  mkdirSync(join(folder, "prisma"));
  if (migrated) cpSync("prisma", join(folder, "prisma"), { recursive: true });
  return folder;
}
