import { cpus } from "node:os";
import type { App } from "@/__tests__/support/processes/app";
import { median } from "@/__tests__/support/processes/figures";
import { startBareServer, statements } from "./floors";
import { busyCores, callsTo, endLoad, seed, throughput } from "./load";
import { rounds } from "./rounds";
import { compared, type Row } from "./table";
import type { World } from "./world";

const few = 1000;
const many = 1_000_000;
const unit = "a second";

const names = { verify: "verify-token", save: "submit-step" } as const;
type Call = keyof typeof names;
const both = ["verify", "save"] as const;

function sendTo(applications: number) {
  const load = callsTo(applications);
  return (call: Call, ...apps: App[]) => throughput({ urls: apps.map(({ url }) => url), ...load[call] });
}

type Send = ReturnType<typeof sendTo>;

/** Unmeasured warm-up: compiles code, opens connections, fills caches. */
async function warm(send: Send, ...apps: App[]): Promise<void> {
  for (const call of both) for (const app of apps) await send(call, app);
}

function information(what: string, taken: number[]): Row {
  const [least, most] = [Math.min(...taken), Math.max(...taken)].map((value) => value.toFixed(0));
  return {
    what,
    floor: "",
    limit: "",
    measured: `${median(taken).toFixed(0)} ${unit}`,
    spread: `${least}–${most}`,
    verdict: "kept",
  };
}

/** Throughput of one process and of two, each pair measured side by side with the empty app's. */
async function ofProcesses(small: string, apps: [App, App], empties: [App, App]): Promise<Row[]> {
  const send = sendTo(few);
  const bare = await startBareServer(small);
  const load = callsTo(few).verify;
  const toEmpty = (...to: App[]) => throughput({ ...load, urls: to.map(({ url }) => url), path: "/api/empty" });
  await warm(send, ...apps);
  await toEmpty(...empties);
  const [app] = apps;
  const busy = {
    verify: await busyCores(() => send("verify", app)),
    save: await busyCores(() => send("save", app)),
  };
  const taken = await rounds(7, {
    empty: () => toEmpty(empties[0]),
    emptyOfTwo: () => toEmpty(...empties),
    verify: () => send("verify", app),
    verifyOfTwo: () => send("verify", ...apps),
    save: () => send("save", app),
    saveOfTwo: () => send("save", ...apps),
    bare: () => throughput({ ...load, urls: [bare.url] }, 1),
    reads: () => statements(small, "read", few),
    writes: () => statements(small, "write", few),
  });
  bare.end();
  return [
    ...both.map((call) =>
      compared({
        unit,
        what: `${names[call]}, 32 connections`,
        floor: "empty Next route handler",
        least: 0.5,
        ours: taken[call],
        floors: taken.empty,
      }),
    ),
    ...both.map((call) =>
      compared({
        unit,
        what: `${names[call]}, two app processes on one Postgres`,
        // App, Postgres and load generator share the cores: a second process can only use what the first leaves idle.
        floor: `one, which keeps ${busy[call].toFixed(2)} of ${cpus().length} cores busy`,
        least: 1.4,
        ours: taken[`${call}OfTwo`],
        floors: taken[call],
      }),
    ),
    {
      ...compared({
        unit,
        what: "for comparison: two empty Next apps",
        floor: "one",
        least: 0,
        ours: taken.emptyOfTwo,
        floors: taken.empty,
      }),
      limit: "",
    },
    information("for comparison: verify-token's query behind bare node:http and pg", taken.bare),
    information("for comparison: prepared single-row reads on this Postgres", taken.reads),
    information("for comparison: prepared single-row writes on this Postgres", taken.writes),
  ];
}

async function ofAMillion(ofFew: App, ofMany: App): Promise<Row[]> {
  const [toFew, toMany] = [sendTo(few), sendTo(many)];
  for (let n = 0; n < 2; n += 1) await warm(toMany, ofMany);
  const taken = await rounds(5, {
    verifyOfFew: () => toFew("verify", ofFew),
    verifyOfMany: () => toMany("verify", ofMany),
    saveOfFew: () => toFew("save", ofFew),
    saveOfMany: () => toMany("save", ofMany),
  });
  return both.map((call) =>
    compared({
      unit,
      what: `${names[call]} at 1,000,000 applications`,
      floor: "at 1,000",
      least: 0.9,
      ours: taken[`${call}OfMany`],
      floors: taken[`${call}OfFew`],
    }),
  );
}

export async function calls({ postgres, startOn, empty, emptyApp }: World): Promise<Row[]> {
  const small = await postgres.createDatabase("few");
  await seed(small, few);
  const apps = await Promise.all([startOn(small), startOn(small)]);
  const otherEmpty = await emptyApp.start();
  const rows = await ofProcesses(small, apps, [empty, otherEmpty]);
  await Promise.all([apps[1], otherEmpty].map((one) => one.end("SIGTERM")));

  // Last, since autovacuum and writeback keep the machine busy for a while after so many inserts.
  const large = await postgres.createDatabase("many");
  await seed(large, many);
  const ofMany = await startOn(large);
  rows.push(...(await ofAMillion(apps[0], ofMany)));
  await Promise.all([apps[0], ofMany].map((one) => one.end("SIGTERM")));
  endLoad();
  return rows;
}
