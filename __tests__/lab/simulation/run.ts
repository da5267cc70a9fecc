import { randomInt } from "node:crypto";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { cleanUpOnTermination } from "@/__tests__/support/processes/clean-up-on-termination";
import { startRunDatabase } from "@/__tests__/support/start-run-database";
import { stopwatch } from "./clock";
import { simulationDatabase } from "./database";
import { findFaults, runInProcess } from "./find-faults";
import { described, simulate } from "./simulate";
import { openEnvironment } from "./world";

const usage = `Simulates operations, and checks the invariants after each step (docs/contributing.md).

  npm run simulate -- [--seed N] [--steps N] [--minutes N] [--processes N] [--shrink-seconds N]
  npm run simulate -- --seed N --path PATH --replay STEPS      replays a failure
  npm run simulate -- --faults [--name WORDS] [--minutes N]    checks that each planted fault is found within 5 minutes`;

function readFlags() {
  const { values } = parseArgs({
    options: {
      seed: { type: "string" },
      steps: { type: "string", default: "1000" },
      path: { type: "string" },
      replay: { type: "string" },
      minutes: { type: "string" },
      processes: { type: "string" },
      "shrink-seconds": { type: "string", default: "60" },
      faults: { type: "boolean", default: false },
      name: { type: "string" },
      help: { type: "boolean" },
    },
  });
  return values;
}

async function main(): Promise<void> {
  const values = readFlags();
  if (values.help) return console.log(usage);
  const seed = Number(values.seed ?? randomInt(2 ** 31));
  console.log(`Seed ${seed}`);
  // The process that started this one has ended.
  process.once("disconnect", () => process.exit(1));
  const server = await startRunDatabase();
  cleanUpOnTermination(server.stop);
  const processes = Number(values.processes ?? (values.path ? 1 : availableParallelism()));
  const isGood = values.faults
    ? await findFaults(server.serverUrl, { name: values.name, seed, minutes: values.minutes ?? "5" })
    : processes > 1
      ? await simulateInProcesses(server.serverUrl, processes, { ...values, seed })
      : await simulateOn(server, { ...values, seed });
  await server.stop();
  process.exit(isGood ? 0 : 1);
}

/** Splits the steps evenly among the processes. Each process has its own seed. */
async function simulateInProcesses(serverUrl: string, count: number, options: RunOptions): Promise<boolean> {
  const started = stopwatch();
  const { steps, minutes, "shrink-seconds": shrinkSeconds } = options;
  const limits = ["--steps", `${Math.ceil(Number(steps) / count)}`, "--shrink-seconds", shrinkSeconds];
  if (minutes) limits.push("--minutes", minutes);
  const shares = Array.from({ length: count }, (_, number) => ["--seed", `${options.seed + number}`, ...limits]);
  const runs = await Promise.all(
    shares.map(async (flags) => {
      const run = await runInProcess(process.cwd(), serverUrl, flags);
      console.log(run.output.trim());
      return run;
    }),
  );
  console.log(`${((stopwatch() - started) / 60_000).toFixed(1)} minutes in all.`);
  return runs.every(({ code }) => code === 0);
}

type RunOptions = Omit<ReturnType<typeof readFlags>, "seed"> & { seed: number };

async function simulateOn(server: Parameters<typeof simulationDatabase>[0], options: RunOptions): Promise<boolean> {
  const database = await simulationDatabase(server);
  const environment = await openEnvironment(database);
  const started = stopwatch();
  const until = options.minutes ? started + Number(options.minutes) * 60_000 : undefined;
  const { seed, path, replay } = options;
  const shrinkMs = Number(options["shrink-seconds"]) * 1000;
  const limits = { seed, steps: Number(options.steps), path, replay, shrinkMs, until };
  const { steps, worlds, failure } = await simulate(environment, limits);
  const seconds = (stopwatch() - started) / 1000;
  const msPerStep = ((seconds * 1000) / Math.max(1, steps)).toFixed(1);
  console.log(
    `${steps} steps in ${worlds} worlds, ${seconds.toFixed(1)} s, ${msPerStep} ms each: ${failure ? 1 : 0} violations`,
  );
  if (failure) console.log(described(failure));
  await environment.close();
  await database.drop();
  return failure === undefined;
}

main();
