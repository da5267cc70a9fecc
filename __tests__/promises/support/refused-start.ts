import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { freePort } from "@/__tests__/support/processes/app";

export interface Refused {
  code: number | null;
  /** What it said on standard error. */
  said: string;
  /** Everything it printed. */
  output: string;
}

const command: string = JSON.parse(readFileSync("package.json", "utf8")).scripts.start;
const patience = 20_000;

/** Runs what `npm start` runs, without any setting but these, until it ends. */
export async function startRefused(settings: Record<string, string>, folder = process.cwd()): Promise<Refused> {
  const { PATH = "", HOME = "" } = process.env;
  const port = String(await freePort());
  const child = spawn("sh", ["-c", command], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH, HOME, HOST: "127.0.0.1", PORT: port, NODE_ENV: "production", ...settings },
  });
  const giveUp = setTimeout(() => child.kill("SIGKILL"), patience);
  let [said, output] = ["", ""];
  child.stderr.on("data", (chunk) => {
    said += chunk;
    output += chunk;
  });
  child.stdout.on("data", (chunk) => (output += chunk));
  const [code] = await once(child, "close");
  clearTimeout(giveUp);
  return { code, said, output };
}
