import { Readable } from "node:stream";
import { format } from "node:util";
import { replaceSettings } from "@/lib/server/settings";
import { commandFile } from "./program";
import type { CommandResult } from "./run-command";

/** lib/server/db/client.ts keeps the database client of this process here. */
const kept = globalThis as { rentAdvanceDatabase?: unknown };
let isCalled = false;

interface StandardInput {
  /** What a file or a person writes to the command. */
  input?: string | AsyncIterable<string>;
  /** Whether a person writes it on a terminal, where some commands ask before they act. */
  isTerminal?: boolean;
}

/**
 * Calls a command of the README as a function, with its own environment, settings and database client. This takes a tenth of
 * the time of a process. Tests of concurrent commands or of signals still need a process (run-command.ts).
 */
export async function callCommand(
  name: string,
  args: string[],
  env: Record<string, string>,
  { input, isTerminal = false }: StandardInput = {},
): Promise<CommandResult> {
  if (isCalled) throw new Error("Only one command at a time can be called: use runCommand.");
  isCalled = true;
  const result = { code: 0, out: "", err: "" };
  const lineTo =
    (stream: "out" | "err") =>
    (...texts: unknown[]) => {
      result[stream] += `${format(...texts)}\n`;
    };
  const writeTo =
    (stream: "out" | "err") =>
    (text: unknown, ...rest: unknown[]) => {
      result[stream] += text;
      for (const done of rest) if (typeof done === "function") done(null);
      return true;
    };
  const spies = [
    jest.spyOn(console, "log").mockImplementation(lineTo("out")),
    jest.spyOn(console, "error").mockImplementation(lineTo("err")),
    jest.spyOn(process.stdout, "write").mockImplementation(writeTo("out")),
    jest.spyOn(process.stderr, "write").mockImplementation(writeTo("err")),
  ];
  const piped = Readable.from(
    typeof input === "string" ? [input].filter(Boolean) : (input ?? []),
  ) as typeof process.stdin;
  const stdin = input === undefined ? undefined : jest.spyOn(process, "stdin", "get").mockReturnValue(piped);
  const before = { env: process.env, exitCode: process.exitCode };
  const terminals = [process.stdin, process.stdout].map((stream) => ({ stream, isTTY: stream.isTTY }));
  const [settings, client] = [replaceSettings(), kept.rentAdvanceDatabase];
  process.env = { ...before.env, ...env };
  kept.rentAdvanceDatabase = undefined;
  for (const { stream } of terminals) stream.isTTY = false;
  process.stdin.isTTY = isTerminal;
  process.exitCode = 0;
  try {
    await (await import(`@/${commandFile(name)}`)).default(args);
    result.code = Number(process.exitCode);
    return result;
  } finally {
    Object.assign(process, { env: before.env, exitCode: before.exitCode });
    for (const { stream, isTTY } of terminals) stream.isTTY = isTTY;
    kept.rentAdvanceDatabase = client;
    replaceSettings(settings);
    for (const spy of spies) spy.mockRestore();
    stdin?.mockRestore();
    isCalled = false;
  }
}
