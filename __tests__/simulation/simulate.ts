import fc from "fast-check";
import { applicantSteps, fillIn, submitAll } from "./applicant-steps";
import { stopwatch } from "./clock";
import { progress, type Step } from "./command";
import { decisionSteps } from "./decision-steps";
import { endWorld } from "./final";
import { checkStep } from "./invariants";
import { invite, inviteSteps } from "./invite-steps";
import { operatorSteps } from "./operator-steps";
import { reportSteps } from "./report-steps";
import { upkeepSteps } from "./upkeep-steps";
import { workerSteps } from "./worker-steps";
import { type Stage, World } from "./world";

const mostSteps = 80;
const steps = [
  ...[...applicantSteps, ...reportSteps, ...inviteSteps, ...operatorSteps],
  ...[...decisionSteps, ...upkeepSteps, ...workerSteps],
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

/** How a world starts: what the day's cap of messages is, how many are invited, and how many of them have submitted. */
const start = fc.record({
  perDay: fc.constantFrom(5000, 5000, 1),
  invited: fc.integer({ min: 0, max: 3 }),
  submitted: fc.integer({ min: 0, max: 2 }),
});
type Start = typeof start extends fc.Arbitrary<infer T> ? T : never;

async function prepare(world: World, { invited, submitted }: Start): Promise<void> {
  for (let who = 0; who < invited; who += 1) {
    await invite(world, { hasEmail: true, sends: true, hold: 0 });
    await world.check();
    if (who < submitted) await submitAll(world, { who, which: 1, hold: 0 });
    else await fillIn(world, { who, which: 1 });
    await world.check();
  }
}

/** One world: a sequence of steps, and what becomes of everything afterwards. */
async function play(stage: Stage, given: Start, commands: Iterable<Step>): Promise<void> {
  const world = new World(stage, checkStep);
  await world.open(given.perDay);
  try {
    await prepare(world, given);
    await fc.asyncModelRun(() => ({ model: world, real: world }), commands);
    await endWorld(world);
  } finally {
    await world.leave();
  }
}

/** Runs worlds until so many steps are done, or one fails: that is shrunk for a while. */
export async function simulate(
  stage: Stage,
  {
    seed,
    steps: wanted,
    path,
    replay,
    shrinkMs = 60_000,
    until = Number.POSITIVE_INFINITY,
  }: {
    seed: number;
    steps: number;
    path?: string | undefined;
    replay?: string | undefined;
    shrinkMs?: number;
    /** By the stopwatch. */
    until?: number | undefined;
  },
): Promise<Run> {
  progress.steps = 0;
  let worlds = 0;
  let failedAt: number | undefined;
  const property = fc.asyncProperty(
    start,
    fc.commands(steps, { maxCommands: mostSteps, size: "max", ...(replay ? { replayPath: replay } : {}) }),
    async (given, commands) => {
      if (failedAt === undefined ? progress.steps >= wanted || stopwatch() > until : stopwatch() > failedAt + shrinkMs)
        return;
      worlds += 1;
      try {
        await play(stage, given, commands as Iterable<Step>);
      } catch (error) {
        failedAt ??= stopwatch();
        throw error;
      }
    },
  );
  // Some worlds are short.
  const numRuns = path === undefined ? Math.ceil(wanted / 5) + 10 : 1;
  const details = await fc.check(property, {
    seed,
    numRuns,
    ...(path === undefined ? {} : { path, endOnFailure: true }),
  });
  const run = { steps: progress.steps, worlds };
  if (!details.failed) return run;
  const [given, commands] = details.counterexample ?? [];
  const { errorInstance } = details as { errorInstance?: Error };
  return {
    ...run,
    failure: {
      seed,
      path: details.counterexamplePath ?? "",
      replay: /replayPath="([^"]*)"/.exec(String(commands))?.[1] ?? "",
      steps: [
        `${given?.invited} invited, ${given?.submitted} at most have submitted, at most ${given?.perDay} messages a day`,
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
    ...done.map((one, index) => `  ${index}. ${one}`),
    "",
    `To see it again: npm run simulate -- --seed ${seed} --path ${path} --replay '${replay}'`,
  ].join("\n");
}
