import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { readSettings } from "@/lib/server/settings";
import { settingsSchema } from "@/lib/server/settings-schema";

const settings = Object.keys(settingsSchema.shape).sort();

test("docs/settings.md has a row for every setting, with the schema's description, and no other", () => {
  const rows = [...readFileSync("docs/settings.md", "utf8").matchAll(/^\| `([A-Z0-9_]+)` \| .+? \| (.+) \|$/gm)];
  const described = Object.entries(settingsSchema.shape).map(([name, { description }]) => [name, description]);
  expect(Object.fromEntries(rows.map(([, name, text]) => [name, text]))).toEqual(Object.fromEntries(described));
});

const example = readFileSync(".env.example", "utf8");

test(".env.example has every setting and no other, all commented out", () => {
  expect(parseEnv(example)).toEqual({});
  const named = [...example.matchAll(/^# ([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name);
  expect(named.sort()).toEqual(settings);
});

test("uncommented, .env.example is valid and sets the defaults, except for the addresses", () => {
  const uncommented = parseEnv(example.replace(/^# (?=[A-Z0-9_]+=)/gm, ""));
  const addresses = ["DATABASE_URL", "OPERATIONS_DATABASE_URL", "APP_URL", "HOST", "DESK_URL"] as const;
  const read = readSettings(uncommented);
  expect(addresses.map((name) => read[name])).toEqual(addresses.map((name) => uncommented[name]));
  // The defaults of BRAND_… are in `brand`, and that of SHUTDOWN_DELAY_MS is in server.mjs.
  const excluded = /^(BRAND_.+|SHUTDOWN_DELAY_MS|appUrl|is[A-Z].+)$/;
  const defaults = Object.entries(read).filter(
    ([name]) => !addresses.some((address) => address === name) && !excluded.test(name),
  );
  expect(readSettings({})).toMatchObject(Object.fromEntries(defaults));
});
