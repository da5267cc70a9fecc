import fc from "fast-check";
import { applicantSteps, fillIn, submitAll } from "./applicant-steps";
import { stopwatch } from "./clock";
import { progress, type Step } from "./command";
import { decisionSteps } from "./decision-steps";
import { deskSteps } from "./desk-steps";
import { finishWorld } from "./final";
import { checkStep } from "./invariants";
import { invite, inviteSteps } from "./invite-steps";
import { operatorSteps } from "./operator-steps";
import { reportSteps } from "./report-steps";
import { twoActorSteps } from "./two-actor-steps";
import { upkeepSteps } from "./upkeep-steps";
import { workerSteps } from "./worker-steps";
import { type Environment, World } from "./world";

const mostSteps = 80;
const steps = [
  ...[...applicantSteps, ...reportSteps, ...inviteSteps, ...operatorSteps],
  ...[...decisionSteps, ...deskSteps, ...upkeepSteps, ...workerSteps, ...twoActorSteps],
];

export interface Failure {
  seed: number;
  path: string;
  replay: string;
  steps: string[];
  reason: string;
}

export interface Run {
  steps: number;
  worlds: number;
  failure?: Failure;
}

/** How a world starts: the daily cap of messages, the number of persons invited, and how many of them have submitted. */
const start = fc.record({
  perDay: fc.constantFrom(5000, 5000, 1),
  invited: fc.integer({ min: 0, max: 3 }),
  submitted: fc.integer({ min: 0, max: 2 }),
});
type Start = typeof start extends fc.Arbitrary<infer T> ? T : never;

async function prepare(world: World, { invited, submitted }: Start): Promise<void> {
  for (let personNumber = 0; personNumber < invited; personNumber += 1) {
    await invite(world, { hasEmail: true, sends: true, hold: 0 });
    await world.check();
    if (personNumber < submitted) await submitAll(world, { personNumber, which: 1, hold: 0 });
    else await fillIn(world, { personNumber, which: 1 });
    await world.check();
  }
}

/** Plays one world: its steps, and its end, in which everything is released, sent and checked. */
async function play(environment: Environment, setup: Start, commands: Iterable<Step>): Promise<void> {
  const world = new World(environment, checkStep);
  await world.open(setup.perDay);
  try {
    await prepare(world, setup);
    await fc.asyncModelRun(() => ({ model: world, real: world }), commands);
    await finishWorld(world);
  } finally {
    await world.leave();
  }
}

interface Limits extends Pick<Failure, "seed">, Partial<Pick<Failure, "path" | "replay">> {
  steps: number;
  shrinkMs: number;
  /** The deadline, by the stopwatch. */
  until?: number;
}

/** Runs worlds until the number of steps is done or a world fails. A failure is shrunk for up to `shrinkMs`. */
export async function simulate(environment: Environment, { steps: target, shrinkMs, ...limits }: Limits): Promise<Run> {
  const { seed, path, replay, until = Number.POSITIVE_INFINITY } = limits;
  progress.steps = 0;
  let worlds = 0;
  let failedAt: number | undefined;
  const property = fc.asyncProperty(
    start,
    fc.commands(steps, { maxCommands: mostSteps, size: "max", ...(replay ? { replayPath: replay } : {}) }),
    async (setup, commands) => {
      if (failedAt === undefined) fc.pre(progress.steps < target && stopwatch() <= until);
      else if (stopwatch() > failedAt + shrinkMs) return;
      worlds += 1;
      try {
        await play(environment, setup, commands as Iterable<Step>);
      } catch (error) {
        failedAt ??= stopwatch();
        throw error;
      }
    },
  );
  // Some worlds are short, so there are enough runs for five steps each.
  const numRuns = path === undefined ? Math.ceil(target / 5) + 10 : 1;
  const details = await fc.check(property, {
    seed,
    numRuns,
    // The first world that is skipped ends the run. Generating all the others would take minutes.
    maxSkipsPerRun: 0,
    ...(path === undefined ? {} : { path, endOnFailure: true }),
  });
  const run = { steps: progress.steps, worlds };
  if (!details.counterexample) return run;
  const [setup, commands] = details.counterexample;
  const { errorInstance } = details as { errorInstance?: Error };
  return {
    ...run,
    failure: {
      seed,
      path: details.counterexamplePath ?? "",
      replay: /replayPath="([^"]*)"/.exec(String(commands))?.[1] ?? "",
      steps: [
        `${setup?.invited} invited, ${setup?.submitted} at most have submitted, at most ${setup?.perDay} messages a day`,
        ...String(commands)
          .replace(/\s*\/\*.*$/, "")
          .split(","),
      ],
      reason: errorInstance?.name === "Violation" ? errorInstance.message : String(errorInstance?.stack),
    },
  };
}

export function described({ seed, path, replay, steps: done, reason }: Failure): string {
  return [
    reason,
    "",
    ...done.map((step, index) => `  ${index}. ${step}`),
    "",
    `To see it again: npm run simulate -- --seed ${seed} --path ${path} --replay '${replay}'`,
  ].join("\n");
}
