import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "pg";
import { callCommand } from "@/__tests__/support/call-command";
import { post } from "@/__tests__/support/post";
import { postgresPrograms, type Server, startServer } from "@/__tests__/support/processes/servers";
import { temporaryFolder } from "@/__tests__/support/temporary-folder";
import { POST as verify } from "@/app/api/v1/user/verify-token/route";
import { runAs } from "@/lib/embedded-postgres/programs";
import { closeDatabase } from "@/lib/server/db/client";
import { withConnection } from "@/lib/server/db/connection";
import { readerUrl } from "@/lib/server/db/roles";

/** These tests start their own server, since the server's certificate and pg_hba.conf apply to the whole server. */
let server: Server;
const folder = temporaryFolder();

const issue = (into: string, ...args: string[]) =>
  execFileSync("sh", ["docs/deploy/certificate.sh", into, ...args], { stdio: "ignore" });

/** The URL of a user, with the files of a certificate, by default the user's own. */
function urlOf(user: string, certificate = user): string {
  const file = (name: string) => join(folder, name);
  const files = `sslrootcert=${file("ca.crt")}&sslcert=${file(`${certificate}.crt`)}&sslkey=${file(`${certificate}.key`)}`;
  return `${server.urlOf("lender", user)}?sslmode=verify-full&${files}`;
}

/** Lets everybody but the administrator of this test in by certificate alone. */
async function requireCertificates(): Promise<void> {
  await withConnection(server.urlOf("postgres"), async (client) => {
    const { rows } = await client.query("SELECT current_setting('data_directory') AS data");
    const path = (name: string) => join(rows[0].data, name);
    for (const name of ["ca.crt", "server.crt", "server.key"]) copyFileSync(join(folder, name), path(name));
    writeFileSync(path("pg_hba.conf"), "host all admin 127.0.0.1/32 trust\nhostssl lender all 127.0.0.1/32 cert\n");
    for (const name of ["ca.crt", "server.crt", "server.key"]) runAs(rows[0].data, []).give(path(name));
    await client.query("CREATE ROLE lender_owner LOGIN CREATEROLE");
    await client.query("CREATE DATABASE lender OWNER lender_owner");
    await client.query("ALTER SYSTEM SET ssl_ca_file = 'ca.crt'");
    await client.query("ALTER SYSTEM SET ssl = on");
    await client.query("SELECT pg_reload_conf()");
  });
}

beforeAll(async () => {
  process.env.LOG_LEVEL = "silent";
  // A busy machine is slow, and this test is not about time limits.
  process.env.DATABASE_TIMEOUT_MS = "60000";
  issue(folder, "server", "IP:127.0.0.1");
  for (const user of ["lender_owner", "lender_app", "lender_operations", "lender_reader"]) issue(folder, user);
  server = await startServer(postgresPrograms()[0] ?? "");
  await requireCertificates();
});
afterAll(async () => {
  await closeDatabase();
  await server.stop();
});

test("commands, calls and Studio's reader log in to the database by certificate, without a password", async () => {
  const owner = { DATABASE_URL: urlOf("lender_owner") };
  expect(await callCommand("migrate", [], owner)).toMatchObject({ code: 0 });
  const { out: printed } = await callCommand("roles", [], owner);
  const [app = "", operations = ""] = [...printed.matchAll(/DATABASE_URL=(.*)$/gm)].map(([, url = ""]) => url);
  expect([app, operations, readerUrl(operations)]).toEqual([
    urlOf("lender_app"),
    urlOf("lender_operations"),
    urlOf("lender_reader"),
  ]);

  const env = { DATABASE_URL: app, OPERATIONS_DATABASE_URL: operations, APP_URL: "http://localhost:3000" };
  const { out: invitation } = await callCommand("invite", ["--json", "--mobile", "61412345678"], env);
  const { token, reference } = JSON.parse(invitation);
  expect((await callCommand("applications", ["list", "--json"], env)).out).toContain(reference);
  process.env.DATABASE_URL = app;
  expect((await post(verify, { token })).status).toBe(200);
  const read = (client: Client) => client.query("SELECT reference FROM applications");
  expect((await withConnection(urlOf("lender_reader"), read)).rows).toEqual([{ reference }]);
});

test.each([
  ["without a certificate", () => server.urlOf("lender", "lender_app"), /rejects the user lender_app: no pg_hba/],
  [
    "with another user's certificate",
    () => urlOf("lender_app", "lender_operations"),
    /certificate authentication failed/,
  ],
  [
    "with a certificate of another authority",
    () => {
      const other = join(folder, "other");
      mkdirSync(other);
      issue(other, "lender_app");
      return urlOf("lender_app", "other/lender_app");
    },
    /rejects the certificate of the user lender_app \(alert unknown ca\)/,
  ],
])("nobody logs in %s", async (_, url, says) => {
  const { code, err } = await callCommand("applications", ["list"], { OPERATIONS_DATABASE_URL: url() });
  expect(err).toMatch(says);
  expect(code).toBe(1);
});
