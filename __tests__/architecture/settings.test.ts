import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { readSettings, settingsSchema } from "@/lib/server/settings";

const settings = Object.keys(settingsSchema.shape).sort();

test("the README's table names every setting and no other", () => {
  const [, section = ""] = readFileSync("README.md", "utf8").split("\n## Settings\n");
  const rows = (section.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("| `"));
  const named = rows.flatMap((row) => (row.split("|")[1] ?? "").match(/[A-Z][A-Z0-9_]+/g) ?? []);
  expect(named.sort()).toEqual(settings);
});

const example = readFileSync(".env.example", "utf8");

test(".env.example has every setting and no other, all commented out", () => {
  expect(parseEnv(example)).toEqual({});
  const named = [...example.matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name);
  expect(named.sort()).toEqual(settings);
});

test("uncommented, .env.example is valid and sets the defaults, but for the addresses", () => {
  const uncommented = parseEnv(example.replace(/^# (?=[A-Z0-9_]+=)/gm, ""));
  const {
    databaseUrl,
    operationsDatabaseUrl,
    appUrl,
    isAppUrlAssumed: _,
    isThisMachine: __,
    host,
    shutdownDelayMs,
    ...others
  } = readSettings(uncommented);
  expect(readSettings({ APP_URL: appUrl })).toMatchObject({ shutdownDelayMs });
  expect([databaseUrl, operationsDatabaseUrl, appUrl, host]).toEqual([
    uncommented.DATABASE_URL,
    uncommented.OPERATIONS_DATABASE_URL,
    uncommented.APP_URL,
    uncommented.HOST,
  ]);
  expect(readSettings({})).toMatchObject(others);
});
