import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "csv-parse/sync";
import { hashes } from "@/__tests__/promises/support/dump";
import { expect, same } from "@/__tests__/promises/support/expect";
import { newServer, urlsIn } from "@/__tests__/promises/support/new-server";
import { isHealthy } from "@/__tests__/support/processes/app";
import { call } from "@/__tests__/support/processes/call";
import { tally } from "@/__tests__/support/processes/figures";
import { withClient } from "@/__tests__/support/processes/postgres";
import { several } from "@/__tests__/support/processes/several";
import { command, type Place } from "./deployed";
import { differences, type Journeys, type Landlord, lostIn, readLinks, travel } from "./landlords";

/** A file of so many invitations, numbered on from those that are there. */
function csvOf({ folder, landlords: { length } }: Place, count: number): string {
  const file = join(folder, `from-${length}.csv`);
  const rows = Array.from({ length: count }, (_, n) => `04${String(length + n).padStart(8, "0")},Ada,Lovelace,ba`);
  writeFileSync(file, `mobile,first-name,last-name,source\n${rows.join("\n")}\n`);
  return file;
}

const invite = (place: Place, csv: string, out: string) =>
  place.attempt("invite", "--csv", csv, "--out", out, "--batch", "spring", "--by", "Ines");

/** The next landlords who have not begun. */
const fresh = ({ landlords }: Place, count: number) =>
  landlords.filter(({ saved }) => Object.keys(saved).length === 0).slice(0, count);
const submitted = ({ landlords }: Place) => landlords.filter(({ submittedAt }) => submittedAt);

const summary = ({ submitted: count, calls, refusals }: Journeys) =>
  `${count} journeys submitted with ${calls} calls, ${refusals.length === 0 ? "none refused" : `repeated after ${tally(refusals.sort())}`}`;

async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const begun = Date.now(); !(await holds()); await sleep(50))
    expect(Date.now() - begun < 30_000, `not within 30 s: ${what}`);
}

/** One of each kind of loss. */
const its = `"applicationId" = (SELECT id FROM applications WHERE reference = $1)`;
const losses = [
  "DELETE FROM applications WHERE reference = $1",
  `DELETE FROM link_tokens WHERE "linkId" IN (SELECT id FROM links WHERE ${its})`,
  `UPDATE applications SET "agencyName" = '' WHERE reference = $1`,
  `UPDATE applications SET "leaseEndDate" = "leaseEndDate" - 1 WHERE reference = $1`,
  "UPDATE applications SET status = 'draft' WHERE reference = $1",
  `DELETE FROM consent_records WHERE ${its}`,
  `DELETE FROM events WHERE kind = 'submitted' AND ${its}`,
  `INSERT INTO events ("applicationId", kind) SELECT id, 'submitted' FROM applications WHERE reference = $1`,
  `DELETE FROM events WHERE kind = 'status_changed' AND ${its}`,
];

/** The acts of a day in operations, in their order. Each returns what it did and counted. */
export const day: Record<string, (place: Place) => Promise<string>> = {
  async invite(place) {
    const out = join(place.folder, "links.csv");
    const { code, err } = await invite(place, csvOf(place, 20_000), out);
    same([code, err], [0, ""], "exit code and complaints of invite");
    place.landlords.push(...readLinks(out));
    same(place.landlords.length, 20_000, "links in the file");
    return "20,000 by CSV, 20,000 links in the file";
  },

  async "rolling restart"(place) {
    const { apps, start, front } = place;
    let restarts = 0;
    const journeys = await travel(front, fresh(place, 200), async (under) => {
      for (; !under.isOver || restarts < 2; restarts += 1) {
        const which = restarts % 2 ? 1 : 0;
        same(await apps[which].end("SIGTERM"), 0, "exit code of a restarted process");
        apps[which] = await start(apps[which].port);
        await sleep(1000);
      }
    });
    same(journeys.refusals, [], "calls refused under the rolling restart");
    return `${restarts} restarts, one process after the other: ${summary(journeys)}`;
  },

  async "full disk"(place) {
    const { apps, disk, server, front } = place;
    const csv = csvOf(place, 200);
    const out = join(disk.folder, "more-links.csv");
    const isReady = () => isHealthy(apps[0], "/api/ready");
    let failed = "";
    const journeys = await travel(front, fresh(place, 100), async (under) => {
      await until(() => under.submitted >= 20, "a fifth of the journeys");
      disk.fill();
      await until(() => under.refusals.length >= 20, "20 calls refused on a full disk");
      await until(async () => !(await isReady()), "unready on a full disk");
      const { code, err } = await invite(place, csv, out);
      same(code, 1, "exit code of invite on a full disk");
      failed = err.trim().split("\n").at(-1) ?? "";
      disk.free();
      await server.start();
      await until(isReady, "ready with room again");
    });
    const again = await invite(place, csv, out);
    same([again.code, again.err], [0, ""], "exit code and complaints of invite, run again");
    const more = readLinks(out);
    place.landlords.push(...more);
    same(more.length, 200, "links in the second file");
    return `${summary(journeys)}; invite said '${failed}', and run again issued ${more.length}`;
  },

  async "killed Postgres"(place) {
    const { server, front } = place;
    const journeys = await travel(front, fresh(place, 100), async () => {
      for (let kill = 0; kill < 3; kill += 1) {
        await sleep(1500);
        await server.kill();
        await sleep(500);
        await server.start();
      }
    });
    return `3 × kill -9: ${summary(journeys)}`;
  },

  async decide(place) {
    const decisions = ["approved", "declined", "in-review"];
    const chosen = submitted(place).slice(0, 9);
    await several(chosen.length, 2, async (n) => {
      const landlord = chosen[n] as Landlord;
      const status = decisions[n % 3] ?? "";
      await place.operate("status", landlord.reference, status, "--by", "Ines", "--reason", `Reason ${n}`);
      landlord.status = status;
      landlord.done.push(`status_changed ${status} Ines Reason ${n}`);
      const { body } = await call(place.front, "verify-token", { token: landlord.token });
      same(body.data?.status, status, "status that the link shows");
    });
    return `${chosen.length} by Ines, with reasons; the links show them`;
  },

  async export(place) {
    const out = join(place.folder, "applications.csv");
    await place.operate("export", "--out", out);
    const rows: Record<string, string>[] = parse(readFileSync(out, "utf8"), { columns: true, bom: true });
    const byReference = new Map(rows.map((row) => [row.reference, row]));
    const lost = place.landlords.flatMap(({ reference, status, saved }) =>
      differences({ reference, status, ...saved }, byReference.get(reference) ?? {}),
    );
    same([rows.length, lost], [place.landlords.length, []], "rows of the export, and what they lack");
    const { reference, saved } = submitted(place)[0] as Landlord;
    const personal = await place.operate("person", "export", reference);
    for (const value of Object.values(saved)) expect(personal.includes(value), `person export lacks ${value}`);
    return `${rows.length.toLocaleString("en")} rows, with every acknowledged answer; and all personal data of one`;
  },

  async erase(place) {
    const chosen = submitted(place).slice(6, 12);
    await several(chosen.length, 2, async (n) => {
      const landlord = chosen[n] as Landlord;
      await place.operate("person", "erase", landlord.reference, "--by", "Vera");
      landlord.isErased = true;
      landlord.done = [...landlord.done.map((one) => one.replace(/ Reason.*/, "")), "erased Vera"];
      const { status } = await call(place.front, "verify-token", { token: landlord.token });
      same(status, 401, "status of the link of an erased application");
    });
    return `${chosen.length} people, some after a decision`;
  },

  /** Promise 61 runs the deployment page's commands for it; here every row is compared with what was acknowledged. */
  async "back up, restore elsewhere"({ server, program, folder, landlords, start, undo }) {
    const elsewhere = await newServer(program);
    undo.push(elsewhere.stop);
    const dump = join(folder, "rent-advance.dump");
    const run = (name: string, ...args: string[]) =>
      execFileSync(join(program, "..", name), args, { stdio: "inherit" });
    const before = await withClient(server.owner, hashes);
    run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", `--file=${dump}`, server.owner);
    run("pg_restore", "--exit-on-error", "--no-owner", "--no-privileges", `--dbname=${elsewhere.owner}`, dump);
    const owner = { DATABASE_URL: elsewhere.owner };
    const app = await start(undefined, urlsIn(await command("roles", [], owner)).app);
    undo.push(() => app.end("SIGTERM"));
    const opened = landlords.filter(({ done }, n) => done.length > 0 || n % 500 === 0);
    await withClient(elsewhere.urlOf("lender"), async (client) => {
      same(await hashes(client), before, "row hashes after the restore");
      same(await lostIn(client, landlords), [], "lost by the restore");
      const victim = landlords.find(({ done, isErased }) => done.length > 0 && !isErased)?.reference;
      await client.query("SET session_replication_role = replica");
      for (const loss of losses) {
        await client.query("BEGIN");
        await client.query(loss, [victim]);
        const lost = await lostIn(client, landlords);
        expect(
          lost.some((one) => one.startsWith(`${victim}: `)),
          `not named: ${loss}`,
        );
        await client.query("ROLLBACK");
      }
    });
    for (const { token, status, reference, isErased } of opened) {
      const { body, ...answer } = await call(app, "verify-token", { token });
      const right = isErased ? [401, undefined] : [200, status];
      same([answer.status, body.data?.status], right, `what the link of ${reference} shows`);
    }
    const verified = (await command("consent", ["verify"], owner)).trim().split("\n").at(-1);
    return `a server without our users: every row as it was, ${verified} ${opened.length} links open; of ${losses.length} losses made there on purpose ${losses.length} were named`;
  },
};
