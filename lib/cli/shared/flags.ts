import { resolve } from "node:path";
import { parseArgs } from "node:util";

/** Thrown for invalid arguments. The message is printed after the usage, and the exit code is 2. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** A flag of a command. It is declared once: for parsing, for the help, and to notice a flag that npm has taken. */
export interface Flag {
  type: "string" | "boolean";
  multiple?: boolean;
  /** What follows the flag: NAME, FILE … */
  value?: string;
  help: string;
  /** The actions that take the flag. Without this, all do. */
  for?: readonly string[];
  /** Whether the value is a path in the caller's folder. */
  isPath?: boolean;
}

export type Flags = Record<string, Flag>;

type ValueOf<F extends Flag> = F extends { type: "boolean" }
  ? boolean
  : F extends { multiple: true }
    ? string[]
    : string;

export type Values<F extends Flags> = { -readonly [Name in keyof F]?: ValueOf<F[Name]> };

/** The alias that every command with --preview accepts. */
const alias: Flags = { "dry-run": { type: "boolean", help: "" } };

/** Parses the arguments, and refuses a flag that the action does not take and a second value where only one can be meant. */
export function parse<F extends Flags>(args: string[], flags: F, takesWords: boolean) {
  const options: Flags = { ...flags, ...("preview" in flags && alias) };
  const { tokens, values, positionals } = parseArgs({ args, options, allowPositionals: takesWords, tokens: true });
  const names = tokens.flatMap((token) => (token.kind === "option" ? [token.name] : []));
  const isSingle = (name: string) => options[name]?.type === "string" && !options[name].multiple;
  const repeated = names.find((name, index) => isSingle(name) && names.indexOf(name) !== index);
  if (repeated) throw new UsageError(`--${repeated} can be given only once.`);
  const [action] = positionals;
  const other = names.find((name) => options[name]?.for && !options[name].for.includes(action ?? ""));
  if (other) throw new UsageError(`--${other} cannot be used ${action ? `with ${action}` : "without an action"}.`);
  const { "dry-run": isDry, ...given } = values as Record<string, unknown>;
  if (isDry) given.preview = true;
  for (const [name, value] of Object.entries(given))
    if (options[name]?.isPath && typeof value === "string") given[name] = fromCallersFolder(value);
  return { values: given as Values<F>, words: positionals };
}

/** Resolves a path that a person typed in another folder than the project's. npm and bin/rent set INIT_CWD to that folder. */
export function fromCallersFolder(path: string): string {
  const { INIT_CWD: folder = process.cwd() } = process.env;
  return path === "-" || folder === process.cwd() ? path : resolve(folder, path);
}

/** npm reads --by as an abbreviation of its own --bypass-2fa, and --sql as -s, -q and -l (--long). */
const npmNames: Record<string, string> = { by: "bypass_2fa", sql: "long" };

/** The values of a flag that npm has taken as a setting of its own. A value is 'true' if npm has passed it on as a word. */
function takenValues(name: string, type: Flag["type"]): string[] {
  const setting = (key: string) => process.env[`npm_config_${key.replaceAll("-", "_")}`] ?? "";
  if (name.startsWith("no-")) return setting(name.slice(3)) === "false" ? ["true"] : [];
  const value = setting(name) || setting(npmNames[name] ?? name);
  if (value === "" || (type === "boolean" && value === "false")) return [];
  return value.split("\n\n");
}

/** The error of a command that was called through npm without the two dashes, with the line to type instead. */
export function forgottenDashes(args: string[], flags: Flags, command: string): string | undefined {
  const { tokens } = parseArgs({ args, options: flags, strict: false, tokens: true });
  const known: Flags = { ...flags, ...("preview" in flags && alias) };
  const isBehindDashes = (name: string) => tokens.some((token) => token.kind === "option" && token.name === name);
  const taken = Object.entries(known).flatMap(([name, { type }]) =>
    isBehindDashes(name) ? [] : takenValues(name, type).map((value) => ({ name, type, value })),
  );
  if (taken.length === 0) return;
  const isMissing = ({ type, value }: (typeof taken)[number]) => type === "string" && value === "true";
  const missing = taken.filter(isMissing).length;
  // npm has passed the values on as the last words. Nobody knows which of several belongs to which flag.
  const words = tokens.filter(({ kind }) => kind === "positional").slice(-missing || args.length);
  const value = missing === 1 && words[0]?.kind === "positional" ? quoted(words[0].value) : "…";
  const kept = args.filter((_, index) => !words.some((word) => word.index === index)).map(quoted);
  const given = taken.map((flag) =>
    flag.type === "boolean" ? `--${flag.name}` : `--${flag.name} ${isMissing(flag) ? value : quoted(flag.value)}`,
  );
  const line = [...kept, ...given].join(" ");
  const names = [...new Set(taken.map(({ name }) => `--${name}`))].join(", ");
  return `Nothing was done. npm took ${names} for itself, because '--' was missing. Type one of these lines:\n  npm run ${command} -- ${line}\n  bin/rent ${command} ${line}`;
}

const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** The help of a command: what it does, how it is called, and its flags. */
export function helpOf(usage: string, flags: Flags, command: string): string {
  const rows = Object.entries(flags).map(([name, { value, help, multiple, for: actions }]) => [
    `  --${name}${value ? ` ${value}` : ""}`,
    `${actions ? `${actions.join(", ")}: ` : ""}${help}${multiple ? " (may be repeated)" : ""}`,
  ]);
  const width = rows.reduce((most, [flag = ""]) => Math.max(most, flag.length + 2), 0);
  const lines = rows.map(([flag = "", help = ""]) => (flag.padEnd(width) + help).trimEnd());
  const list = lines.length > 0 ? `\n\nFlags:\n${lines.join("\n")}` : "";
  return `${usage}${list}\n\nWith npm: npm run ${command}${lines.length > 0 ? " -- …, with the two dashes before the first flag" : ""}`;
}
