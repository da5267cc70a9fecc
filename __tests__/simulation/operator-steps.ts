import fc from "fast-check";
import { reissueBatch } from "@/lib/cli/reissue-batch";
import { eraseApplication } from "@/lib/server/applications/erase";
import { correctContact } from "@/lib/server/invitations/correct-contact";
import { reissueLink, revokeLinks } from "@/lib/server/invitations/links";
import { lift, suppress } from "@/lib/server/messages/suppressions";
import { act, chosen, expectNoError, hasPersons, hold, mayBeErasing, step, who } from "./command";
import { mark } from "./facts";
import { handOut, readLinks } from "./invite-steps";
import { has, type Kind, type Person, reachedAt, surely } from "./model";
import type { Operation } from "./scheduler";
import type { World } from "./world";

const by = "simulation";

type Known = ReturnType<typeof chosen>;

/** A command about one person, which has done what it says unless it failed. */
export function commandAbout(
  world: World,
  person: Known,
  { kind, name, hold }: { kind: Kind; name: string; hold: number },
  run: (person: Known) => Promise<unknown>,
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

const aboutOne = (
  name: string,
  kind: Kind,
  run: (person: Known) => Promise<unknown>,
  { noun = name, isPossible = hasPersons as (world: World, given: { who: number }) => boolean } = {},
) =>
  step(
    name,
    { who, hold },
    (world, given) => commandAbout(world, chosen(world, given.who), { kind, name: noun, hold: given.hold }, run),
    isPossible,
  );

const revoke = ({ reference }: Known) => revokeLinks(reference, by);
const revokes = aboutOne("revoke", "revoke", revoke, { noun: "revocation" });

const reissues = step(
  "reissue",
  { who, sends: fc.boolean(), hold },
  async (world, given) => {
    const person = chosen(world, given.who);
    const terms = { expiresDays: 30, by, send: given.sends };
    await act(
      world,
      person,
      { kind: "reissue" },
      { name: "reissue", hold: given.hold },
      () => reissueLink(person.reference, terms),
      (operation, issued) => {
        expectNoError(world, operation, unsendable(world, person));
        if (issued) handOut(world, person, issued);
        return issued !== undefined;
      },
    );
  },
  hasPersons,
);

/** Revokes the links and hands out a new one, as a reissue does. */
const corrects = step(
  "correct the contact",
  { who, sends: fc.boolean(), hold },
  async (world, given) => {
    const person = chosen(world, given.who);
    const number = world.nextNumber();
    const email = `${mark(number)}@canary.example`;
    await act(
      world,
      person,
      { kind: "reissue", mark: number, email },
      { name: "correction", hold: given.hold },
      () => correctContact(person.reference, { email }, { expiresDays: 30, by, send: given.sends }),
      (operation, issued) => {
        expectNoError(world, operation, either(/has been submitted or erased/, unsendable(world, person)));
        if (issued) handOut(world, person, issued);
        return issued !== undefined;
      },
    );
  },
  (world, given) => hasPersons(world) && chosen(world, given.who).email !== "",
);

const either = (...words: (RegExp | undefined)[]) => new RegExp(words.flatMap((one) => one?.source ?? []).join("|"));

/** Why no link is sent, with a reason that the model knows. */
function unsendable(world: World, person: Person): RegExp | undefined {
  const words = [
    ...(has(person, "erase") || mayBeErasing(world) ? ["No message can reach"] : []),
    ...(has(person, "stop", "bounce") ? ["are stopped"] : []),
    ...(has(person, "submit") ? ["is submitted, and there is no SMS"] : []),
  ];
  return words.length > 0 ? new RegExp(words.join("|")) : undefined;
}

const reissuesBatch = step(
  "reissue a batch",
  { which: fc.nat({ max: 3 }), sends: fc.boolean(), revokesFirst: fc.boolean(), hold },
  async (world, given) => {
    const list = world.lists[given.which % world.lists.length] as World["lists"][number];
    const known = list.persons.find((person): person is Known => person.reference !== undefined);
    if (given.revokesFirst && known)
      await commandAbout(world, known, { kind: "revoke", name: "revocation", hold: 0 }, revoke);
    const out = `${list.csv}.reissued.${world.scheduler.tick}`;
    const terms = { ...{ batch: list.batch, out, expiresDays: 30, send: given.sends }, by: out };
    const deeds: Person["deeds"] = [];
    await world.run(
      { name: `reissue of ${list.batch}`, identity: "operations", holdBefore: given.hold },
      () => reissueBatch(terms),
      (operation) => {
        expectNoError(world, operation, /There is no batch|Another list run/);
        const reissued = operation.error === undefined ? readLinks(world, out, list.persons) : [];
        for (const [index, person] of list.persons.entries())
          endReissue(world, person, deeds[index], operation, reissued, given.sends);
      },
      (operation) => {
        for (const person of list.persons) {
          const deed = {
            kind: "reissue" as const,
            began: operation.began,
            isSure: false,
            time: world.now(),
            operation,
          };
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
  const others = { ...person, deeds: person.deeds.filter((one) => one !== deed) };
  // Before it began, and not taken back before it ended.
  const isLasting = (about: Person, kind: Kind, unless: Kind) =>
    [operation.began, deed.ended].every((tick) => surely(about, [kind], [unless], tick));
  if (isLasting(others, "revoke", "reissue"))
    world.fail(`Person ${person.number} got a link that had been withdrawn on purpose.`);
  if (sends && isLasting(reachedAt(others, addressOf(person)[1]), "stop", "lift"))
    world.fail(`Person ${person.number} is sent a link after a stop.`);
}

const addressOf = ({ email, mobile }: Person): [channel: "email" | "sms", address: string] =>
  email ? ["email", email] : ["sms", mobile];

const stops = aboutOne("stop", "stop", (person) => suppress(...addressOf(person), "", by));

const lifts = aboutOne("lift a stop", "lift", (person) => lift(...addressOf(person)), {
  noun: "lifting",
  isPossible: (world, given) => hasPersons(world) && has(chosen(world, given.who), "stop", "bounce"),
});

export const erase = ({ reference }: Known) => eraseApplication(reference, by);
const erases = aboutOne("erase", "erase", erase, { noun: "erasure" });

export const operatorSteps = [revokes, reissues, reissuesBatch, corrects, stops, lifts, erases];
