import { spawnSync } from "node:child_process";
import type { EventEmitter } from "node:events";
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freshDatabase } from "@/__tests__/support/database";
import { freePort } from "@/__tests__/support/processes/app";
import { join as joinSockets, startTcpServer } from "@/__tests__/support/tcp-server";
import { temporaryFolder } from "@/__tests__/support/temporary-folder";
import { writeKey } from "@/lib/server/evidence/key";
import { buildInfo } from "@/lib/server/http/build-info";

const { url, appUrl, sql } = freshDatabase();
process.env.EVIDENCE_KEY_FILE = join(temporaryFolder(), "key.json");
writeKey(process.env.EVIDENCE_KEY_FILE);
const withoutBuild = temporaryFolder();
for (const name of ["lib", "node_modules", "package.json"])
  symlinkSync(join(process.cwd(), name), join(withoutBuild, name));
const overPrivileged =
  /^The app's database user is a superuser, which is more than the app needs: .+ 'npm run roles' .+$/;

/** Starts the app, and returns what it reports once there are at least `atLeast` sentences. */
async function linesAtStartAs(databaseUrl: string, atLeast: number, meanwhile = async () => {}): Promise<string[]> {
  process.env.DATABASE_URL = databaseUrl;
  jest.resetModules();
  const write = jest.spyOn(console, "error").mockReturnValue();
  try {
    const { prepareServer } = await import("@/lib/server/process/prepare-server");
    await prepareServer();
    await meanwhile();
    while (write.mock.calls.length < atLeast) await sleep(20);
    return write.mock.calls.map(([line]) => String(line));
  } finally {
    write.mockRestore();
    process.env.DATABASE_URL = appUrl;
    // server.mjs does the same before it exits.
    await Promise.all((process as EventEmitter).listeners("shutdown").map((stop) => stop()));
    (process as EventEmitter).removeAllListeners("shutdown");
  }
}

test("with a single database user, the start warns in one line what the app can change", async () => {
  expect(await linesAtStartAs(url, 1)).toEqual([expect.stringMatching(overPrivileged)]);
});

test("with the app's own database user the start logs no warning", async () => {
  // freshDatabase grants the app these functions for tests; a deployment does not.
  await sql(`REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA public FROM "${new URL(appUrl).username}"`);
  // Excess privileges are reported shortly after the start.
  expect(await linesAtStartAs(appUrl, 0, () => sleep(1000))).toEqual([]);
});

test("without a key the start says that the evidence log is not signed", async () => {
  jest.replaceProperty(process.env, "EVIDENCE_KEY_FILE", "");
  expect(await linesAtStartAs(appUrl, 1)).toEqual([
    "EVIDENCE_KEY_FILE is not set: the evidence log is not signed. Set it to the name of a new file, and 'npm run evidence -- key' creates the key there.",
  ]);
});

test("an unreachable database is named without its password, and checked once it answers", async () => {
  const late = new URL(url);
  const { hostname, port } = late;
  late.host = `127.0.0.1:${await freePort()}`;
  let relay: Awaited<ReturnType<typeof startTcpServer>> | undefined;
  const open = async () => {
    relay = await startTcpServer((client) => joinSockets(client, connect(Number(port), hostname)), Number(late.port));
  };
  expect(await linesAtStartAs(late.href, 2, open)).toEqual([
    `The database ${late.host}${late.pathname} does not answer yet: the connection was refused.`,
    expect.stringMatching(overPrivileged),
  ]);
  relay?.stop();
});

test.each([
  ["a wrong PORT", process.cwd(), "99999", "Invalid settings:\nPORT: is not a whole number from 1 to 65535"],
  ["a missing build", withoutBuild, "3000", "There is no build: run 'npm run build' first."],
])("%s is named before anything listens", (_, cwd, PORT, message) => {
  const options = { cwd, encoding: "utf8" as const, env: { ...process.env, PORT } };
  const { status, stderr } = spawnSync("npm", ["--silent", "start"], options);
  expect([status, JSON.parse(stderr)]).toEqual([1, { level: 50, time: expect.any(String), message }]);
});

test("what Next, Node and a failed start print is JSON, a line each", () => {
  const script = `
    import { logConsoleAsJson } from "./lib/server/json-console.mjs";
    logConsoleAsJson();
    console.log("two\\nlines %d", 1);
    process.emitWarning("deprecated");
    setTimeout(() => { throw new Error("unexpected"); }, 50);`;
  const run = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  const lines = `${run.stdout}${run.stderr}`.trimEnd().split("\n");
  const found = lines
    .map((line) => JSON.parse(line))
    .map(({ level, message }) => [level, message.split("\n    at")[0]]);
  expect(run.status).toBe(1);
  expect(found).toEqual([
    [30, "two\nlines 1"],
    [40, "Warning: deprecated"],
    [50, "Error: unexpected"],
  ]);
});

test("the commit that runs is found in the repository, also if its reference is packed", () => {
  const folder = mkdtempSync(join(dirname(process.env.EVIDENCE_KEY_FILE ?? ""), "repository-"));
  writeFileSync(join(folder, "package.json"), '{"version":"1.2.3"}');
  const info = (commit: string) => ({ version: "1.2.3", commit });
  expect(buildInfo(folder)).toEqual(info("unknown"));
  mkdirSync(join(folder, ".git/refs/heads"), { recursive: true });
  writeFileSync(join(folder, ".git/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(folder, ".git/packed-refs"), `# pack-refs\n${"a".repeat(40)} refs/heads/main\n`);
  expect(buildInfo(folder)).toEqual(info("a".repeat(12)));
  writeFileSync(join(folder, ".git/refs/heads/main"), `${"b".repeat(40)}\n`);
  expect(buildInfo(folder)).toEqual(info("b".repeat(12)));
});
