import fc from "fast-check";
import { canariesIn } from "./facts";
import { type Person, recordCanary } from "./model";
import type { Operation } from "./scheduler";
import type { World } from "./world";

/** A step of the simulation, with the values that were drawn for it. */
export type Step = fc.AsyncCommand<World, World>;

type Arbitraries<T> = { [Name in keyof T]: fc.Arbitrary<T[Name]> };

export const progress = { steps: 0 };

/** Defines a kind of step: its arbitraries, what it does, and when it is possible. */
export function step<T extends object>(
  name: string,
  arbitraries: Arbitraries<T>,
  run: (world: World, values: NoInfer<T>) => Promise<void>,
  isPossible: (world: World, values: NoInfer<T>) => boolean = () => true,
): fc.Arbitrary<Step> {
  return fc.record(arbitraries as Arbitraries<Record<string, unknown>>).map((record) => {
    const values = record as T;
    return {
      check: (world) => isPossible(world as World, values),
      async run(world) {
        progress.steps += 1;
        await run(world, values);
        await world.check();
      },
      toString: () =>
        `${name} ${Object.entries(values)
          .map(([key, value]) => `${key}=${value}`)
          .join(" ")}`.trim(),
    };
  });
}

export const holdUpTo = (max: number) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.integer({ min: 1, max }) });
/** The statement before which an operation is held; 0 if it is not held. */
export const hold = holdUpTo(7);
/** The same for a call, which has fewer statements. */
export const holdCall = holdUpTo(4);
/** The same for an attempt to send a message, which creates a link in about its tenth statement. */
export const holdAttempt = holdUpTo(16);
/** A drawn number that selects a person on whom an operation is under way. */
const busy = 6;
/** Draws the same persons often, so that operations on one person overlap. */
export const personNumber = fc.constantFrom(0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5, busy, busy, busy, busy);

const withReference = ({ model }: World) => model.persons.filter(({ reference }) => reference !== undefined);
export const hasPersons = (world: World) => withReference(world).length > 0;
/** Selects a person by a drawn number, from the preferred persons if there are any. */
export function selectPerson(
  world: World,
  number: number,
  isPreferred: (person: Person) => boolean = () => true,
): Person & { reference: string } {
  const all = withReference(world);
  const preferred = all.filter(isPreferred);
  const persons = preferred.length > 0 ? preferred : all;
  const busyPerson = number === busy ? persons.find((person) => isBusy(world, person)) : undefined;
  return (busyPerson ?? persons[number % persons.length]) as Person & { reference: string };
}

/** Whether a call, a command or an attempt to send a message to this person is under way. */
export function isBusy({ scheduler, sendings, facts }: World, { actions, application }: Person): boolean {
  const underWay = scheduler.underWay();
  const sent = underWay.map((operation) => sendings.get(operation)?.message);
  return (
    actions.some(({ operation }) => underWay.includes(operation)) ||
    facts.messages.some((message) => message.application === application && sent.includes(message.id))
  );
}

/** Starts an operation on a person and records it as an action. `ended` decides whether the action was done. */
export async function runAction<T>(
  world: World,
  person: Person,
  action: Pick<Person["actions"][number], "kind" | "step" | "canary" | "status" | "address" | "email">,
  { name, hold: holdBefore, identity = "operations" }: { name: string; hold: number; identity?: Operation["identity"] },
  work: () => Promise<T>,
  ended: (operation: Operation, result: T | undefined) => boolean | "perhaps",
): Promise<void> {
  const recorded = { ...action, began: 0, isCertain: false, time: world.now() } as Person["actions"][number];
  await world.run(
    { name: `${name} of person ${person.number}`, identity, holdBefore },
    work,
    (operation, result) => {
      recorded.ended = operation.ended as number;
      const isDone = ended(operation, result);
      // A retention may have erased the person while this erasure was suspended. The model has recorded that as its effect.
      recorded.isCertain = isDone === true || recorded.isSeen === true;
      // An action that certainly had no effect is removed. One whose effect is unknown never ends.
      if (isDone === false && !recorded.isCertain && !operation.isDisturbed)
        person.actions.splice(person.actions.indexOf(recorded), 1);
      else if (!recorded.isCertain) recorded.ended = undefined as unknown as number;
    },
    (operation) => {
      recorded.operation = operation;
      recorded.began = operation.began;
      person.actions.push(recorded);
      if (recorded.canary === undefined) return;
      // Calls send the invited number and address again, so their canaries are recorded too.
      for (const canary of new Set([recorded.canary, person.number, ...canariesIn(person.email)]))
        recordCanary(world.model, canary, person, operation);
    },
  );
}

/** Whether a retention may have erased something since the last check, in which the model learns of erasures. */
export const mayBeErasing = ({ scheduler, checkedTick }: World) =>
  scheduler.operations.some(
    ({ name, ended = Number.POSITIVE_INFINITY }) => name.startsWith("retention") && ended > checkedTick,
  );

/** Fails if an operation ended with an error that is not allowed, unless it was disturbed by a kill or restart. */
export function expectNoError(world: World, { error, isDisturbed, name }: Operation, allowed?: RegExp): void {
  if (error === undefined || isDisturbed || allowed?.test(String(error))) return;
  const { message, stack } = error as Error;
  world.fail(`${name} ended with an error: ${message}\n${stack?.split("\n").slice(1, 6).join("\n")}`);
}
