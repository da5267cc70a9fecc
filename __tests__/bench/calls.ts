import { cpus } from "node:os";
import { median } from "@/__tests__/support/processes/figures";
import { startBareServer, statements } from "./floors";
import { busyCores, callsTo, seed, throughput } from "./load";
import { rounds } from "./rounds";
import { compared, type Row } from "./table";
import type { World } from "./world";

const times = 3;
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

export async function calls({ postgres, startOn, empty }: World): Promise<Row[]> {
  const [small, large] = [await postgres.createDatabase("few"), await postgres.createDatabase("many")];
  await seed(small, few);
  await seed(large, many);
  const [app, second, ofMany, bare] = await Promise.all([
    startOn(small),
    startOn(small),
    startOn(large),
    startBareServer(small),
  ]);
  const [toFew, toMany] = [callsTo(few), callsTo(many)];
  // Everything once, unmeasured: code is compiled, connections are open, pages are in memory.
  for (const call of ["verify", "save"] as const) {
    for (const { url } of [app, second]) await throughput({ urls: [url], ...toFew[call] }, 5);
    await throughput({ urls: [ofMany.url], ...toMany[call] }, 5);
  }
  const busy = {
    verify: await busyCores(() => throughput({ urls: [app.url], ...toFew.verify })),
    save: await busyCores(() => throughput({ urls: [app.url], ...toFew.save })),
  };
  const taken = await rounds(times, {
    empty: () => throughput({ urls: [empty.url], ...toFew.verify, path: "/api/empty" }),
    verify: () => throughput({ urls: [app.url], ...toFew.verify }),
    save: () => throughput({ urls: [app.url], ...toFew.save }),
    verifyOfMany: () => throughput({ urls: [ofMany.url], ...toMany.verify }),
    saveOfMany: () => throughput({ urls: [ofMany.url], ...toMany.save }),
    verifyOfTwo: () => throughput({ urls: [app.url, second.url], ...toFew.verify }),
    saveOfTwo: () => throughput({ urls: [app.url, second.url], ...toFew.save }),
    bare: () => throughput({ urls: [bare.url], ...toFew.verify }, 2),
    reads: () => statements(small, "read", few),
    writes: () => statements(small, "write", few),
  });
  bare.end();
  await Promise.all([app, second, ofMany].map((one) => one.end("SIGTERM")));
  const unit = "a second";
  const ofOne = { unit, floor: "empty Next route handler", least: 0.5, floors: taken.empty };
  return [
    compared({ ...ofOne, what: "verify-token, 32 connections", ours: taken.verify }),
    compared({ ...ofOne, what: "submit-step, 32 connections", ours: taken.save }),
    ...(["verify", "save"] as const).map((call) =>
      compared({
        unit,
        what: `${call === "verify" ? "verify-token" : "submit-step"} at 1,000,000 applications`,
        floor: "at 1,000",
        least: 0.9,
        ours: taken[`${call}OfMany`],
        floors: taken[call],
      }),
    ),
    ...(["verify", "save"] as const).map((call) =>
      compared({
        unit,
        what: `${call === "verify" ? "verify-token" : "submit-step"}, two app processes on one Postgres`,
        // App, Postgres and load share these cores: what one process leaves idle is all that a second can add.
        floor: `one, which keeps ${busy[call].toFixed(2)} of ${cpus().length} cores busy`,
        least: 1.4,
        ours: taken[`${call}OfTwo`],
        floors: taken[call],
      }),
    ),
    information("for comparison: verify-token's query behind bare node:http and pg", taken.bare),
    information("for comparison: prepared single-row reads on this Postgres", taken.reads),
    information("for comparison: prepared single-row writes on this Postgres", taken.writes),
  ];
}
