import type { App } from "@/__tests__/support/processes/app";
import { median } from "@/__tests__/support/processes/figures";
import type { Postgres } from "@/__tests__/support/processes/postgres";
import { filesIn } from "@/lib/embedded-postgres/cluster";
import { readPostmaster } from "@/lib/embedded-postgres/pg-ctl";
import { type Call, loadProcess, names, sendTo, warm } from "./load";
import { type Busy, busyDuring, family, withLoadApart } from "./processor-time";
import { rounds } from "./rounds";
import { compared, type Row } from "./table";

const times = 9;

const both = ["verify", "save"] as const;

const told = (busy: Busy[]) =>
  (["app", "postgres", "load"] as const).map((part) => median(busy.map((one) => one[part])).toFixed(2)).join(" + ");

/**
 * Two app processes against one. The load generator shares two cores with them, which a user's browser does not: the
 * processor time of each part is counted (/proc/PID/stat), and both rates are taken as they would be without its share.
 */
export async function ofProcesses(postgres: Postgres, applications: number, apps: [App, App]): Promise<Row[]> {
  const send = sendTo(applications);
  await warm(send, ...apps);
  const postmaster = readPostmaster(filesIn(postgres.folder))?.pid ?? 0;
  const noted: { name: string; rate: number; cores: Busy }[] = [];
  const apart =
    (call: Call, ...to: App[]) =>
    async () => {
      const pids = { app: to.map(({ pid }) => pid), postgres: family(postmaster), load: [loadProcess()] };
      const [rate, cores] = await busyDuring(pids, () => send(call, ...to));
      noted.push({ name: `${call}${to.length}`, rate, cores });
      return withLoadApart(rate, cores, to.length);
    };
  const taken = await rounds(times, {
    verify1: apart("verify", apps[0]),
    verify2: apart("verify", ...apps),
    save1: apart("save", apps[0]),
    save2: apart("save", ...apps),
  });
  return both.flatMap((call) => {
    const terms = { unit: "a second", ours: taken[`${call}2`], floors: taken[`${call}1`] };
    const [one, two] = [`${call}1`, `${call}2`].map((name) => noted.filter((each) => each.name === name));
    const [coresOfOne, coresOfTwo] = [one, two].map((taken = []) => told(taken.map(({ cores }) => cores)));
    const [rateOfOne, rateOfTwo] = [one, two].map((taken = []) => taken.map(({ rate }) => rate));
    return [
      compared({
        ...terms,
        what: `${names[call]}, two app processes on one Postgres, the load's share of the processor subtracted`,
        floor: `one. Cores of app + Postgres + load: ${coresOfOne} of one, ${coresOfTwo} of two`,
        least: 1.6,
      }),
      {
        ...compared({
          unit: "a second",
          what: "for comparison: the same with nothing subtracted",
          floor: "one",
          least: 0,
          ours: rateOfTwo ?? [],
          floors: rateOfOne ?? [],
        }),
        limit: "",
      },
    ];
  });
}
