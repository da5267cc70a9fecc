import { randomBytes } from "node:crypto";
import { callCommand } from "@/__tests__/support/call-command";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { fillInAndSubmit } from "@/__tests__/support/submitted";
import { withConnection } from "@/lib/server/db/connection";

const { appUrl, operationsUrl, sql } = freshDatabase();

/** The database URL of a member of operations who has her own login. */
const ines = new URL(operationsUrl);
ines.username = `ines_${randomBytes(4).toString("hex")}`;
ines.password = "secret";
const login = (url: string) => new URL(url).username;
beforeAll(async () => {
  await sql(`CREATE ROLE ${ines.username} LOGIN PASSWORD 'secret' IN ROLE "${login(operationsUrl)}"`);
});
// Roles belong to the server. This file's own database has been dropped by then.
afterAll(() =>
  withConnection(process.env.TEST_SERVER_URL ?? "", (client) => client.query(`DROP ROLE ${ines.username}`)),
);

const run = async (name: string, ...args: string[]) => {
  const { code, out, err } = await callCommand(name, args, { DATABASE_URL: ines.href });
  if (code !== 0) throw new Error(err);
  return out;
};

test("every event that a command writes records the login that ran it, whatever --by says", async () => {
  const reference = JSON.parse(await run("invite", "--json", "--mobile", "61412345678", "--by", "Bob")).reference;
  const { token } = JSON.parse(await run("links", "reissue", reference, "--json", "--by", "Bob"));
  await fillInAndSubmit(token);
  await run("status", reference, "in-review", "--by", "Bob");
  await run("links", "revoke", reference, "--by", "Bob");
  await run("person", "erase", reference, "--by", "Bob");
  const events = await sql<{ kind: string; by: string; databaseUser: string }>(
    `SELECT kind, by, "databaseUser" FROM events_by_reference WHERE reference = $1 ORDER BY number`,
    [reference],
  );
  const byBob = events.filter(({ by }) => by === "Bob");
  expect(byBob.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(["link_issued", "link_reissued", "link_revoked", "status_changed", "erased"]),
  );
  expect(new Set(byBob.map(({ databaseUser }) => databaseUser))).toEqual(new Set([ines.username]));
  const ofCalls = events.filter(({ by }) => by === "").map(({ databaseUser }) => databaseUser);
  expect(new Set(ofCalls)).toEqual(new Set([login(appUrl)]));
  expect(await run("applications", "show", reference)).toMatch(
    new RegExp(`status changed: .* by Bob {3}login ${ines.username}`),
  );
});

test.each([
  ["the app", appUrl],
  ["operations", operationsUrl],
  ["a person of operations", ines.href],
])("%s cannot write another login into an event", async (_, url) => {
  const { id } = await invited();
  await withConnection(url, async (client) => {
    const insert = `INSERT INTO events ("applicationId", kind, by, "databaseUser") VALUES ($1, 'link_revoked', 'Bob', 'bob')`;
    await expect(client.query(insert, [id])).rejects.toThrow("permission denied");
    await expect(client.query(`UPDATE events SET "databaseUser" = 'bob'`)).rejects.toThrow("permission denied");
    await client.query("SELECT set_config('session_authorization', 'bob', false)").catch(() => {});
    await client.query(`INSERT INTO events ("applicationId", kind, by) VALUES ($1, 'link_revoked', 'Bob')`, [id]);
  });
  const rows = await sql<{ databaseUser: string }>(
    `SELECT "databaseUser" FROM events WHERE "applicationId" = $1 AND by = 'Bob'`,
    [id],
  );
  expect(rows).toEqual([{ databaseUser: login(url) }]);
});
