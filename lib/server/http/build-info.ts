import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface BuildInfo {
  version: string;
  /** The first twelve digits of the commit; 'unknown' without a repository, unless COMMIT names it (Dockerfile). */
  commit: string;
}

/** What runs here. The files are read directly, because git refuses a repository that belongs to another user. */
export function buildInfo(folder = process.cwd()): BuildInfo {
  const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  // Otherwise the bundler would look through the whole folder for files that the build may need.
  const git = join(/* turbopackIgnore: true */ folder, ".git");
  return { version, commit: (process.env.COMMIT || commitIn(git) || "unknown").slice(0, 12) };
}

function commitIn(git: string): string | undefined {
  try {
    const head = readFileSync(join(git, "HEAD"), "utf8").trim();
    const [, ref] = /^ref: (.+)$/.exec(head) ?? [];
    if (!ref) return head;
    const file = join(git, ref);
    if (existsSync(file)) return readFileSync(file, "utf8").trim();
    const packed = readFileSync(join(git, "packed-refs"), "utf8").split("\n");
    return packed.find((line) => line.endsWith(` ${ref}`))?.split(" ")[0];
  } catch {
    return undefined;
  }
}
