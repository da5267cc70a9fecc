import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { requireBuild } from "@/__tests__/support/processes/build";
import { endWhenCutOff } from "@/__tests__/support/processes/end-when-cut-off";
import { arrivals } from "./arrivals";
import { calls } from "./calls";
import { weigh, weightRows } from "./scripts";
import { starting } from "./starting";
import { asMarkdown, type Row } from "./table";
import { typing } from "./typing";
import { createWorld, type World } from "./world";

/** Runs the named parts, or all; a full run writes its table into docs/measurements.md. */
const parts: Record<string, (world: World) => Promise<Row[]>> = {
  arrivals,
  scripts: async ({ browser, empty, newLink }) => weightRows(await weigh(browser, await newLink(), empty.url)),
  typing,
  calls,
  starting,
};

const marks = ["<!-- bench:start -->", "<!-- bench:end -->"] as const;

function versionOf(name: string): string {
  return JSON.parse(readFileSync(`node_modules/${name}/package.json`, "utf8")).version;
}

async function circumstances({ browser, postgres }: World): Promise<string> {
  const day = new Date().toLocaleDateString("en-AU", { day: "numeric", month: "long", year: "numeric" });
  return [
    `Measured on ${day}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), Linux ${process.arch}`,
    `Node ${process.versions.node}, Next ${versionOf("next")}, React ${versionOf("react")}`,
    `PostgreSQL ${await postgres.version()}, Chromium ${browser.version()}.`,
  ].join("; ");
}

function writeReadme(text: string): void {
  const readme = readFileSync("README.md", "utf8");
  const [start, end] = marks.map((mark) => readme.indexOf(mark));
  if (start === undefined || end === undefined || start < 0 || end < start)
    throw new Error("The README has no place for it.");
  writeFileSync("README.md", `${readme.slice(0, start + marks[0].length)}\n${text}\n${readme.slice(end)}`);
}

function noise(rows: Row[]): string {
  const unclear = rows.filter(({ verdict }) => verdict === "unclear").length;
  return unclear === 0
    ? ""
    : `\nThe machine was too noisy to tell ${unclear} of these: they or their floor varied by more than a quarter, on both sides of the limit. Measure again on a quiet one.`;
}

async function main(names: string[]): Promise<void> {
  const begun = performance.now();
  const isAll = names.length === 0;
  requireBuild();
  const world = await createWorld();
  endWhenCutOff(world.end);
  const rows: Row[] = [];
  let told: string;
  try {
    for (const name of isAll ? Object.keys(parts) : names) {
      const measure = parts[name];
      if (!measure) throw new Error(`There is no part '${name}': ${Object.keys(parts).join(", ")}.`);
      console.error(`${name} …`);
      rows.push(...(await measure(world)));
    }
    told = `${await circumstances(world)}\n\n${asMarkdown(rows)}\n${noise(rows)}`.trimEnd();
  } finally {
    await world.end();
  }
  console.log(`${told}\n\n${Math.round((performance.now() - begun) / 1000)} s`);
  if (isAll) writeReadme(told);
  process.exit(0);
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exit(1);
});
