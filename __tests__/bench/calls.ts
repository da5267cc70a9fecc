import { cpus } from "node:os";
import type { App } from "@/__tests__/support/processes/app";
import { median } from "@/__tests__/support/processes/figures";
import { startBareServer, statements } from "./floors";
import { busyCores, callsTo, seed, throughput } from "./load";
import { rounds } from "./rounds";
import { compared, type Row } from "./table";
import type { World } from "./world";

const times = 5;
const few = 1000;
const many = 1_000_000;

function information(what: string, taken: number[]): Row {
  const [least, most] = [Math.min(...taken), Math.max(...taken)].map((value) => value.toFixed(0));
  return {
    what,
    floor: "",
    limit: "",
    measured: `${median(taken).toFixed(0)} a second`,
    spread: `${least}–${most}`,
    verdict: "kept",
  };
}

const names = { verify: "verify-token", save: "submit-step" } as const;

export async function calls({ postgres, startOn, empty, emptyApp }: World): Promise<Row[]> {
  const [small, large] = [await postgres.createDatabase("few"), await postgres.createDatabase("many")];
  await seed(small, few);
  await seed(large, many);
  const [app, second, ofFew, ofMany] = await Promise.all([small, small, small, large].map(startOn));
  const [otherEmpty, bare] = await Promise.all([emptyApp.start(), startBareServer(small)]);
  if (!app || !second || !ofFew || !ofMany) throw new Error("The app did not start.");
  const [toFew, toMany] = [callsTo(few), callsTo(many)];
  const load = { few: toFew, many: toMany };
  const send = (to: "few" | "many", call: "verify" | "save", ...apps: App[]) =>
    throughput({ urls: apps.map(({ url }) => url), ...load[to][call] });
  const toEmpty = (...apps: App[]) =>
    throughput({ urls: apps.map(({ url }) => url), ...toFew.verify, path: "/api/empty" });

  // Everything once, unmeasured: code is compiled, connections are open, pages are in memory.
  const busy = { verify: 0, save: 0 };
  for (const call of ["verify", "save"] as const) {
    for (const one of [second, ofFew, app]) {
      await send("few", call, one);
      busy[call] = await busyCores(() => send("few", call, one));
    }
    for (let n = 0; n < 2; n += 1) await send("many", call, ofMany);
  }
  await toEmpty(otherEmpty);
  const taken = await rounds(times, {
    empty: () => toEmpty(empty),
    verify: () => send("few", "verify", app),
    save: () => send("few", "save", app),
    verifyOfFew: () => send("few", "verify", ofFew),
    verifyOfMany: () => send("many", "verify", ofMany),
    saveOfFew: () => send("few", "save", ofFew),
    saveOfMany: () => send("many", "save", ofMany),
    emptyOfTwo: () => toEmpty(empty, otherEmpty),
    verifyOfTwo: () => send("few", "verify", app, second),
    saveOfTwo: () => send("few", "save", app, second),
    bare: () => throughput({ urls: [bare.url], ...toFew.verify }, 1),
    reads: () => statements(small, "read", few),
    writes: () => statements(small, "write", few),
  });
  bare.end();
  await Promise.all([app, second, ofFew, ofMany, otherEmpty].map((one) => one.end("SIGTERM")));
  const unit = "a second";
  const both = ["verify", "save"] as const;
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
        what: `${names[call]} at 1,000,000 applications`,
        floor: "at 1,000",
        least: 0.9,
        ours: taken[`${call}OfMany`],
        floors: taken[`${call}OfFew`],
      }),
    ),
    ...both.map((call) =>
      compared({
        unit,
        what: `${names[call]}, two app processes on one Postgres`,
        // App, Postgres and load share these cores: what one process leaves idle is all that a second can add.
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
