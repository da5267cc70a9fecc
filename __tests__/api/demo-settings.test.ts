import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callCommand } from "@/__tests__/support/call-command";
import { command } from "@/lib/cli/shared/command";
import { removeDemoSettings, writeDemoSettings } from "@/lib/cli/shared/demo-settings";
import { requireFreePort } from "@/lib/cli/shared/processes";
import { currentSettings } from "@/lib/server/settings";

jest.mock("@/lib/cli/shared/processes");

const file = ".data/mailbox.env";
const settings = { SMTP_URL: "smtp://127.0.0.1:2525", APP_URL: "http://localhost:3001", SMS_BODY: '{"to":"+{to}"}' };
const originalFolder = process.cwd();
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "demo-"));
  process.chdir(folder);
  for (const name of ["DATABASE_URL", "OPERATIONS_DATABASE_URL", ...Object.keys(settings)]) delete process.env[name];
  writeDemoSettings(settings);
});
afterEach(() => {
  process.chdir(originalFolder);
  rmSync(folder, { recursive: true });
});

/** Returns the demo's settings as a command finds them in its environment. */
async function settingsOfCommand(joinsDemo = true): Promise<Record<string, string | undefined>> {
  let read = {};
  const run = async () => {
    read = Object.fromEntries(Object.keys(settings).map((name) => [name, process.env[name]]));
  };
  // A copy, because Jest's require.main is the test, and the command would read Jest's own arguments.
  await command({ ...module }, { usage: "" }, run, { joinsDemo })([]);
  return read;
}

test("while the demo runs, commands have its settings, and only its user reads the file", async () => {
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(await settingsOfCommand()).toEqual(settings);
});

test("a second demo does not send to the first one's mailbox", async () => {
  expect(await settingsOfCommand(false)).toEqual({});
});

test.each([
  ["SMTP_URL", "smtp://mail.example"],
  ["DATABASE_URL", "postgresql://db.example/lender"],
  ["OPERATIONS_DATABASE_URL", "postgresql://db.example/lender"],
])("%s in the environment replaces the demo's settings", async (name, value) => {
  process.env[name] = value;
  expect((await settingsOfCommand()).APP_URL).toBeUndefined();
});

test("other settings take precedence over the demo's, unless they are empty", async () => {
  Object.assign(process.env, { APP_URL: "http://localhost:4000", SMS_BODY: "" });
  expect(await settingsOfCommand()).toEqual({ ...settings, APP_URL: "http://localhost:4000" });
});

test("no command reads the settings of a killed demo", async () => {
  const { pid } = spawnSync("true");
  writeFileSync(file, readFileSync(file, "utf8").replace(/PID='\d+'/, `PID='${pid}'`));
  expect(await settingsOfCommand()).toEqual({});
});

test("a demo that ends removes its own settings, not those of a later one", () => {
  writeFileSync(file, readFileSync(file, "utf8").replace(/PID='\d+'/, "PID='1'"));
  removeDemoSettings();
  expect(existsSync(file)).toBe(true);
  writeDemoSettings(settings);
  removeDemoSettings();
  expect(existsSync(file)).toBe(false);
});

test("a demo uses the embedded database, whatever databases the environment names, and the app's time limit", async () => {
  const elsewhere = "postgresql://operations@db.example/lender";
  let read = {};
  // The demo checks the port before it builds and starts anything.
  jest.mocked(requireFreePort).mockImplementation(async () => {
    const { DATABASE_URL, OPERATIONS_DATABASE_URL, APP_URL, DATABASE_TIMEOUT_MS } = currentSettings();
    read = { DATABASE_URL, OPERATIONS_DATABASE_URL, APP_URL, DATABASE_TIMEOUT_MS };
    throw new Error("seen");
  });
  const databases = { DATABASE_URL: elsewhere, OPERATIONS_DATABASE_URL: elsewhere };
  const env = { ...databases, APP_URL: "https://apply.example", DATABASE_TIMEOUT_MS: "" };
  expect(await callCommand("demo", [], env)).toMatchObject({ code: 1, err: "seen\n" });
  const unset = { DATABASE_URL: undefined, OPERATIONS_DATABASE_URL: undefined, APP_URL: undefined };
  expect(read).toEqual({ ...unset, DATABASE_TIMEOUT_MS: 1500 });
});
