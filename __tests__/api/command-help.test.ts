import { readdirSync, readFileSync } from "node:fs";
import { several } from "@/__tests__/support/processes/several";
import { runCommand } from "@/__tests__/support/run-command";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
const names = readdirSync("lib/cli")
  .map((file) => file.replace(/\.ts$/, ""))
  .filter((name) => Object.values(scripts).some((script) => script.endsWith(`lib/cli/${name}.ts`)));
/** Nothing listens there: what a command does before it is asked for help or refuses an argument would fail. */
const nowhere = { DATABASE_URL: "postgresql://nobody@127.0.0.1:9/nothing", APP_URL: "https://apply.example" };

test("the commands are found", () => {
  expect(names).toEqual(expect.arrayContaining(["invite", "links", "migrate", "status", "retention", "studio"]));
});

/** How it is called in package.json. */
const called = (name: string) => new RegExp(`npm run (--silent )?${name === "migrate-new" ? "migrate:new" : name}\\b`);

test("each tells its usage when it does not know an argument", async () => {
  const wrong = await several(names.length, 3, async (n) => {
    const { code, out, err } = await runCommand(names[n] ?? "", ["--no-such-flag"], nowhere);
    const isTold = err.includes("--no-such-flag") && called(names[n] ?? "").test(err) && !/^\s+at /m.test(err);
    return code === 2 && out === "" && isTold ? [] : [[names[n], code, out, err]];
  });
  expect(wrong.flat()).toEqual([]);
});

test("each tells it when asked, and that is no error", async () => {
  const wrong = await several(names.length, 3, async (n) => {
    const said = await runCommand(names[n] ?? "", ["--help"], nowhere);
    return said.code === 0 && said.err === "" && called(names[n] ?? "").test(said.out) ? [] : [[names[n], said]];
  });
  expect(wrong.flat()).toEqual([]);
});
