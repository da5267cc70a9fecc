import fc from "fast-check";
import { reissueBatch } from "@/lib/cli/invitations/reissue-batch";
import { eraseApplication } from "@/lib/server/applications/erase";
import { cancelMessages, retryMessages } from "@/lib/server/delivery/list-messages";
import { correctContact } from "@/lib/server/invitations/correct-contact";
import { reissueLink, revokeLinks } from "@/lib/server/invitations/links";
import { removeSuppression, suppress } from "@/lib/server/outbox/suppressions";
import {
  expectNoError,
  hasPersons,
  hold,
  holdUpTo,
  mayBeErasing,
  personNumber,
  runAction,
  selectPerson,
  step,
} from "./command";
import { canary, type MessageFact } from "./facts";
import { handOut, readLinks } from "./invite-steps";
import { has, type Kind, lastCertain, type Person, withoutOtherAddresses } from "./model";
import type { Operation } from "./scheduler";
import type { World } from "./world";

const by = "simulation";

export type KnownPerson = ReturnType<typeof selectPerson>;

export type Act = (world: World, person: KnownPerson, hold: number) => Promise<void>;

/** A command on one person. Its action counts as done unless the command failed. */
function act(kind: Kind, name: string, run: (person: KnownPerson) => Promise<unknown>): Act {
  return (world, person, hold) => {
    const address = kind === "stop" || kind === "lift" ? { address: addressOf(person)[1] } : {};
    const work = () => run(person);
    return runAction(world, person, { kind, ...address }, { name, hold }, work, (operation) => {
      expectNoError(world, operation);
      return operation.error === undefined;
    });
  };
}

export const revoke = act("revoke", "revocation", ({ reference }) => revokeLinks(reference, by));
export const stop = act("stop", "stop", (person) => suppress(...addressOf(person), "", by));
export const erase = act("erase", "erasure", ({ reference }) => eraseApplication(reference, by));
const lift = act("lift", "lifting", (person) => removeSuppression(...addressOf(person)));

const actStep = (
  name: string,
  run: Act,
  isPossible: (world: World, values: { personNumber: number }) => boolean = hasPersons,
) =>
  step(
    name,
    { personNumber, hold },
    (world, values) => run(world, selectPerson(world, values.personNumber), values.hold),
    isPossible,
  );

const isStopped = (world: World, values: { personNumber: number }) =>
  hasPersons(world) && has(selectPerson(world, values.personNumber), "stop", "bounce");

const reissues = step(
  "reissue",
  { personNumber, sends: fc.boolean(), hold },
  async (world, values) => {
    const person = selectPerson(world, values.personNumber);
    const terms = { expiresDays: 30, by, send: values.sends };
    await runAction(
      world,
      person,
      { kind: "reissue" },
      { name: "reissue", hold: values.hold },
      () => reissueLink(person.reference, terms),
      (operation, issued) => {
        expectNoError(world, operation, unsendable(world, person));
        if (issued) handOut(world, person, issued, operation);
        return issued !== undefined;
      },
    );
  },
  hasPersons,
);

/** A correction revokes the links and hands out a new one, as a reissue does. */
const corrects = step(
  "correct the contact",
  { personNumber, sends: fc.boolean(), hold },
  async (world, values) => {
    const person = selectPerson(world, values.personNumber);
    const number = world.nextNumber();
    const email = `${canary(number)}@canary.example`;
    await runAction(
      world,
      person,
      { kind: "reissue", canary: number, email },
      { name: "correction", hold: values.hold },
      () => correctContact(person.reference, { email }, { expiresDays: 30, by, send: values.sends }),
      (operation, issued) => {
        expectNoError(world, operation, either(/has been submitted or erased/, unsendable(world, person)));
        if (issued) handOut(world, person, issued, operation);
        return issued !== undefined;
      },
    );
  },
  (world, values) => hasPersons(world) && selectPerson(world, values.personNumber).email !== "",
);

const either = (...patterns: (RegExp | undefined)[]) =>
  new RegExp(patterns.flatMap((pattern) => pattern?.source ?? []).join("|"));

/** The errors with which the product may refuse to send a link, according to the model. */
function unsendable(world: World, person: Person): RegExp | undefined {
  const words = [
    ...(has(person, "erase") || mayBeErasing(world) ? ["No message can reach", "was erased after its submission"] : []),
    ...(has(person, "stop", "bounce") ? ["are stopped"] : []),
    ...(has(person, "submit") ? ["has been submitted, and messages"] : []),
  ];
  return words.length > 0 ? new RegExp(words.join("|")) : undefined;
}

const reissuesBatch = step(
  "reissue a batch",
  {
    which: fc.nat({ max: 3 }),
    sends: fc.boolean(),
    before: fc.constantFrom("nothing", "revoke", "stop"),
    hold: holdUpTo(40),
  },
  async (world, values) => {
    const list = world.lists[values.which % world.lists.length] as World["lists"][number];
    const first = list.persons.find((person): person is KnownPerson => person.reference !== undefined);
    if (values.before === "revoke" && first) await revoke(world, first, 0);
    if (values.before === "stop" && first) await stop(world, first, 0);
    const out = `${list.csv}.reissued.${world.scheduler.tick}`;
    const terms = { ...{ batch: list.batch, out, expiresDays: 30, send: values.sends }, by: out };
    const actions: Person["actions"] = [];
    await world.run(
      { name: `reissue of ${list.batch}`, identity: "operations", holdBefore: values.hold },
      () => reissueBatch(terms),
      (operation) => {
        expectNoError(world, operation, /There is no batch|Another list run/);
        const reissued = operation.error === undefined ? readLinks(world, out, list.persons, operation) : [];
        for (const [index, person] of list.persons.entries())
          endReissue(world, person, actions[index], operation, reissued, values.sends);
      },
      (operation) => {
        const { began } = operation;
        for (const person of list.persons) {
          const action = { kind: "reissue" as const, began, isCertain: false, time: world.now(), operation };
          actions.push(action);
          person.actions.push(action);
        }
      },
    );
  },
  (world) => world.lists.length > 0,
);

function endReissue(
  world: World,
  person: Person,
  action: Person["actions"][number] | undefined,
  operation: Operation,
  reissued: Person[],
  sends: boolean,
): void {
  if (!action || operation.isDisturbed) return;
  if (!reissued.includes(person)) {
    person.actions.splice(person.actions.indexOf(action), 1);
    return;
  }
  action.ended = operation.ended as number;
  action.isCertain = true;
  const withoutThis = { ...person, actions: person.actions.filter((other) => other !== action) };
  // In force before the reissue began, and not lifted before it ended.
  const isLasting = (subject: Person, kind: Kind, unless: Kind) =>
    [operation.began, action.ended].every((tick) => lastCertain(subject, [kind], [unless], tick));
  if (isLasting(withoutThis, "revoke", "reissue"))
    world.fail(`Person ${person.number} got a new link after a deliberate revocation.`);
  if (sends && isLasting(withoutOtherAddresses(withoutThis, addressOf(person)[1]), "stop", "lift"))
    world.fail(`Person ${person.number} was sent a link after a stop.`);
}

const addressOf = ({ email, mobile }: Person): [channel: "email" | "sms", address: string] =>
  email ? ["email", email] : ["sms", mobile];

type Selected = Parameters<typeof retryMessages>[0];

/** What a provider took before is rightly sent again after a retry. */
async function retry(world: World, selected: Selected, hold: number): Promise<void> {
  await world.run(
    { name: "retry", identity: "operations", holdBefore: hold },
    () => retryMessages(selected),
    (operation, retried) => {
      expectNoError(world, operation);
      // It is not known which messages a disturbed command has retried.
      for (const number of retried ?? world.facts.messages.map((message) => message.number)) {
        world.retriedAt.set(number, operation.lastStatement);
        world.cancelledAt.delete(number);
      }
    },
  );
}

const retries = step("retry failed messages", { hold }, (world, values) =>
  retry(world, { numbers: [], states: ["failed"] }, values.hold),
);

const which = fc.nat({ max: 50 });
/** Without the rows that upkeep-steps.ts writes after an erasure, which no worker should send. */
const selectable = ({ facts }: World) => facts.messages.filter(({ kind }) => kind !== "test");
const hasMessages = (world: World) => selectable(world).length > 0;
function numberOf(world: World, index: number): number {
  const messages = selectable(world);
  return (messages[index % messages.length] as MessageFact).number;
}

const retriesOne = step(
  "retry a message",
  { which, hold },
  (world, values) => retry(world, { numbers: [numberOf(world, values.which)], states: [] }, values.hold),
  hasMessages,
);

const cancelsOne = step(
  "cancel a message",
  { which, hold },
  async (world, values) => {
    const number = numberOf(world, values.which);
    await world.run(
      { name: "cancellation", identity: "operations", holdBefore: values.hold },
      () => cancelMessages([number], by),
      (operation, cancelled) => {
        expectNoError(world, operation);
        const { ended } = operation;
        const isRetried = (world.retriedAt.get(number) ?? 0) >= operation.began;
        if (cancelled?.includes(number) && ended !== undefined && !isRetried) world.cancelledAt.set(number, ended);
      },
    );
  },
  hasMessages,
);

export const operatorSteps = [
  retries,
  retriesOne,
  cancelsOne,
  actStep("revoke", revoke),
  reissues,
  reissuesBatch,
  corrects,
  actStep("stop", stop),
  actStep("lift a stop", lift, isStopped),
  actStep("erase", erase),
];
