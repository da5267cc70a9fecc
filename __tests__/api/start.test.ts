import { spawnSync } from "node:child_process";
import type { EventEmitter } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freshDatabase } from "@/__tests__/support/database";
import { freePort } from "@/__tests__/support/processes/app";
import { join as joinSockets, startTcpServer } from "@/__tests__/support/tcp-server";
import { temporaryFolder } from "@/__tests__/support/temporary-folder";
import { writeKey } from "@/lib/server/evidence/key";

const { url, appUrl, sql } = freshDatabase();
process.env.EVIDENCE_KEY_FILE = join(temporaryFolder(), "key.json");
writeKey(process.env.EVIDENCE_KEY_FILE);
const overPrivileged =
  /^The app's database user is a superuser, which is more than the app needs: .+ 'npm run roles' .+$/;

/** Starts the app, and returns the lines on standard error once there are at least `atLeast`. */
async function linesAtStartAs(databaseUrl: string, atLeast: number, meanwhile = async () => {}): Promise<string[]> {
  process.env.DATABASE_URL = databaseUrl;
  jest.resetModules();
  const write = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  try {
    const { prepareServer } = await import("@/lib/server/prepare-server");
    await prepareServer();
    await meanwhile();
    while (write.mock.calls.length < atLeast) await sleep(20);
    return write.mock.calls.map(([line]) => String(line).trimEnd());
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

test("a wrong PORT is named before anything listens", () => {
  const { status, stderr } = spawnSync("npm", ["--silent", "start"], {
    encoding: "utf8",
    env: { ...process.env, PORT: "99999" },
  });
  expect([status, stderr]).toEqual([1, "Invalid settings:\nPORT: is not a whole number from 1 to 65535\n"]);
});
