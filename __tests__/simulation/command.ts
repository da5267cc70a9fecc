import fc from "fast-check";
import { marksIn } from "./facts";
import { noteMark, type Person } from "./model";
import type { Operation } from "./scheduler";
import type { World } from "./world";

/** A step of the simulation, with the numbers that it was drawn with. */
export type Step = fc.AsyncCommand<World, World>;

type Arbitraries<T> = { [Name in keyof T]: fc.Arbitrary<T[Name]> };

export const progress = { steps: 0 };

/** Describes a kind of step: what it is drawn from, when it is possible, and what it does. */
export function step<T extends object>(
  name: string,
  drawn: Arbitraries<T>,
  run: (world: World, given: NoInfer<T>) => Promise<void>,
  isPossible: (world: World, given: NoInfer<T>) => boolean = () => true,
): fc.Arbitrary<Step> {
  return fc.record(drawn as Arbitraries<Record<string, unknown>>).map((record) => {
    const given = record as T;
    return {
      check: (world) => isPossible(world as World, given),
      async run(world) {
        progress.steps += 1;
        await run(world, given);
        await world.check();
      },
      toString: () =>
        `${name} ${Object.entries(given)
          .map(([key, value]) => `${key}=${value}`)
          .join(" ")}`.trim(),
    };
  });
}

const heldBefore = (max: number) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.integer({ min: 1, max }) });
/** Before which of its statements an operation is held; 0: it is not. */
export const hold = heldBefore(7);
/** The same for a call, which has few. */
export const holdCall = heldBefore(4);
/** The same for an attempt to send, which makes a link with its tenth or so. */
export const holdAttempt = heldBefore(16);
/** Stands for somebody about whom an operation is under way. */
const busy = 6;
/** Often the same persons, so that operations meet. */
export const who = fc.constantFrom(0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 5, busy, busy, busy, busy);

const known = ({ model }: World) => model.persons.filter(({ reference }) => reference !== undefined);
export const hasPersons = (world: World) => known(world).length > 0;
/** One of the persons; of those that are preferred, if there are any. */
export function chosen(
  world: World,
  number: number,
  isPreferred: (person: Person) => boolean = () => true,
): Person & { reference: string } {
  const all = known(world);
  const preferred = all.filter(isPreferred);
  const persons = preferred.length > 0 ? preferred : all;
  const met = number === busy ? persons.find((person) => isBusy(world, person)) : undefined;
  return (met ?? persons[number % persons.length]) as Person & { reference: string };
}

/** Something is under way about this person: a call, a command, or the sending of a message. */
export function isBusy({ scheduler, sendings, facts }: World, { deeds, application }: Person): boolean {
  const underWay = scheduler.underWay();
  const sent = underWay.map((operation) => sendings.get(operation)?.message);
  return (
    deeds.some(({ operation }) => underWay.includes(operation)) ||
    facts.messages.some((message) => message.application === application && sent.includes(message.id))
  );
}

/** Starts an operation about a person, and notes it as done if it ends without an error. */
export async function act<T>(
  world: World,
  person: Person,
  deed: Pick<Person["deeds"][number], "kind" | "step" | "mark" | "status" | "address" | "email">,
  { name, hold: holdBefore, identity = "operations" }: { name: string; hold: number; identity?: Operation["identity"] },
  work: () => Promise<T>,
  ended: (operation: Operation, result: T | undefined) => boolean | "perhaps",
): Promise<void> {
  const noted = { ...deed, began: 0, isSure: false, time: world.now() } as Person["deeds"][number];
  await world.run(
    { name: `${name} of person ${person.number}`, identity, holdBefore },
    work,
    (operation, result) => {
      noted.ended = operation.ended as number;
      const isDone = ended(operation, result);
      noted.isSure = isDone === true;
      // Nothing came of it for sure, or nobody knows.
      if (isDone === false && !operation.isDisturbed) person.deeds.splice(person.deeds.indexOf(noted), 1);
      else if (!noted.isSure) noted.ended = undefined as unknown as number;
    },
    (operation) => {
      noted.operation = operation;
      noted.began = operation.began;
      person.deeds.push(noted);
      if (noted.mark === undefined) return;
      // The invited number and address are given again with each answer.
      for (const mark of new Set([noted.mark, person.number, ...marksIn(person.email)]))
        noteMark(world.model, mark, person, operation);
    },
  );
}

/** What a retention erases in a step is learnt at the end of the step. */
export const mayBeErasing = ({ scheduler, checkedTick }: World) =>
  scheduler.operations.some(
    ({ name, ended = Number.POSITIVE_INFINITY }) => name.startsWith("retention") && ended > checkedTick,
  );

/** An operation may fail with these words; otherwise only where Postgres was restarted. */
export function expectNoError(world: World, { error, isDisturbed, name }: Operation, allowed?: RegExp): void {
  if (error === undefined || isDisturbed || allowed?.test(String(error))) return;
  const { message, stack } = error as Error;
  world.fail(`${name} ended with an error: ${message}\n${stack?.split("\n").slice(1, 6).join("\n")}`);
}
