import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { callCommand } from "@/__tests__/support/call-command";
import { freshDatabase } from "@/__tests__/support/database";
import { commandFile, program } from "@/__tests__/support/program";
import { temporaryFolder } from "@/__tests__/support/temporary-folder";

const { url, sql } = freshDatabase();
const folder = temporaryFolder();
const csv = join(folder, "in.csv");
const name = `test_stranger_${process.pid}`;

/** Returns the URL of the test database with one part changed. */
function urlWith(change: (address: URL) => void): string {
  const address = new URL(url);
  change(address);
  return address.href;
}
const as = (username: string) => urlWith((address) => Object.assign(address, { username, password: "secret" }));

const calls = [
  ["invite", "--mobile", "61412345678"],
  ["invite", "--csv", csv, "--out", join(folder, "links.csv")],
  ["links", "revoke", "K7QM-4XRT"],
  ["links", "reissue", "K7QM-4XRT"],
  ["links", "reissue", "--batch", "spring", "--unopened", "--out", join(folder, "again.csv")],
  ["status", "K7QM-4XRT", "approved"],
  ["applications", "list"],
  ["applications", "find", "ada"],
  ["applications", "show", "K7QM-4XRT"],
  ["export"],
  ["consent", "verify"],
  ["retention", "--months", "24"],
  ["person", "export", "K7QM-4XRT"],
  ["person", "erase", "K7QM-4XRT"],
  ["studio", "--port", String(30_000 + (process.pid % 20_000))],
  ["roles"],
];

/** Most commands connect in the same way, so one of them is enough, with those that connect in their own way. */
const sample = calls.filter(([command, action]) => command === "studio" || command === "roles" || action === "list");

describe("a command on a failing database", () => {
  beforeAll(async () => {
    writeFileSync(csv, "mobile\n61412345678\n");
    await sql(`CREATE ROLE ${name} LOGIN PASSWORD 'secret'`);
    await sql(`CREATE ROLE ${name}_half LOGIN PASSWORD 'secret'`);
    await sql(`GRANT SELECT ON _prisma_migrations TO ${name}_half`);
  });
  afterAll(async () => {
    await sql(`DROP OWNED BY ${name}_half`);
    for (const role of [name, `${name}_half`]) await sql(`DROP ROLE ${role}`);
  });

  test.each([
    ["is unavailable", sample, () => urlWith((address) => Object.assign(address, { port: "9" }))],
    ["does not exist", sample, () => urlWith((address) => Object.assign(address, { pathname: "/nothing" }))],
    ["rejects the password", sample, () => urlWith((address) => Object.assign(address, { password: "wrong" }))],
    ["lets this user do nothing", sample, () => as(name)],
    ["lets this user see no application", calls, () => as(`${name}_half`)],
  ])("if the database %s, a command exits with 1 and prints one sentence", async (_, run, address) => {
    const settings = { DATABASE_URL: address(), OPERATIONS_DATABASE_URL: "", APP_URL: "https://apply.example" };
    for (const [command = "", ...args] of run) {
      const { code, out, err } = await callCommand(command, args, settings);
      const printed = command === "export" ? expect.any(String) : "";
      expect([command, args, code, out, err]).toEqual([command, args, 1, printed, expect.stringMatching(/^[^\n]+\n$/)]);
      expect(err).not.toMatch(/\bprisma\b|Code: `/i);
    }
  });
});

describe("a command in a folder without a database", () => {
  const unset =
    "No database is set up: set DATABASE_URL or, for operations, OPERATIONS_DATABASE_URL. Without them, 'npm run migrate' creates an embedded database for development.\n";
  const incomplete = "OPERATIONS_DATABASE_URL is set, but this command needs DATABASE_URL.\n";
  const run = (args: string[], settings: Record<string, string> = {}) => {
    const project = mkdtempSync(join(folder, "project-"));
    for (const part of ["lib", "prisma", "node_modules", "tsconfig.json", "package.json"])
      symlinkSync(join(process.cwd(), part), join(project, part));
    const [command = "", ...rest] = args;
    const env = { ...process.env, DATABASE_URL: "", OPERATIONS_DATABASE_URL: "", ...settings };
    const options = { cwd: project, env, encoding: "utf8" as const, timeout: 30_000 };
    const { status, stdout, stderr } = spawnSync(process.execPath, program(commandFile(command), ...rest), options);
    return { status, stdout, stderr, made: existsSync(join(project, ".data")) };
  };

  test.each([
    ["applications list", {}, unset],
    ["worker", {}, unset],
    ["roles", { OPERATIONS_DATABASE_URL: url }, incomplete],
    ["migrate", { OPERATIONS_DATABASE_URL: url }, incomplete],
  ])("starts no Postgres: %s %j", (line, settings, stderr) => {
    // The worker's log is JSON, in which the sentence ends with its closing quotation mark.
    const printed = line === "worker" ? expect.stringContaining(stderr.trim()) : stderr;
    expect(run(line.split(" "), settings)).toEqual({ status: 1, stdout: "", stderr: printed, made: false });
  });
});
