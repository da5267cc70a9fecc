import { readFileSync } from "node:fs";
import { callCommand } from "@/__tests__/support/call-command";
import { commandFile, program } from "@/__tests__/support/program";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
const names = Object.keys(scripts)
  .filter((name) => /lib\/cli\/|bin\/rent/.test(scripts[name] ?? ""))
  .map((name) => name.replace(":", "-"));
/** Nothing listens at this address, so a command fails if it connects before it prints help or refuses an argument. */
const nowhere = { DATABASE_URL: "postgresql://nobody@127.0.0.1:9/nothing", APP_URL: "https://apply.example" };

test("the commands are found", () => {
  expect(names).toEqual(expect.arrayContaining(["invite", "links", "migrate", "status", "retention", "studio"]));
});

test.each(names)("package.json starts %s as the tests do", (name) => {
  const start = name === "demo" ? "node bin/rent demo" : `node ${program(commandFile(name)).join(" ")}`;
  expect(Object.values(scripts).map((script) => script.replace(/^(NEXT_\w+=1 )?(exec )?/, ""))).toContain(start);
});

/** Matches the npm script that a command's usage names. */
const usageOf = (name: string) => new RegExp(`npm run ${name.replace("-", ":")}\\b`);

test.each(names)("%s prints its usage when it does not know an argument", async (name) => {
  const { code, out, err } = await callCommand(name, ["--no-such-flag"], nowhere);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain("--no-such-flag");
  expect(err).toMatch(usageOf(name));
  expect(err).not.toMatch(/^\s+at /m);
});

const withBy = names.filter((name) => readFileSync(commandFile(name), "utf8").includes("byOption"));

test.each([...withBy.map((name) => [name, "--by"]), ["invite", "--mobile"], ["messages", "--since"]])(
  "%s refuses a second %s, of which only one can be meant",
  async (name, option) => {
    const { code, out, err } = await callCommand(name, [option, "61412345678", option, "61487654321"], nowhere);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(new RegExp(`\\n\\n${option} can be given only once\\.\\n$`));
  },
);

test.each(names)("%s prints its usage on request", async (name) => {
  const { code, out, err } = await callCommand(name, ["--help"], nowhere);
  expect([code, err]).toEqual([0, ""]);
  expect(out).toMatch(usageOf(name));
});
