import { readFileSync } from "node:fs";

/** The arguments with which Node runs a program of this project in TypeScript, as the scripts in package.json do. */
export const program = (file: string, ...args: string[]) => [
  "--conditions=react-server",
  "--require",
  "tsx/cjs",
  file,
  ...args,
];

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };

/** The file of a command, as its script in package.json names it. A dash in the name is a colon there. */
export function commandFile(name: string): string {
  const [file] = /lib\/cli\/\S+\.ts/.exec(scripts[name.replace("-", ":")] ?? "") ?? [];
  if (name !== "demo" && !file) throw new Error(`There is no command ${name}.`);
  return file ?? "lib/development/demo.ts";
}
