import { execFile } from "node:child_process";

export interface CommandResult {
  code: number;
  out: string;
  err: string;
}

/** Runs a command of the README as its own process. */
export function runCommand(name: string, args: string[], env: Record<string, string>): Promise<CommandResult> {
  const command = ["--conditions=react-server", "--require", "tsx/cjs", `lib/cli/${name}.ts`, ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { env: { ...process.env, ...env } }, (error, out, err) =>
      resolve({ code: typeof error?.code === "number" ? error.code : Number(Boolean(error)), out, err }),
    );
  });
}
