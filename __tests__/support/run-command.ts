import { execFile } from "node:child_process";
import { commandFile, program } from "@/__tests__/support/program";

export interface CommandResult {
  code: number;
  out: string;
  err: string;
}

/** The result of a command that has done nothing and printed this error alone. */
export const refused = (err: string, code = 1): CommandResult => ({ code, out: "", err });

/** Runs a command on a terminal, and types the answer to its prompt. */
export function onTerminal(
  answer: string,
  [name = "", ...args]: string[],
  env: Record<string, string>,
): Promise<{ code: number; out: string }> {
  const line = ["node", ...program(commandFile(name), ...args)].join(" ");
  return new Promise((resolve) => {
    const child = execFile("script", ["-qec", line, "/dev/null"], { env: { ...process.env, ...env } }, (error, out) =>
      resolve({ code: Number(error?.code ?? 0), out }),
    );
    child.stdout?.on("data", (text: string) => text.includes("[y/N]") && child.stdin?.write(answer));
  });
}

/** Runs a command of the README as its own process. */
export function runCommand(name: string, args: string[], env: Record<string, string>): Promise<CommandResult> {
  const command = program(commandFile(name), ...args);
  return new Promise((resolve) => {
    // Commands that issue links need APP_URL.
    const settings = { APP_URL: "http://localhost:3000", ...process.env, ...env };
    execFile(process.execPath, command, { env: settings }, (error, out, err) =>
      resolve({ code: typeof error?.code === "number" ? error.code : Number(Boolean(error)), out, err }),
    );
  });
}
