const { existsSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const { parseEnv } = require("node:util");

/*
 * Sets the variables of these files that the environment lacks, without expanding `$`. The first file that has a variable wins.
 * systemd decrypts secrets into CREDENTIALS_DIRECTORY (docs/deploy/secrets.md). Next would read .env.local and .env again and
 * expand every `$`, even in values that are already set. __NEXT_PROCESSED_ENV prevents that, in child processes, too.
 */
const { CREDENTIALS_DIRECTORY: folder } = process.env;
const secrets = folder ? [join(folder, "rent-advance.env")] : [];
for (const file of [...secrets, ".env.local", ".env"]) {
  if (!existsSync(file)) continue;
  // Node's parser joins a line of blanks and the next line to one name.
  const text = readFileSync(file, "utf8")
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .replace(/^[^\S\n]+$/gm, "");
  refuseUnclear(file, text);
  for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
}
process.env.__NEXT_PROCESSED_ENV = "true";

/** Node's parser would silently drop or shorten such a line. The error names the line but not its content, which may be a secret. */
function refuseUnclear(file, text) {
  // A quoted value may have several lines, any character, and a comment after it.
  const unquoted = text.replace(/(=[^\S\n]*)(["'`])(?:(?!\2)[\s\S])*\2(?=[^\S\n]*(?:#.*)?$)/gm, (value, equals) =>
    equals.concat(value.replace(/[^\n]/g, "")),
  );
  for (const [index, line] of unquoted.split("\n").entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const [, name, value] = /^\s*(?:export\s+)?([A-Z0-9_]+)[^\S\n]*=(.*)$/.exec(line) ?? [];
    const where = `${file}, line ${index + 1}`;
    if (!name)
      throw new Error(`${where}: write a setting as NAME=value, with a name of capital letters, digits and _.`);
    const uncommented = value.replace(/\s#.*/, "").trim();
    if (/^["'`]|#/.test(uncommented))
      throw new Error(
        `${where}: write the value of ${name} between quotes, and nothing after them: it has a # or a quote.`,
      );
  }
}
