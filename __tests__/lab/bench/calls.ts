import { createHash, randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import autocannon from "autocannon";
import { manyPeople } from "@/__tests__/lab/promises/support/many-applications";
import { landlord } from "@/__tests__/support/answers";
import type { App } from "@/__tests__/support/processes/app";
import { quantile } from "@/__tests__/support/processes/figures";
import { withConnection } from "@/lib/server/db/connection";
import { type Figure, rounds } from "./figures";
import type { Bench } from "./world";

const connections = 32;
const few = 1000;
const many = 5_000_000;
/** The clock ticks per second in /proc/PID/stat, the same on every Linux. */
const ticksPerSecond = 100;

type Call = "verify" | "save";

/** A connection of autocannon. */
interface Client extends NodeJS.EventEmitter {
  setRequests(requests: object[]): void;
}

interface Target {
  app: App;
  path: string;
}

/** Creates a database of applications. Each has three events and an opened link, whose token is derived from its mobile. */
async function createDatabase({ postgres }: Bench, name: string, applications: number): Promise<string> {
  const url = await postgres.createDatabase(name);
  await withConnection(url, async (client) => {
    // Triggers are off because the rows are valid. Commits are asynchronous because the rows need not survive a crash.
    await client.query("SET session_replication_role = replica; SET synchronous_commit = off");
    await client.query(manyPeople(applications));
    await client.query(
      `INSERT INTO links ("applicationId", "expiresAt", "openedAt")
       SELECT id, now() + interval '30 days', now() FROM applications`,
    );
    await client.query(
      `INSERT INTO link_tokens ("linkId", "tokenHash")
       SELECT l.id, sha256(translate(rtrim(encode(sha256(mobile::bytea), 'base64'), '='), '+/', '-_')::bytea)
       FROM links l JOIN applications a ON a.id = l."applicationId"`,
    );
    await client.query(
      `INSERT INTO events ("applicationId", "linkId", kind, detail)
       SELECT "applicationId", id, 'step_saved', 'step ' || step FROM links, generate_series(1, 3) AS step`,
    );
    await client.query("VACUUM ANALYZE");
    await client.query("CHECKPOINT");
  });
  return url;
}

const tokenOf = (n: number) =>
  createHash("sha256")
    .update(`614${String(n).padStart(8, "0")}`)
    .digest("base64url");

/** Request bodies for random drafts among this many applications. The drafts are those with even numbers. */
function bodiesOf(call: Call, applications: number): string[] {
  const anyToken = () => tokenOf(2 * randomInt(1, applications / 2));
  return Array.from({ length: few }, () =>
    JSON.stringify(call === "verify" ? { token: anyToken(), source: "ba" } : { token: anyToken(), data: landlord }),
  );
}

/** Sends a call for some seconds and requires a 2xx each time. Returns the rate and the time of each response. */
async function send({ app, path }: Target, bodies: string[], options: object = { duration: 2 }) {
  const headers = { "content-type": "application/json" };
  const requests = bodies.map((body) => ({ method: "POST", path, headers, body }));
  const milliseconds: number[] = [];
  const { non2xx, errors, duration } = await autocannon({
    url: app.url,
    connections,
    setupClient(client: Client) {
      // Connections begin at random places, so that they seldom save the same application at once.
      const first = randomInt(requests.length);
      client.setRequests([...requests.slice(first), ...requests.slice(0, first)]);
      client.on("response", (_status, _bytes, taken: number) => milliseconds.push(taken));
    },
    ...options,
  });
  if (non2xx + errors > 0) throw new Error(`${non2xx + errors} calls of ${path} were refused or not answered`);
  return { perSecond: milliseconds.length / duration, milliseconds };
}

/** Seconds of processor time of a process with all its threads. */
function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return (user + system) / ticksPerSecond;
}

/** Measures the throughput of a call, and records the processor milliseconds that the app spends on each. */
const rateOf = (target: Target, call: Call, processorMs: number[]) => async () => {
  const before = processorSeconds(target.app.pid);
  const { perSecond, milliseconds } = await send(target, bodiesOf(call, few));
  processorMs.push(((processorSeconds(target.app.pid) - before) * 1000) / milliseconds.length);
  return perSecond;
};

const paths = { verify: "/api/v1/user/verify-token", save: "/api/v1/user/submit-step-1" };
const plainCall = "the same call with Prisma and zod, without limits or evidence";
const leastTimes = { verify: 1.2, save: 2 };

export async function calls(bench: Bench): Promise<Figure[]> {
  const { startOn, startBaseline } = bench;
  const database = await createDatabase(bench, "calls", few);
  const [app, baseline] = await Promise.all([startOn(database), startBaseline(database)]);
  const figures: Figure[] = [];
  for (const call of ["verify", "save"] as const) {
    const ours = { app, path: paths[call] };
    const theirs = { app: baseline, path: `/api/${call}` };
    const processor: Record<"ours" | "theirs", number[]> = { ours: [], theirs: [] };
    for (const target of [ours, theirs]) await send(target, bodiesOf(call, few));
    const taken = await rounds(9, {
      ours: rateOf(ours, call, processor.ours),
      theirs: rateOf(theirs, call, processor.theirs),
    });
    figures.push(
      { what: `${call}: throughput`, baseline: plainCall, least: leastTimes[call], unit: "a second", ...taken },
      { what: `${call}: processor time`, baseline: plainCall, unit: "ms", ...processor },
    );
  }
  await Promise.all([app.end("SIGTERM"), baseline.end("SIGTERM")]);
  return figures;
}

/** Compares the p95 of saves at a steady rate among many applications with that among few. */
export async function large(bench: Bench): Promise<Figure[]> {
  const sizes = { few, many };
  const targets = {} as Record<keyof typeof sizes, Target>;
  for (const [name, applications] of Object.entries(sizes) as [keyof typeof sizes, number][]) {
    const database = await createDatabase(bench, name, applications);
    targets[name] = { app: await bench.startOn(database), path: paths.save };
    await send(targets[name], bodiesOf("save", applications));
  }
  const saves = (name: keyof typeof sizes) => async () => {
    const steady = { duration: 5, overallRate: 100 };
    return quantile((await send(targets[name], bodiesOf("save", sizes[name]), steady)).milliseconds, 0.95);
  };
  const taken = await rounds(5, { few: saves("few"), many: saves("many") });
  await Promise.all(Object.values(targets).map(({ app }) => app.end("SIGTERM")));
  const [at, atMany] = [few, many].map((applications) => `at ${applications.toLocaleString("en")} applications`);
  const what = "p95 of 100 saves a second";
  return [
    { what: `${what} ${at}`, unit: "ms", ours: taken.few },
    { what: `${what} ${atMany}`, baseline: at, unit: "ms", ours: taken.many, theirs: taken.few },
  ];
}

/** Measures the time from the start of the process to its first response to verify-token. */
export async function coldStart(bench: Bench): Promise<Figure[]> {
  const database = await createDatabase(bench, "start", few);
  const [body] = bodiesOf("verify", few);
  const started =
    (start: (probe: (app: Pick<App, "url">) => Promise<boolean>) => Promise<App>, path: string) => async () => {
      const headers = { "content-type": "application/json" };
      const begun = performance.now();
      const app = await start(async ({ url }) => {
        const response = await fetch(url + path, { method: "POST", headers, body }).catch(() => null);
        return response?.ok === true;
      });
      const elapsed = performance.now() - begun;
      await app.end("SIGKILL");
      return elapsed;
    };
  const { ours, theirs } = await rounds(9, {
    ours: started((probe) => bench.startOn(database, probe), paths.verify),
    theirs: started((probe) => bench.startBaseline(database, probe), "/api/verify"),
  });
  return [{ what: "cold start to the first verified answer", baseline: plainCall, unit: "ms", ours, theirs }];
}
