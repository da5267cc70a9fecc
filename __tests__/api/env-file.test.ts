import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { freePort } from "@/__tests__/support/processes/app";
import { temporaryFolder } from "@/__tests__/support/temporary-folder";

/** Each value as it is written in .env, and as every process must read it. */
const values: Record<string, [written: string, read: string]> = {
  DATABASE_URL: [
    "postgresql://app:pa$sword@db.example:5432/lender",
    "postgresql://app:pa$sword@db.example:5432/lender",
  ],
  BRAND_COST_NOTE: ['"A fee of $15 for each $1,000"', "A fee of $15 for each $1,000"],
  SMS_SECRET: [`'s$cret\${HOME}'`, `s$cret\${HOME}`],
  SMS_ACCOUNT: ["AC$account # a comment", "AC$account"],
  BRAND_LEGAL_NAME: ['"No #comment $X"', "No #comment $X"],
  BRAND_PRODUCT: ["\\$product", "\\$product"],
  BRAND_LICENCE: ['"\\$licence"', "\\$licence"],
  BRAND_SUPPORT_HOURS: [`\${BRAND_PRODUCT}`, `\${BRAND_PRODUCT}`],
  BRAND_NAME: [`\${UNKNOWN:-Wattle}`, `\${UNKNOWN:-Wattle}`],
  WEBHOOK_SECRET: ["whsec_$$AAAA", "whsec_$$AAAA"],
};
const expected = Object.fromEntries(Object.entries(values).map(([name, [, read]]) => [name, read]));
const names = Object.keys(values);
const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
const print = `JSON.stringify(Object.fromEntries(${JSON.stringify(names)}.map((name) => [name, process.env[name]])))`;

const folder = temporaryFolder();
beforeAll(() => {
  for (const name of ["lib", "node_modules", "package.json"])
    symlinkSync(join(process.cwd(), name), join(folder, name));
  // An editor may begin a file with a byte order mark, and lines of blanks separate its parts.
  const lines = Object.entries(values).map(([name, [written]]) => `${name}=${written}\n  \t\n`);
  mkdirSync(join(folder, ".next"));
  writeFileSync(join(folder, ".next/BUILD_ID"), "");
  writeFileSync(join(folder, ".env"), `\uFEFF${lines.join("")}`);
  // Next loads the environment files and then this one, which is the first app code that can see a value.
  writeFileSync(
    join(folder, "next.config.mjs"),
    `import { writeSync } from "node:fs";\nwriteSync(1, "READ " + ${print} + "\\n");\nprocess.kill(process.pid, "SIGKILL");\n`,
  );
});

/** Returns the values that each process of a command reads when it runs in the folder of the .env file. */
async function readBy(command: string, env: Record<string, string> = {}): Promise<Record<string, string>[]> {
  const outer = { ...process.env };
  for (const name of [...names, "NODE_ENV"]) delete outer[name];
  const child = spawn("sh", ["-c", command], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    env: {
      ...outer,
      TSX_TSCONFIG_PATH: join(process.cwd(), "tsconfig.json"),
      // Another process may use the default port.
      PORT: String(await freePort()),
      ...env,
    },
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  const lines = [...out.matchAll(/^READ (.+)$/gm)].map(([, line = ""]) => JSON.parse(line));
  if (lines.length === 0) throw new Error(`Nothing was read: ${out}${err}`);
  return lines;
}

/** Returns a script's last command, since the commands before it only generate code. */
const lastCommandOf = (name: string) => scripts[name]?.replace(/^.* && /, "") ?? "";
const inCommand = (body: string) =>
  `node --conditions=react-server --require tsx/cjs -e 'require("./lib/cli/shared/command").command(module, { usage: "" }, async () => { ${body} })([])'`;

test.each(["start", "build", "dev"])("'npm run %s' reads a $ in .env as it is written", async (name) => {
  expect(await readBy(lastCommandOf(name))).toEqual([expected]);
});

const readInCommand = `console.log("READ " + ${print});`;

test("a command reads the same values, and so does the app that it starts", async () => {
  const start = `await require("./lib/cli/shared/processes").runChild(["lib/server/process/server.mjs"]).ended;`;
  expect(await readBy(inCommand(readInCommand + start))).toEqual([expected, expected]);
});

test("what systemd has decrypted takes precedence over .env, and the environment over both", async () => {
  const credentials = join(folder, "credentials");
  mkdirSync(credentials);
  writeFileSync(join(credentials, "rent-advance.env"), "SMS_SECRET='de$crypted'\nSMS_ACCOUNT=AC$decrypted\n");
  const overrides = { SMS_ACCOUNT: "AC$5", DATABASE_URL: "postgresql://a:b$c@db.example/other" };
  const env = { CREDENTIALS_DIRECTORY: credentials, ...overrides };
  const read = [{ ...expected, SMS_SECRET: "de$crypted", ...overrides }];
  expect(await readBy(lastCommandOf("start"), env)).toEqual(read);
  expect(await readBy(inCommand(readInCommand), env)).toEqual(read);
});

/** Returns the error with which a process refuses these files. */
function errorOf(files: Record<string, string>): string {
  const own = mkdtempSync(join(folder, "own-"));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(own, name), content);
  const load = `try { require(${JSON.stringify(join(process.cwd(), "lib/server/env-files.cjs"))}) } catch ({ message }) { console.log(message) }`;
  return execFileSync(process.execPath, ["-e", load], {
    cwd: own,
    env: { ...process.env, CREDENTIALS_DIRECTORY: own },
    encoding: "utf8",
  }).trim();
}

const name = "write a setting as NAME=value, with a name of capital letters, digits and _.";
const quote = (setting: string) =>
  `write the value of ${setting} between quotes, and nothing after them: it has a # or a quote.`;
test.each([
  ["PORT=3000\nSMTP URL=smtp://mail", `line 2: ${name}`],
  ["smtp_url=smtp://mail", `line 1: ${name}`],
  ["\u200bPORT=3000", `line 1: ${name}`],
  ["BRAND_NAME='a\nb'\nSMTP_URL", `line 3: ${name}`],
  ["SMS_SECRET=ab#cd", `line 1: ${quote("SMS_SECRET")}`],
  ["SMS_SECRET=#cd", `line 1: ${quote("SMS_SECRET")}`],
  ['MAIL_FROM="Wattle Lane" <help@mail.example>', `line 1: ${quote("MAIL_FROM")}`],
  ['SMS_SECRET="abc', `line 1: ${quote("SMS_SECRET")}`],
])("a file with the line %j is refused, wherever it is", (content, error) => {
  for (const file of [".env", ".env.local"]) expect(errorOf({ [file]: content })).toBe(`${file}, ${error}`);
  expect(errorOf({ "rent-advance.env": content })).toMatch(/\/rent-advance.env, line \d/);
});

test.each(["# SMTP URL\n", "PORT=3000 # a#b\r\n\r\n", "export PORT=3000", "BRAND_NAME=\"a # b\" # c 'd'", "PORT="])(
  "a file with the line %j is read",
  (content) => {
    expect(errorOf({ ".env": content })).toBe("");
  },
);
