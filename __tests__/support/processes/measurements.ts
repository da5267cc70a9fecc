import { readFileSync, writeFileSync } from "node:fs";
import { cpus, type } from "node:os";
import type { Browser } from "@playwright/test";
import type { Postgres } from "./postgres";

const page = "docs/measurements.md";
const file = "docs/measurements.json";

/** What a run measured. Without a limit or a promise there is nothing to keep, and the page has no row. */
export interface Measurement {
  isKept?: boolean;
  day: string;
  figure: string;
  limit?: string;
  baseline?: string;
  rounds?: string;
}

export interface Measurements {
  /** The day, the machine and the versions of the last bench. */
  circumstances: string;
  /** By the number of a promise, or by what a bench measures. */
  measured: Record<string, Measurement>;
}

/** The last two cells of a row. */
const reportOf = ({ isKept, day }: Measurement) => `${isKept ? "yes" : "**no**"} | ${day}`;

/** Returns the page with the outcome of each measurement in its row. Throws if a row is missing. */
export function withOutcomes(text: string, measured: Record<string, Measurement>): string {
  const lines = text.split("\n");
  for (const [what, measurement] of Object.entries(measured)) {
    if (measurement.isKept === undefined) continue;
    const at = lines.findIndex((line) => line.startsWith(`| ${what} | `));
    if (at < 0) throw new Error(`${page} has no row '${what}': write the promise, and leave its outcome empty.`);
    const [promise] = lines[at]?.slice(`| ${what} | `.length).split(" | ") ?? [];
    lines[at] = `| ${what} | ${promise} | ${reportOf(measurement)} |`;
  }
  return lines.join("\n");
}

/** Writes figures to docs/measurements.json and outcomes to docs/measurements.md. The commands that measure call this. */
export function writeMeasurements(measured: Record<string, Measurement>, circumstances?: string): void {
  const old: Measurements = JSON.parse(readFileSync(file, "utf8"));
  const changed = { circumstances: circumstances ?? old.circumstances, measured: { ...old.measured, ...measured } };
  writeFileSync(file, `${JSON.stringify(changed, null, 2)}\n`);
  writeFileSync(page, withOutcomes(readFileSync(page, "utf8"), measured));
}

/** The day as it stands on the page. */
export const today = () => new Date().toLocaleDateString("sv");

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
