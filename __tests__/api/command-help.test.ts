import { readdirSync, readFileSync } from "node:fs";
import { runCommand } from "@/__tests__/support/run-command";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
const names = readdirSync("lib/cli")
  .map((file) => file.replace(/\.ts$/, ""))
  .filter((name) => Object.values(scripts).some((script) => script.endsWith(`lib/cli/${name}.ts`)));
/** Nothing listens there: what a command does before it is asked for help or refuses an argument would fail. */
const nowhere = { DATABASE_URL: "postgresql://nobody@127.0.0.1:9/nothing", APP_URL: "https://apply.example" };

jest.setTimeout(60_000);

test("the commands are found", () => {
  expect(names).toEqual(expect.arrayContaining(["invite", "links", "migrate", "status", "retention", "studio"]));
});

test.each(names)("%s tells its usage when asked, and when it does not know an argument", async (name) => {
  const [asked, miscalled] = await Promise.all([
    runCommand(name, ["--help"], nowhere),
    runCommand(name, ["--no-such-flag"], nowhere),
  ]);
  expect(asked).toMatchObject({ code: 0, err: "" });
  expect(asked.out).toMatch(new RegExp(`npm run (--silent )?${name === "migrate-new" ? "migrate:new" : name}\\b`));
  expect(miscalled).toMatchObject({ code: 2, out: "" });
  expect(miscalled.err).toContain("--no-such-flag");
  expect(miscalled.err).toContain(asked.out.trim());
  expect(miscalled.err).not.toMatch(/^\s+at /m);
});

test.each([
  ["invite", ["--mobile", "61412345678"]],
  ["links", ["revoke", "K7QM-4XRT"]],
  ["status", ["K7QM-4XRT", "approved"]],
  ["retention", ["--months", "24"]],
])("%s says in one sentence that the database is away", async (name, args) => {
  const { code, out, err } = await runCommand(name, args, nowhere);
  expect([code, out]).toEqual([1, ""]);
  expect(err.trim().split("\n")).toHaveLength(1);
});
