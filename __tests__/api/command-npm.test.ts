import { execFile, execFileSync, spawnSync } from "node:child_process";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { callCommand } from "@/__tests__/support/call-command";
import { freshDatabase } from "@/__tests__/support/database";
import { submitted } from "@/__tests__/support/submitted";
import { temporaryFolder } from "@/__tests__/support/temporary-folder";

const { sql, operationsUrl } = freshDatabase();
const folder = temporaryFolder();
const env = { DATABASE_URL: operationsUrl, APP_URL: "https://a.example" };
const rent = resolve("bin/rent");
/** A process of its own, so that no variable of the npm that runs the tests reaches it. */
const clean = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith("npm_")),
) as NodeJS.ProcessEnv;

/** What npm passes on to a script that is called with these arguments. */
function throughNpm(args: string[]): { words: string[]; taken: Record<string, string> } {
  const script = "console.log(JSON.stringify({ words: process.argv.slice(2), env: process.env }))";
  writeFileSync(join(folder, "show.js"), script);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ scripts: { show: "node show.js" } }));
  const options = { cwd: folder, env: clean, encoding: "utf8", stdio: "pipe" } as const;
  const read = (...given: string[]) => {
    const lines = execFileSync("npm", ["run", "--silent", "show", ...given], options)
      .trim()
      .split("\n");
    return JSON.parse(lines.at(-1) ?? "");
  };
  const [plain, { words, env }] = [read(), read(...args)];
  const isTaken = ([name, value]: [string, unknown]) => /^npm_config_/.test(name) && plain.env[name] !== value;
  return { words, taken: Object.fromEntries(Object.entries<string>(env).filter(isTaken)) };
}

const names = [...execFileSync(rent, ["help"], { encoding: "utf8" }).matchAll(/^ {2}([a-z:]+) {2,}/gm)].map(
  ([, name = ""]) => name,
);
const flagsOf = async (name: string) =>
  [...(await callCommand(name.replace(":", "-"), ["--help"], env)).out.matchAll(/^ {2}--([a-z-]+)( \S)?/gm)].map(
    ([, flag = "", value]) => ({ flag, takesValue: value !== undefined }),
  );

test.each([" ", "="])("a command refuses every flag that npm has taken, with its value after '%s'", async (sign) => {
  const commands: { name: string; flags: Awaited<ReturnType<typeof flagsOf>> }[] = [];
  // The desk is a server and takes no flags.
  for (const name of names.filter((name) => name !== "desk")) commands.push({ name, flags: await flagsOf(name) });
  // npm reads --csv as -c, -s and -v, prints its version and runs nothing.
  const all = commands.flatMap(({ flags }) => flags).filter(({ flag }) => flag !== "csv");
  const given = new Set(all.map(({ flag, takesValue }) => `--${flag}${takesValue ? `${sign}x` : ""}`));
  const { taken } = throughNpm([...given].flatMap((flag) => flag.split(" ")));
  for (const { name, flags } of commands) {
    const expected = flags.filter(({ flag }) => flag !== "csv").map(({ flag }) => `--${flag}`);
    if (expected.length === 0) continue;
    const { code, out, err } = await callCommand(name.replace(":", "-"), [], { ...env, ...taken });
    expect([name, code, out]).toEqual([name, 2, ""]);
    const named = /npm took (.+) for itself/.exec(err)?.[1]?.split(", ") ?? [];
    expect([name, named]).toEqual([name, expect.arrayContaining(expected)]);
    expect(err).toContain(`npm run ${name} -- `);
  }
});

test.each([
  ["status", "K7QM-4XRT declined --preview", "K7QM-4XRT declined --preview"],
  ["status", "K7QM-4XRT declined --by Ines", "K7QM-4XRT declined --by Ines"],
  ["status", "K7QM-4XRT declined --no-message", "K7QM-4XRT declined --no-message"],
  ["status", "K7QM-4XRT declined --preview -- --yes", "K7QM-4XRT declined --yes --preview"],
  ["messages", "retry --since=today --dry-run", "retry --since today --dry-run"],
  ["roles", "--sql", "--sql"],
  ["keys", "create --name crm --scope read", "create --name crm --scope read"],
  ["export", "--status=draft --out=f", "--out f --status draft"],
  [
    "applications",
    "contact K7QM-4XRT --email a@b.example --mobile 61412345678",
    "contact K7QM-4XRT --email … --mobile …",
  ],
])("npm run %s %s is refused with the line to type", async (name, given, line) => {
  const { words, taken } = throughNpm(given.split(" "));
  const { code, err } = await callCommand(name, words, { ...env, ...taken });
  expect(code).toBe(2);
  expect(err).toContain(`\n  npm run ${name} -- ${line}\n  bin/rent ${name} ${line}\n`);
});

test("npm run status REFERENCE declined --preview decides nothing, and bin/rent previews it", async () => {
  const { reference } = await submitted();
  const statuses = () => sql("SELECT status FROM applications WHERE reference = $1", [reference]);
  const options = { env: { ...clean, ...env }, encoding: "utf8" } as const;
  const refused = spawnSync("npm", ["run", "--silent", "status", reference, "declined", "--preview"], options);
  expect([refused.status, refused.stdout]).toEqual([2, ""]);
  const preview = spawnSync(rent, ["status", reference, "declined", "--preview"], { ...options, cwd: folder });
  expect([preview.status, preview.stdout]).toEqual([0, expect.stringContaining("submitted → declined")]);
  expect(await statuses()).toEqual([{ status: "submitted" }]);
});

describe("bin/rent", () => {
  const run = promisify(execFile);

  test("lists every command of package.json by task", () => {
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
    const commands = Object.keys(scripts).filter(
      (name) => name === "desk" || /lib\/(cli|development)|bin\/rent/.test(scripts[name] ?? ""),
    );
    expect([...names].sort()).toEqual(commands.sort());
  });

  test("writes files in the caller's folder, ignores npm's own settings, and replaces no file without --force", async () => {
    const options = { cwd: folder, env: { ...clean, ...env, npm_config_force: "true" } };
    expect((await run(rent, ["export", "--out", "a.csv"], options)).stdout).toBe(`Wrote ${join(folder, "a.csv")}.\n`);
    await expect(run(rent, ["export", "--out", "a.csv"], options)).rejects.toMatchObject({ code: 1 });
    await run(rent, ["export", "--out", "a.csv", "--force"], options);
  });

  test("names an unknown command last, and says before 'npm ci' what is missing", async () => {
    const unknown = spawnSync(rent, ["statsu"], { encoding: "utf8" });
    expect([unknown.status, unknown.stderr.trim().split("\n").at(-1)]).toEqual([2, "There is no command statsu."]);
    const copy = join(folder, "copy");
    for (const file of ["bin/rent", "lib/cli/shared/rent.cjs", "package.json"]) cpSync(file, join(copy, file));
    const demo = spawnSync("npm", ["run", "--silent", "demo"], { cwd: copy, env: clean, encoding: "utf8" });
    expect([demo.status, demo.stderr]).toEqual([1, `The packages are not installed: run 'npm ci' in ${copy} first.\n`]);
  });
});
