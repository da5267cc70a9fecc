import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, same } from "@/__tests__/promises/support/expect";
import { isHealthy } from "@/__tests__/support/processes/app";
import { tally } from "@/__tests__/support/processes/figures";
import type { Place } from "./deployed";
import { csvOf, invite, takeIn } from "./invitations";
import { type Journeys, travel } from "./journeys";

const travellers = 200;
const inTrouble = 100;
const more = 200;

/** The next landlords who have not begun. */
const fresh = ({ landlords }: Place, count: number) =>
  landlords.filter(({ saved }) => Object.keys(saved).length === 0).slice(0, count);

const told = ({ submitted: count, calls, refusals }: Journeys) =>
  `${count} journeys submitted with ${calls} calls, ${refusals.length === 0 ? "none refused" : `repeated after ${tally(refusals.sort())}`}`;

async function until(holds: () => boolean | Promise<boolean>, what: string, most = 30_000): Promise<void> {
  for (const begun = Date.now(); !(await holds()); await sleep(50))
    expect(Date.now() - begun < most, `not within ${most / 1000} s: ${what}`);
}

export async function rollingRestart(place: Place): Promise<string> {
  const { apps, start, front } = place;
  let restarts = 0;
  const journeys = await travel(front, fresh(place, travellers), async (under) => {
    for (; !under.isOver || restarts < 2; restarts += 1) {
      const which = restarts % 2 ? 1 : 0;
      same(await apps[which].end("SIGTERM"), 0, "exit code of a restarted process");
      apps[which] = await start(apps[which].port);
      await sleep(1000);
    }
  });
  same(journeys.refusals, [], "calls refused under the rolling restart");
  return `${restarts} restarts, one process after the other: ${told(journeys)}`;
}

export async function fullDisk(place: Place): Promise<string> {
  const { apps, disk, server, front } = place;
  const csv = csvOf(place, "more.csv", place.landlords.length, more);
  const out = join(disk.folder, "more-links.csv");
  const isReady = () => isHealthy(apps[0], "/api/ready");
  let failed = "";
  const journeys = await travel(front, fresh(place, inTrouble), async (under) => {
    await until(() => under.submitted >= inTrouble / 5, "a fifth of the journeys");
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
  same(takeIn(place, out), more, "links in the second file");
  return `${told(journeys)}; invite said '${failed}', and run again issued ${more}`;
}

export async function killedPostgres(place: Place): Promise<string> {
  const { server, front } = place;
  const kills = 3;
  const journeys = await travel(front, fresh(place, inTrouble), async () => {
    for (let n = 0; n < kills; n += 1) {
      await sleep(1500);
      await server.kill();
      await sleep(500);
      await server.start();
    }
  });
  return `${kills} × kill -9: ${told(journeys)}`;
}
