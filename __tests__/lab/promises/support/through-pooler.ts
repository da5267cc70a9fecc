import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { landlord } from "@/__tests__/support/answers";
import { invited } from "@/__tests__/support/invited";
import { call, submit } from "@/__tests__/support/processes/call";
import { tally } from "@/__tests__/support/processes/figures";
import { runCommand } from "@/__tests__/support/run-command";
import { withConnection } from "@/lib/server/db/connection";
import { expect, same } from "./expect";
import { startLoad } from "./load";
import { listOf } from "./sending";
import type { World } from "./world";

/** Runs the app through a transaction pooler: a journey, a load, a row that is locked too long, and commands. */
export async function serveThrough(world: World, url: string): Promise<string> {
  const { start, database, sql } = world;
  const app = await start({ database: url });
  const { token } = await invited();
  await submit(app, token);

  const load = await startLoad(app, 20);
  await sleep(2000);
  await load.stop();
  same(tally(load.statuses), `${load.statuses.length} × 200`, "saves through PgBouncer");

  const { token: locked, id } = await invited({ firstName: "Ada" });
  await withConnection(database, async (client) => {
    await client.query("BEGIN");
    await client.query("SELECT FROM applications WHERE id = $1 FOR UPDATE", [id]);
    const late = { token: locked, data: { ...landlord, firstName: "Late" } };
    const { status, milliseconds } = await call(app, "submit-step-1", late);
    expect(status === 503 && milliseconds < 3000, `a save of a locked row: ${status} after ${milliseconds} ms`);
    await client.query("COMMIT");
  });
  await sleep(500);
  const [row] = await sql(`SELECT "firstName" FROM applications WHERE id = $1`, [id]);
  same(row?.firstName, "Ada", "a name whose save was answered 503 while the row was locked");

  const args = ["--mobile", "61412345678", "--allow-duplicates"];
  const invitation = await runCommand("invite", args, { DATABASE_URL: url });
  same(invitation.code, 0, "exit code of an invitation through PgBouncer");
  await listTwice(world, url);
  const { code, err } = await runCommand("migrate", [], { DATABASE_URL: url });
  expect(code === 1 && err.includes("the database's own address"), `migrate through PgBouncer: ${err}`);
  return `${load.statuses.length} saves`;
}

/** Invites one list twice at once. The list's lock belongs to a transaction, which a pooler keeps on one session. */
async function listTwice({ folder: newFolder, sql }: World, url: string): Promise<void> {
  const folder = newFolder();
  const count = 2000;
  const csv = listOf(count, folder, false);
  const invite = (out: string) => {
    const args = ["--csv", csv, "--out", join(folder, out), "--batch", "pooled", "--allow-duplicates"];
    return runCommand("invite", args, { DATABASE_URL: url });
  };
  const runs = await Promise.all([invite("a.csv"), invite("b.csv")]);
  const refused = runs.filter(({ err }) => err.startsWith("Another list run by"));
  same([refused.length, runs.filter(({ code }) => code === 0).length], [1, 1], "a list twice at once, by PgBouncer");
  const created = await sql("SELECT FROM applications WHERE batch = 'pooled'");
  same(created.length, count, "applications of a list twice at once, by PgBouncer");
}
