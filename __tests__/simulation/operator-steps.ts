import fc from "fast-check";
import { reissueBatch } from "@/lib/cli/reissue-batch";
import { eraseApplication } from "@/lib/server/applications/erase";
import { correctContact } from "@/lib/server/invitations/correct-contact";
import { reissueLink, revokeLinks } from "@/lib/server/invitations/links";
import { removeSuppression, suppress } from "@/lib/server/messages/suppressions";
import { act, expectNoError, hasPersons, hold, mayBeErasing, selectPerson, step, who } from "./command";
import { mark } from "./facts";
import { handOut, readLinks } from "./invite-steps";
import { has, type Kind, type Person, surely, withoutOtherAddresses } from "./model";
import type { Operation } from "./scheduler";
import type { World } from "./world";

const by = "simulation";

type KnownPerson = ReturnType<typeof selectPerson>;

/** Runs a command on one person. Its deed counts as done unless the command failed. */
export function runCommandOn(
  world: World,
  person: KnownPerson,
  { kind, name, hold }: { kind: Kind; name: string; hold: number },
  run: (person: KnownPerson) => Promise<unknown>,
): Promise<void> {
  const address = kind === "stop" || kind === "lift" ? { address: addressOf(person)[1] } : {};
  return act(
    world,
    person,
    { kind, ...address },
    { name, hold },
    () => run(person),
    (operation) => {
      expectNoError(world, operation);
      return operation.error === undefined;
    },
  );
}

const personStep = (
  name: string,
  kind: Kind,
  run: (person: KnownPerson) => Promise<unknown>,
  { noun = name, isPossible = hasPersons as (world: World, values: { who: number }) => boolean } = {},
) =>
  step(
    name,
    { who, hold },
    (world, values) =>
      runCommandOn(world, selectPerson(world, values.who), { kind, name: noun, hold: values.hold }, run),
    isPossible,
  );

const revoke = ({ reference }: KnownPerson) => revokeLinks(reference, by);
const revokes = personStep("revoke", "revoke", revoke, { noun: "revocation" });

const reissues = step(
  "reissue",
  { who, sends: fc.boolean(), hold },
  async (world, values) => {
    const person = selectPerson(world, values.who);
    const terms = { expiresDays: 30, by, send: values.sends };
    await act(
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
  { who, sends: fc.boolean(), hold },
  async (world, values) => {
    const person = selectPerson(world, values.who);
    const number = world.nextNumber();
    const email = `${mark(number)}@canary.example`;
    await act(
      world,
      person,
      { kind: "reissue", mark: number, email },
      { name: "correction", hold: values.hold },
      () => correctContact(person.reference, { email }, { expiresDays: 30, by, send: values.sends }),
      (operation, issued) => {
        expectNoError(world, operation, either(/has been submitted or erased/, unsendable(world, person)));
        if (issued) handOut(world, person, issued, operation);
        return issued !== undefined;
      },
    );
  },
  (world, values) => hasPersons(world) && selectPerson(world, values.who).email !== "",
);

const either = (...patterns: (RegExp | undefined)[]) =>
  new RegExp(patterns.flatMap((pattern) => pattern?.source ?? []).join("|"));

/** The errors with which the product may refuse to send a link, according to the model. */
function unsendable(world: World, person: Person): RegExp | undefined {
  const words = [
    ...(has(person, "erase") || mayBeErasing(world) ? ["No message can reach"] : []),
    ...(has(person, "stop", "bounce") ? ["are stopped"] : []),
    ...(has(person, "submit") ? ["has been submitted, and messages"] : []),
  ];
  return words.length > 0 ? new RegExp(words.join("|")) : undefined;
}

const reissuesBatch = step(
  "reissue a batch",
  { which: fc.nat({ max: 3 }), sends: fc.boolean(), revokesFirst: fc.boolean(), hold },
  async (world, values) => {
    const list = world.lists[values.which % world.lists.length] as World["lists"][number];
    const first = list.persons.find((person): person is KnownPerson => person.reference !== undefined);
    if (values.revokesFirst && first)
      await runCommandOn(world, first, { kind: "revoke", name: "revocation", hold: 0 }, revoke);
    const out = `${list.csv}.reissued.${world.scheduler.tick}`;
    const terms = { ...{ batch: list.batch, out, expiresDays: 30, send: values.sends }, by: out };
    const deeds: Person["deeds"] = [];
    await world.run(
      { name: `reissue of ${list.batch}`, identity: "operations", holdBefore: values.hold },
      () => reissueBatch(terms),
      (operation) => {
        expectNoError(world, operation, /There is no batch|Another list run/);
        const reissued = operation.error === undefined ? readLinks(world, out, list.persons, operation) : [];
        for (const [index, person] of list.persons.entries())
          endReissue(world, person, deeds[index], operation, reissued, values.sends);
      },
      (operation) => {
        const { began } = operation;
        for (const person of list.persons) {
          const deed = { kind: "reissue" as const, began, isSure: false, time: world.now(), operation };
          deeds.push(deed);
          person.deeds.push(deed);
        }
      },
    );
  },
  (world) => world.lists.length > 0,
);

function endReissue(
  world: World,
  person: Person,
  deed: Person["deeds"][number] | undefined,
  operation: Operation,
  reissued: Person[],
  sends: boolean,
): void {
  if (!deed || operation.isDisturbed) return;
  if (!reissued.includes(person)) {
    person.deeds.splice(person.deeds.indexOf(deed), 1);
    return;
  }
  deed.ended = operation.ended as number;
  deed.isSure = true;
  const withoutThis = { ...person, deeds: person.deeds.filter((other) => other !== deed) };
  // In force before the reissue began, and not lifted before it ended.
  const isLasting = (subject: Person, kind: Kind, unless: Kind) =>
    [operation.began, deed.ended].every((tick) => surely(subject, [kind], [unless], tick));
  if (isLasting(withoutThis, "revoke", "reissue"))
    world.fail(`Person ${person.number} got a new link after a deliberate revocation.`);
  if (sends && isLasting(withoutOtherAddresses(withoutThis, addressOf(person)[1]), "stop", "lift"))
    world.fail(`Person ${person.number} was sent a link after a stop.`);
}

const addressOf = ({ email, mobile }: Person): [channel: "email" | "sms", address: string] =>
  email ? ["email", email] : ["sms", mobile];

const stops = personStep("stop", "stop", (person) => suppress(...addressOf(person), "", by));

const lifts = personStep("lift a stop", "lift", (person) => removeSuppression(...addressOf(person)), {
  noun: "lifting",
  isPossible: (world, values) => hasPersons(world) && has(selectPerson(world, values.who), "stop", "bounce"),
});

export const erase = ({ reference }: KnownPerson) => eraseApplication(reference, by);
const erases = personStep("erase", "erase", erase, { noun: "erasure" });

export const operatorSteps = [revokes, reissues, reissuesBatch, corrects, stops, lifts, erases];
