import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stopwatch } from "./clock";
import { type PlantedFault, plantedFaults } from "./planted-faults";

const copied = ["__tests__", "app", "lib", "prisma", "tsconfig.json", "package.json"];
const atOnce = 2;
/** The unmodified product has to pass this many steps of the seed, so that a violation within them is due to the fault. */
const provenSteps = 6000;
const shrinkSeconds = 5;

/**
 * Plants each fault in a copy of the product and runs the simulation there until an invariant breaks, for some minutes at
 * most. The failure is shrunk for a few seconds and replayed from its printed seed, which has to break the same invariant.
 */
export async function findFaults(
  serverUrl: string,
  { name, seed, minutes }: { name?: string | undefined; seed: number; minutes: string },
): Promise<boolean> {
  const copies = mkdtempSync(join(tmpdir(), "faults-"));
  process.once("exit", () => rmSync(copies, { recursive: true, force: true }));
  const selected = plantedFaults.filter((fault) => name === undefined || fault.name.includes(name));
  const remaining = [...selected];
  let found = 0;
  const isProven = selected.length > 1 ? passesUnmodified(serverUrl, seed, provenSteps) : Promise.resolve(false);
  const isSound = async (steps: number) =>
    (steps <= provenSteps && (await isProven)) || passesUnmodified(serverUrl, seed, steps);
  const tryNext = async () => {
    for (let fault = remaining.shift(); fault; fault = remaining.shift())
      if (await isFound(fault, plant(fault, copies), serverUrl, { seed, minutes }, isSound)) found += 1;
  };
  await Promise.all(Array.from({ length: atOnce }, tryNext));
  console.log(`${found} of ${selected.length} planted faults found.`);
  return found === selected.length;
}

function plant({ file, edits }: PlantedFault, copies: string): string {
  const folder = mkdtempSync(join(copies, "fault-"));
  for (const path of copied) cpSync(path, join(folder, path), { recursive: true });
  symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
  let text = readFileSync(file, "utf8");
  for (const { find, replace } of edits) {
    const parts = text.split(find);
    if (parts.length !== 2) throw new Error(`${file} has this ${parts.length - 1} times, not once: ${find}`);
    text = parts.join(replace);
  }
  writeFileSync(join(folder, file), text);
  return folder;
}

/** Runs a simulation in its own process, with its own database. The process ends with this one, because its IPC channel closes. */
export async function runInProcess(cwd: string, serverUrl: string, flags: string[]) {
  const command = [...process.execArgv, "__tests__/lab/simulation/run.ts", "--processes", "1", ...flags];
  const env = { ...process.env, DATABASE_URL: serverUrl };
  const child = spawn(process.execPath, command, { cwd, env, stdio: ["ignore", "pipe", "pipe", "ipc"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part) => (output += part));
  const [code] = await once(child, "exit");
  return { code, output };
}

/** Whether the unmodified product passes the same steps of the seed. */
async function passesUnmodified(serverUrl: string, seed: number, steps: number): Promise<boolean> {
  const limits = ["--seed", `${seed}`, "--steps", `${steps}`, "--shrink-seconds", "0"];
  return (await runInProcess(process.cwd(), serverUrl, limits)).code === 0;
}

async function isFound(
  fault: PlantedFault,
  folder: string,
  serverUrl: string,
  { seed, minutes }: { seed: number; minutes: string },
  isSound: (steps: number) => Promise<boolean>,
): Promise<boolean> {
  const started = stopwatch();
  const limits = ["--seed", `${seed}`, "--steps", "1000000", "--minutes", minutes];
  const { code, output } = await runInProcess(folder, serverUrl, [...limits, "--shrink-seconds", `${shrinkSeconds}`]);
  const seconds = ((stopwatch() - started) / 1000).toFixed(0);
  const again = await replayed(folder, serverUrl, output);
  rmSync(folder, { recursive: true, force: true });
  const [, steps = "?", , reason = ""] = /(\d+) steps in (.*)\n(.*)/.exec(output) ?? [];
  const isViolation = code === 1 && output.includes(": 1 violations") && (await isSound(Number(steps)));
  const isReplayed = isViolation && isSameViolation(output, again);
  const result = isReplayed ? "found    " : isViolation ? "NO REPLAY" : "NOT FOUND";
  console.log(`${result} ${fault.name}: ${seconds} s, ${steps} steps. ${reason}`);
  if (!isReplayed && code !== 0) console.log(output, again);
  return isReplayed;
}

/** Runs the command that the last line of a failure prints. */
async function replayed(folder: string, serverUrl: string, output: string): Promise<string> {
  const [, seed, path, replay] = /--seed (\d+) --path (\S+) --replay '(.*)'/.exec(output) ?? [];
  if (!seed || !path || !replay) return "";
  const flags = ["--seed", seed, "--path", path, "--replay", replay, "--shrink-seconds", "0"];
  return (await runInProcess(folder, serverUrl, flags)).output;
}

/** Whether two runs break the same invariant. Postgres chooses which operation of a deadlock fails, so either one counts. */
function isSameViolation(output: string, again: string): boolean {
  const rule = ruleIn(again);
  const isDeadlock = `${output}${again}`.includes("deadlock detected");
  return rule !== undefined && (isDeadlock || rule === ruleIn(output));
}

/** The broken invariant that a run prints, without the references, ids and times that differ between runs. */
function ruleIn(output: string): string | undefined {
  const [, reason] = /: 1 violations\n(.*)/.exec(output) ?? [];
  return reason?.replace(/[A-Z\d]{4}-[A-Z\d]{4}|\S*\d\S*/g, "…");
}
