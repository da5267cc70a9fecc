import { createHash, randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import autocannon from "autocannon";
import { landlord } from "@/__tests__/support/answers";
import type { App } from "@/__tests__/support/processes/app";
import { bounded, compared, p95, type Row, rounds } from "./figures";
import { seed, submittedEach } from "./seed";
import type { World } from "./world";

const connections = 32;
const few = 1000;
const many = 5_000_000;
/** The clock ticks of /proc/PID/stat on every Linux. */
const ticksPerSecond = 100;

type Call = "verify" | "save";

interface Target {
  app: App;
  path: string;
}

const tokenOf = (n: number) => createHash("sha256").update(`bench${n}`).digest("base64url");

/** Bodies for unsubmitted applications of the seed, other ones each time. */
function bodiesOf(call: Call, applications: number): string[] {
  const anyToken = () => tokenOf(randomInt(applications / submittedEach) * submittedEach + 1);
  return Array.from({ length: few }, () =>
    JSON.stringify(call === "verify" ? { token: anyToken(), source: "ba" } : { token: anyToken(), data: landlord }),
  );
}

interface Load {
  seconds?: number;
  /** Requests a second; as many as possible without it. */
  rate?: number;
}

/** Sends a call for some seconds; every answer has to be a 2xx. Returns the rate and the time of each answer. */
async function send({ app, path }: Target, bodies: string[], { seconds = 2, rate }: Load = {}) {
  const headers = { "content-type": "application/json" };
  const requests = bodies.map((body) => ({ method: "POST", path, headers, body }));
  const milliseconds: number[] = [];
  let begun = 0;
  const options = {
    url: app.url,
    connections,
    duration: seconds,
    ...(rate ? { overallRate: rate } : {}),
    setupClient(client: autocannon.Client) {
      const first = Math.floor((begun++ * requests.length) / connections);
      client.setRequests([...requests.slice(first), ...requests.slice(0, first)]);
      client.on("response", (_status, _bytes, taken) => milliseconds.push(taken));
    },
  };
  const { non2xx, errors, duration, ...result } = await autocannon(options);
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} calls of ${path} were refused or not answered`);
  return { perSecond: result["2xx"] / duration, answered: result["2xx"], milliseconds };
}

/** Seconds of processor time of a process with all its threads. */
function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return (user + system) / ticksPerSecond;
}

/** Throughput of a call, and processor milliseconds of the app for each. */
async function measure(target: Target, call: Call): Promise<{ perSecond: number; processorMs: number }> {
  const before = processorSeconds(target.app.pid);
  const { perSecond, answered } = await send(target, bodiesOf(call, few));
  return { perSecond, processorMs: ((processorSeconds(target.app.pid) - before) * 1000) / answered };
}

const paths = { verify: "/api/v1/user/verify-token", save: "/api/v1/user/submit-step-1" };
const asATeam = "the same call with Prisma and zod, without limits or evidence";
const leastTimes = { verify: 1.2, save: 2 };

export async function calls({ postgres, startOn, startBaseline }: World): Promise<Row[]> {
  const database = await postgres.createDatabase("calls");
  await seed(database, few);
  const [app, baseline] = await Promise.all([startOn(database), startBaseline(database)]);
  const rows: Row[] = [];
  for (const call of ["verify", "save"] as const) {
    const ours = { app, path: paths[call] };
    const theirs = { app: baseline, path: `/api/${call}` };
    const processor: Record<"ours" | "theirs", number[]> = { ours: [], theirs: [] };
    const rateOf = (side: "ours" | "theirs", target: Target) => async () => {
      const { perSecond, processorMs } = await measure(target, call);
      processor[side].push(processorMs);
      return perSecond;
    };
    await send(ours, bodiesOf(call, few));
    await send(theirs, bodiesOf(call, few));
    const taken = await rounds(9, { ours: rateOf("ours", ours), theirs: rateOf("theirs", theirs) });
    const shared = { baseline: asATeam, least: leastTimes[call] };
    rows.push(
      compared({ ...shared, what: `${call}: throughput`, unit: "a second", ours: taken.ours, theirs: taken.theirs }),
      compared({ what: `${call}: processor time`, baseline: asATeam, unit: "ms", ...processor }),
    );
  }
  await Promise.all([app.end("SIGTERM"), baseline.end("SIGTERM")]);
  return rows;
}

/** p95 of saves at a steady rate among many applications, beside few. */
export async function large({ postgres, startOn }: World): Promise<Row[]> {
  const sizes = { few, many };
  const targets = {} as Record<keyof typeof sizes, Target>;
  for (const [name, applications] of Object.entries(sizes) as [keyof typeof sizes, number][]) {
    const database = await postgres.createDatabase(name);
    await seed(database, applications);
    targets[name] = { app: await startOn(database), path: paths.save };
    await send(targets[name], bodiesOf("save", applications));
  }
  const saves = (name: keyof typeof sizes) => async () =>
    p95((await send(targets[name], bodiesOf("save", sizes[name]), { seconds: 5, rate: 100 })).milliseconds);
  const taken = await rounds(5, { few: saves("few"), many: saves("many") });
  await Promise.all(Object.values(targets).map(({ app }) => app.end("SIGTERM")));
  const what = `p95 of 100 saves a second at ${many.toLocaleString("en")} applications`;
  return [
    bounded({
      what: `p95 of 100 saves a second at ${few.toLocaleString("en")} applications`,
      unit: "ms",
      ours: taken.few,
    }),
    compared({ what, baseline: `at ${few.toLocaleString("en")}`, unit: "ms", ours: taken.many, theirs: taken.few }),
  ];
}

/** From the start of the process to its first verified answer. */
export async function coldStart({ postgres, startOn, startBaseline }: World): Promise<Row[]> {
  const database = await postgres.createDatabase("start");
  await seed(database, few);
  const [body] = bodiesOf("verify", few);
  const started =
    (start: (probe: (app: Pick<App, "url">) => Promise<boolean>) => Promise<App>, path: string) => async () => {
      const headers = { "content-type": "application/json" };
      const begun = performance.now();
      const app = await start(({ url }) =>
        fetch(url + path, { method: "POST", headers, body }).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
      const taken = performance.now() - begun;
      await app.end("SIGKILL");
      return taken;
    };
  const { ours, theirs } = await rounds(9, {
    ours: started((probe) => startOn(database, probe), paths.verify),
    theirs: started((probe) => startBaseline(database, probe), "/api/verify"),
  });
  return [compared({ what: "cold start to the first verified answer", baseline: asATeam, unit: "ms", ours, theirs })];
}
