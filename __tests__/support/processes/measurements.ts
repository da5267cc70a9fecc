import { readFileSync, writeFileSync } from "node:fs";
import { cpus, type } from "node:os";
import type { Browser } from "@playwright/test";
import type { Postgres } from "./postgres";

const file = "docs/measurements.md";

export type Part = "bench" | "promises";

/** Returns the document with the text between the part's two markers replaced by what `change` makes of it. */
export function withPart(document: string, part: Part, change: (old: string) => string): string {
  const [head, rest, ...others] = document.split(`<!-- ${part}:start -->\n`);
  const [old, tail] = rest?.split(`<!-- ${part}:end -->`) ?? [];
  if (old === undefined || tail === undefined || others.length > 0)
    throw new Error(`${file} has no place for the part '${part}'.`);
  return `${head}<!-- ${part}:start -->\n${change(old)}\n<!-- ${part}:end -->${tail}`;
}

/** Changes one part of docs/measurements.md. The commands that measure call this. */
export function writeMeasurements(part: Part, change: (old: string) => string): void {
  writeFileSync(file, withPart(readFileSync(file, "utf8"), part, change));
}

function versionOf(name: string): string {
  return JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")).version;
}

/** The day, the machine and the versions of a run, as a sentence. */
export async function circumstances(browser: Browser, postgres: Postgres): Promise<string> {
  const day = new Date().toLocaleDateString("en-AU", { day: "numeric", month: "long", year: "numeric" });
  return [
    `Measured on ${day}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${type()} ${process.arch}`,
    `Node ${process.versions.node}, Next ${versionOf("next")}, React ${versionOf("react")}`,
    `PostgreSQL ${await postgres.version()}, Chromium ${browser.version()}.`,
  ].join("; ");
}
