import fc from "fast-check";
import { fillInAll, save, submitAllOf } from "./applicant-steps";
import { step } from "./command";
import { invite } from "./invite-steps";
import type { Token } from "./model";
import { type Act, erase, type KnownPerson, revoke, stop } from "./operator-steps";
import { replyStop } from "./report-steps";
import { releaseHeld, round } from "./worker-steps";
import type { World } from "./world";

/** Two actors at once: the first is held before one of its statements until the second has ended or waits for a lock. */

const lastToken = ({ tokens }: KnownPerson) => tokens.at(-1) as Token;
const submits: Act = (world, person, hold) => submitAllOf(world, person, lastToken(person), hold);
const savesAgent: Act = (world, person, hold) => save(world, person, lastToken(person), 2, hold);

async function inviteOne(
  world: World,
  values: { hasEmail: boolean; sends: boolean },
): Promise<KnownPerson | undefined> {
  await invite(world, { ...values, hold: 0 });
  // Learns the new application's reference.
  await world.check();
  const person = world.model.persons.at(-1);
  return person?.reference === undefined ? undefined : (person as KnownPerson);
}

const duringPreparation: Record<string, Act> = { revoke, erase, stop, "reply STOP": replyStop };

/** The worker has claimed the person's invitation and has not contacted the provider yet. */
const actsDuringPreparation = step(
  "act on a person while a worker prepares their invitation",
  {
    ...{ hasEmail: fc.boolean(), statement: fc.integer({ min: 2, max: 20 }) },
    action: fc.constantFrom(...Object.keys(duringPreparation)),
  },
  async (world, { hasEmail, statement, action }) => {
    const person = await inviteOne(world, { hasEmail, sends: true });
    const usual = { worker: 0, most: 10, behaviour: "answers", hold: 0 } as const;
    await round(world, { ...usual, channel: hasEmail ? "email" : "sms", holdAttempts: statement });
    if (person) await duringPreparation[action]?.(world, person, 0);
    await releaseHeld(world, ({ actor }) => actor === "worker 0");
  },
);

const onApplication: Record<string, Act> = { save: savesAgent, submit: submits, revoke, erase };
const actions = fc.constantFrom(...Object.keys(onApplication));

const actsAtOnce = step(
  "act twice on one application at once",
  { first: actions, second: actions, hold: fc.integer({ min: 2, max: 9 }) },
  async (world, { first, second, hold }) => {
    const person = await inviteOne(world, { hasEmail: true, sends: false });
    if (!person) return;
    await fillInAll(world, person, lastToken(person));
    // A save has two statements.
    await onApplication[first]?.(world, person, first === "save" ? 2 : hold);
    const held = world.scheduler.operations.at(-1);
    await onApplication[second]?.(world, person, 0);
    await releaseHeld(world, (operation) => operation === held);
  },
);

export const twoActorSteps = [actsDuringPreparation, actsAtOnce, actsAtOnce];
