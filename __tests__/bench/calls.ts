import type { App } from "@/__tests__/support/processes/app";
import { median } from "@/__tests__/support/processes/figures";
import { startBareServer, statements } from "./floors";
import { callsTo, endLoad, names, sendTo, throughput, warm } from "./load";
import { ofProcesses } from "./processes";
import { rounds } from "./rounds";
import { seed } from "./seed";
import { compared, type Row } from "./table";
import type { World } from "./world";

const applications = 1000;
const times = 9;
const unit = "a second";

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

/** Calls of one process, in turn with an empty route handler and what else bounds them. */
async function ofOne(database: string, app: App, empty: App): Promise<Row[]> {
  const send = sendTo(applications);
  const bare = await startBareServer(database);
  const load = callsTo(applications).verify;
  const toEmpty = () => throughput({ ...load, urls: [empty.url], path: "/api/empty" });
  await warm(send, app);
  await toEmpty();
  const taken = await rounds(times, {
    empty: toEmpty,
    verify: () => send("verify", app),
    save: () => send("save", app),
    bare: () => throughput({ ...load, urls: [bare.url] }, 1),
    reads: () => statements(database, "read", applications),
    writes: () => statements(database, "write", applications),
  });
  bare.end();
  const least = { verify: 0.75, save: 0.65 };
  return [
    ...(["verify", "save"] as const).map((call) =>
      compared({
        unit,
        what: `${names[call]}, 32 connections`,
        floor: "empty Next route handler",
        least: least[call],
        ours: taken[call],
        floors: taken.empty,
      }),
    ),
    information("for comparison: verify-token's query behind bare node:http and pg", taken.bare),
    information("for comparison: prepared single-row reads on this Postgres", taken.reads),
    information("for comparison: prepared single-row writes on this Postgres", taken.writes),
  ];
}

export async function calls({ postgres, startOn, empty }: World): Promise<Row[]> {
  const database = await postgres.createDatabase("calls");
  await seed(database, applications);
  const apps = await Promise.all([startOn(database), startOn(database)]);
  const rows = [...(await ofOne(database, apps[0], empty)), ...(await ofProcesses(postgres, applications, apps))];
  await Promise.all(apps.map((one) => one.end("SIGTERM")));
  endLoad();
  return rows;
}
