import fc from "fast-check";
import { statusesAfterSubmission } from "@/lib/domain/statuses";
import { type Claimed, claim } from "@/lib/server/delivery/claim";
import { answerFreshLinkRequests } from "@/lib/server/delivery/fresh-link";
import { attempt as send } from "@/lib/server/delivery/worker";
import { expectNoError, hasPersons, hold, holdAttempt, personNumber, selectPerson, step } from "./command";
import { decide, hasSubmitted } from "./decision-steps";
import { answers, type Behaviour, behaviours, type Channel } from "./providers";
import type { Operation } from "./scheduler";
import type { World } from "./world";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

interface Round {
  worker: number;
  channel: Channel;
  most: number;
  behaviour: Behaviour;
  /** The statement before which the claim is held; `holdAttempts` is the same for each attempt. */
  hold: number;
  holdAttempts: number;
}

/** One round of a worker: the product's own functions claim messages and then send each of them. */
export async function round(world: World, turn: Round): Promise<void> {
  const { channel, most, behaviour, hold, holdAttempts } = turn;
  const actor = `worker ${turn.worker}`;
  const leaseEnds = world.now() + minute;
  const begin = (operation: Operation, claimed: Claimed[] | undefined) => {
    expectNoError(world, operation);
    for (const message of claimed ?? []) {
      const name = `${actor} sends ${message.kind} ${message.number}`;
      const sending = world.start(
        { name, actor, holdBefore: holdAttempts },
        () => send(world.environment.worker, message),
        (ended, outcome) => {
          expectNoError(world, ended);
          if (outcome === "failure" && !ended.isDisturbed) world.fail(`${name} failed.`);
        },
      );
      world.providers.behaviourOf.set(sending, behaviour);
      const { id, attemptId } = message;
      world.sendings.set(sending, { message: id, attempt: attemptId, leaseEnds, claimBegan: operation.began });
    }
  };
  await world.run(
    { name: `${actor} claims ${channel}`, actor, holdBefore: hold },
    () => claim(world.environment.worker, channel, most),
    begin,
  );
}

const worker = fc.integer({ min: 0, max: 1 });
const channel = fc.constantFrom("email" as const, "sms" as const, "webhook" as const);
const most = fc.constantFrom(1, 3, 10);

const rounds = step(
  "run a worker round",
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

const held = (world: World) => world.scheduler.operations.filter(({ state }) => state === "held");

export async function releaseHeld(world: World, isReleased: (operation: Operation) => boolean): Promise<void> {
  for (const operation of held(world).filter(isReleased)) world.scheduler.release(operation);
  await world.scheduler.settle();
}

/** Both workers claim at the same time: the first is held before its n-th statement until the second has claimed. */
const roundsAtOnce = step(
  "run two worker rounds at once",
  {
    // Emails and SMS share the daily cap.
    channels: fc.constantFrom<[Channel, Channel][]>(
      ["email", "email"],
      ["sms", "sms"],
      ["email", "sms"],
      ["webhook", "webhook"],
    ),
    ...{ most, hold: fc.integer({ min: 3, max: 5 }) },
  },
  async (world, { channels, ...values }) => {
    // On a new day, the cap allows a message again.
    if (world.perDay === 1) await passTime(world, 26 * hour);
    const usual = { ...values, holdAttempts: 0, behaviour: "answers" as const };
    await round(world, { ...usual, worker: 0, channel: channels[0] });
    const claiming = held(world).findLast(({ name }) => name === `worker 0 claims ${channels[0]}`);
    await round(world, { ...usual, worker: 1, channel: channels[1], hold: 0 });
    await releaseHeld(world, (operation) => operation === claiming);
  },
);

/** The worker's own function answers the requests for fresh links. */
export async function answerRequests(world: World, { worker, hold }: Pick<Round, "worker" | "hold">): Promise<void> {
  const actor = `worker ${worker}`;
  await world.run(
    { name: `${actor} answers requests for fresh links`, actor, holdBefore: hold },
    () => answerFreshLinkRequests(world.environment.worker),
    (operation) => expectNoError(world, operation),
  );
}

const answersRequests = step("answer requests for fresh links", { worker, hold: holdAttempt }, answerRequests);

const which = fc.nat({ max: 5 });

const releases = step(
  "release an operation",
  { which, statements: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 3 })) },
  async (world, values) => {
    const all = held(world);
    world.scheduler.release(all[values.which % all.length] as Operation, values.statements);
    await world.scheduler.settle();
  },
  (world) => held(world).length > 0,
);

const answersLate = step(
  "let a provider answer",
  { which, answer: fc.constantFrom(...answers) },
  async (world, values) => {
    const all = world.providers.stalled();
    world.providers.answer(all[values.which % all.length] as (typeof all)[number], values.answer);
    await world.scheduler.settle();
  },
  (world) => world.providers.stalled().length > 0,
);

const kills = step(
  "kill an operation",
  { which },
  async (world, values) => {
    const actors = world.scheduler.underWay();
    const victim = actors[values.which % actors.length] as Operation;
    for (const actor of actors)
      if (actor === victim || (victim.actor !== "" && actor.actor === victim.actor)) await world.kill(actor);
    await world.scheduler.settle();
  },
  (world) => world.scheduler.underWay().length > 0,
);

const restarts = step(
  "restart Postgres",
  // Rare, because every connection is opened again, which takes as long as several steps.
  { chance: fc.nat({ max: 2 }) },
  async (world) => {
    await world.restart();
    await world.scheduler.settle();
  },
  (_world, { chance }) => chance === 0,
);

const jumps = [
  ...[13_000, 67_000, 7 * minute, 17 * minute, 2.6 * hour, 9 * hour, 26 * hour, 3.1 * day, 8 * day, 32 * day],
  200 * day,
];

/** Lets time pass. A worker gives up on a provider that has not answered for a minute, unless it is suspended. */
export async function passTime(world: World, ms: number): Promise<void> {
  if (ms >= minute) {
    for (const contact of world.providers.stalled()) world.providers.answer(contact, "drops");
    await world.scheduler.settle();
  }
  await world.jump(ms);
}

const timePasses = step("let time pass", { ms: fc.constantFrom(...jumps) }, (world, { ms }) => passTime(world, ms));

/** Changes a status and changes it back while the mail server has not answered yet; then the server defers the email. */
const changesWhileSent = step(
  "change the status and change it back while its email is being sent",
  {
    personNumber,
    worker,
    status: fc.constantFrom(...statusesAfterSubmission),
    other: fc.constantFrom(...statusesAfterSubmission),
  },
  async (world, values) => {
    const person = selectPerson(world, values.personNumber, hasSubmitted);
    await decide(world, person, values.status, 0);
    await passTime(world, 6 * minute);
    const usual = { channel: "email", most: 10, hold: 0, holdAttempts: 0, behaviour: "stalls" } as const;
    await round(world, { ...usual, worker: values.worker });
    for (const status of [values.other, values.status]) await decide(world, person, status, 0);
    for (const contact of world.providers.stalled()) world.providers.answer(contact, "puts off");
    await world.scheduler.settle();
  },
  hasPersons,
);

/** Changes back to a reported status between a worker's claim of the next email and its last look at the application. */
const changesBeforeSent = step(
  "change the status back while a worker prepares its email",
  {
    ...{ personNumber, worker, statement: fc.integer({ min: 1, max: 8 }) },
    ...{ reported: fc.constantFrom(...statusesAfterSubmission), status: fc.constantFrom(...statusesAfterSubmission) },
  },
  async (world, values) => {
    const person = selectPerson(world, values.personNumber, hasSubmitted);
    const usual = { worker: values.worker, channel: "email", most: 10, hold: 0, behaviour: "answers" } as const;
    for (const [status, holdAttempts] of [
      [values.reported, 0],
      [values.status, values.statement],
    ] as const) {
      await decide(world, person, status, 0);
      await passTime(world, 6 * minute);
      await round(world, { ...usual, holdAttempts });
    }
    await decide(world, person, values.reported, 0);
    await releaseHeld(world, ({ actor }) => actor === `worker ${values.worker}`);
  },
  hasPersons,
);

export const workerSteps = [
  ...[
    changesWhileSent,
    changesBeforeSent,
    answersRequests,
    answersRequests,
    rounds,
    rounds,
    rounds,
    rounds,
    roundsAtOnce,
    releases,
  ],
  ...[releases, answersLate, kills, restarts, timePasses, timePasses],
];
