import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const sources = ["app", "components", "lib", "prisma/schema.prisma", "public", "proxy.ts", "next.config.mjs"];

/** Runs the production build, unless the existing one is newer than all its sources. */
export function requireBuild(): void {
  const made = Math.min(
    ...[".next/BUILD_ID", ".next-desk/BUILD_ID"].map((id) => (existsSync(id) ? statSync(id).mtimeMs : 0)),
  );
  if (made > Math.max(...sources.flatMap(timesOf))) return;
  const { status } = spawnSync("npm", ["run", "--silent", "build"], { stdio: ["ignore", "ignore", "inherit"] });
  if (status !== 0) throw new Error("The build failed: see above.");
}

function timesOf(path: string): number[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [statSync(path).mtimeMs];
  return readdirSync(path).flatMap((name) => timesOf(join(path, name)));
}
