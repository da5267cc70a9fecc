import fc from "fast-check";
import { submittedStatuses } from "@/lib/domain/journey";
import { type Claimed, claim } from "@/lib/server/messages/claim";
import { attempt } from "@/lib/server/messages/worker";
import { chosen, expectNoError, hasPersons, hold, holdAttempt, step, who } from "./command";
import { decide, hasSubmitted } from "./decision-steps";
import { answers, type Behaviour, behaviours, type Channel } from "./providers";
import type { Operation } from "./scheduler";
import type { World } from "./world";

const minute = 60_000;

interface Round {
  worker: number;
  channel: Channel;
  most: number;
  behaviour: Behaviour;
  /** Before which statement the claim is held, and each attempt. */
  hold: number;
  holdAttempts: number;
}

/** One round of a worker: it claims, and then sends each message; the product's own functions. */
export async function round(
  world: World,
  { worker, channel, most, behaviour, hold, holdAttempts }: Round,
): Promise<void> {
  const actor = `worker ${worker}`;
  const leaseEnds = world.now() + minute;
  const begin = (operation: Operation, claimed: Claimed[] | undefined) => {
    expectNoError(world, operation);
    for (const message of claimed ?? []) {
      const name = `${actor} sends ${message.kind} ${message.number}`;
      const sending = world.start(
        { name, actor, holdBefore: holdAttempts },
        () => attempt(world.stage.worker, message),
        (ended, outcome) => {
          expectNoError(world, ended);
          if (outcome === "failure" && !ended.isDisturbed) world.fail(`${name} failed.`);
        },
      );
      world.providers.behaviourOf.set(sending, behaviour);
      world.sendings.set(sending, {
        message: message.id,
        attempt: message.attempt,
        leaseEnds,
        claimBegan: operation.began,
      });
    }
  };
  await world.run(
    { name: `${actor} claims ${channel}`, actor, holdBefore: hold },
    () => claim(world.stage.worker, channel, most),
    begin,
  );
}

const worker = fc.integer({ min: 0, max: 1 });
const channel = fc.constantFrom("email" as const, "sms" as const, "webhook" as const);
const most = fc.constantFrom(1, 3, 10);

const rounds = step(
  "round",
  {
    worker,
    channel,
    most,
    hold,
    holdAttempts: holdAttempt,
    behaviour: fc.constantFrom(...behaviours, "answers" as const, "answers" as const),
  },
  round,
);

/** Both workers claim at the same time: one of them is held before its n-th statement, until the other has claimed. */
const roundsAtOnce = step(
  "two rounds at once",
  { channel, most, hold: fc.integer({ min: 2, max: 7 }) },
  async (world, given) => {
    const usual = { ...given, holdAttempts: 0, behaviour: "answers" as const };
    await round(world, { ...usual, worker: 0 });
    const claiming = held(world).findLast(({ name }) => name === `worker 0 claims ${given.channel}`);
    await round(world, { ...usual, worker: 1, hold: 0 });
    if (claiming?.state === "held") world.scheduler.release(claiming);
    await world.scheduler.settle();
  },
);

const held = (world: World) => world.scheduler.operations.filter(({ state }) => state === "held");
const which = fc.nat({ max: 5 });

const releases = step(
  "release",
  { which, statements: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3 })) },
  async (world, given) => {
    const all = held(world);
    world.scheduler.release(all[given.which % all.length] as Operation, given.statements);
    await world.scheduler.settle();
  },
  (world) => held(world).length > 0,
);

const answersLate = step(
  "answer of a provider",
  { which, answer: fc.constantFrom(...answers) },
  async (world, given) => {
    const all = world.providers.stalled();
    world.providers.answer(all[given.which % all.length] as (typeof all)[number], given.answer);
    await world.scheduler.settle();
  },
  (world) => world.providers.stalled().length > 0,
);

const kills = step(
  "kill",
  { which },
  async (world, given) => {
    const actors = world.scheduler.underWay();
    const victim = actors[given.which % actors.length] as Operation;
    for (const one of actors)
      if (one === victim || (victim.actor !== "" && one.actor === victim.actor)) await world.kill(one);
    await world.scheduler.settle();
  },
  (world) => world.scheduler.underWay().length > 0,
);

const restarts = step(
  "restart Postgres",
  // Seldom: every connection is opened again, which takes as long as several steps.
  { chance: fc.nat({ max: 2 }) },
  async (world) => {
    await world.restart();
    await world.scheduler.settle();
  },
  (_world, { chance }) => chance === 0,
);

const hour = 60 * minute;
const day = 24 * hour;
const jumps = [
  13_000,
  67_000,
  7 * minute,
  17 * minute,
  2.6 * hour,
  9 * hour,
  26 * hour,
  3.1 * day,
  8 * day,
  32 * day,
  200 * day,
];

/** A provider that has not answered for a minute is given up, unless its worker is suspended. */
export async function passTime(world: World, ms: number): Promise<void> {
  if (ms >= minute) {
    for (const contact of world.providers.stalled()) world.providers.answer(contact, "drops");
    await world.scheduler.settle();
  }
  await world.jump(ms);
}

const timePasses = step("time passes", { ms: fc.constantFrom(...jumps) }, (world, { ms }) => passTime(world, ms));

/** The status is changed and changed back while the mail server has not answered yet; then it puts the first email off. */
const changesWhileSent = step(
  "the status changes and changes back while its email is being sent",
  { who, worker, status: fc.constantFrom(...submittedStatuses), other: fc.constantFrom(...submittedStatuses) },
  async (world, given) => {
    const person = chosen(world, given.who, hasSubmitted);
    await decide(world, person, given.status, 0);
    await passTime(world, 6 * minute);
    const usual = { channel: "email", most: 10, hold: 0, holdAttempts: 0, behaviour: "stalls" } as const;
    await round(world, { ...usual, worker: given.worker });
    for (const status of [given.other, given.status]) await decide(world, person, status, 0);
    for (const contact of world.providers.stalled()) world.providers.answer(contact, "puts off");
    await world.scheduler.settle();
  },
  hasPersons,
);

export const workerSteps = [
  changesWhileSent,
  rounds,
  rounds,
  rounds,
  rounds,
  roundsAtOnce,
  releases,
  releases,
  answersLate,
  kills,
  restarts,
  timePasses,
  timePasses,
];
