import { freePort } from "@/__tests__/support/processes/app";
import { runCommand } from "@/__tests__/support/run-command";
import { referenceOf, submittedEach } from "./seed";
import type { Row } from "./table";
import type { World } from "./world";

const most = 2;

/** What operations run on one application, on those of today, or to find somebody. None reads every application. */
function commandsOn(applications: number): string[][] {
  const submitted = referenceOf(applications - submittedEach);
  const draft = referenceOf(Math.round(applications / 2) + 1);
  return [
    ["applications", "list", "--since", "today"],
    ["applications", "list", "--status", "submitted"],
    ["applications", "show", submitted],
    ["applications", "find", submitted],
    ["applications", "find", "0412 345 678"],
    ["applications", "find", "Nobody", "Ofthatname"],
    ["export", "--since", "today"],
    ["consent", "verify", submitted],
    ["status", submitted, "in-review", "--by", "bench"],
    ["links", "revoke", draft, "--by", "bench"],
    ["links", "reissue", draft, "--by", "bench"],
    ["person", "export", submitted],
    ["person", "erase", draft, "--by", "bench"],
    ["messages", "list"],
    ["webhooks", "list", "--since", "today"],
    ["suppressions", "check", "somebody@example.com"],
    ["invite", "--mobile", "61412345678", "--by", "bench"],
  ];
}

interface Timed {
  what: string;
  seconds: number;
}

/** What fails, by a time-out for instance, is never over. */
async function timed(what: string, work: () => Promise<void>): Promise<Timed> {
  const begun = performance.now();
  const isDone = await work().then(
    () => true,
    (error: Error) => console.error(error.message),
  );
  return { what, seconds: isDone ? (performance.now() - begun) / 1000 : Number.POSITIVE_INFINITY };
}

/** Each command as its own process, with the time-outs that it has by default. */
export async function operations({ startOn }: World, database: string, applications: number): Promise<Row> {
  const env = { DATABASE_URL: database, OPERATIONS_DATABASE_URL: "", DATABASE_TIMEOUT_MS: "" };
  const taken: Timed[] = [];
  for (const [name = "", ...args] of commandsOn(applications))
    taken.push(
      await timed([name, ...args].join(" "), async () => {
        const { code, err } = await runCommand(name, args, env);
        if (code !== 0) throw new Error(`${name} ${args.join(" ")}: ${err}`);
      }),
    );
  const metricsPort = await freePort();
  const app = await startOn(database, { METRICS_PORT: String(metricsPort) });
  for (const url of [`http://127.0.0.1:${metricsPort}/metrics`, `${app.url}/api/ready`])
    taken.push(
      await timed(new URL(url).pathname, async () => {
        const { ok } = await fetch(url);
        if (!ok) throw new Error(`${url} failed`);
      }),
    );
  await app.end("SIGTERM");
  const [slowest, ...others] = taken.sort((one, other) => other.seconds - one.seconds);
  for (const { what, seconds } of taken) console.error(`${seconds.toFixed(2)} s  ${what}`);
  return {
    what: `the slowest of ${taken.length} commands and addresses of operations there`,
    floor: "",
    limit: `≤ ${most} s`,
    measured: `${slowest?.seconds.toFixed(2)} s (${slowest?.what})`,
    spread: `${others.at(-1)?.seconds.toFixed(2)}–${slowest?.seconds.toFixed(2)} s`,
    verdict: (slowest?.seconds ?? 0) <= most ? "kept" : "missed",
  };
}
