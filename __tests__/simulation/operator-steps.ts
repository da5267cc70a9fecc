import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { readInvitation } from "@/lib/cli/invitation-list";
import { issueIntoFile } from "@/lib/cli/issue-links";
import { reissueBatch } from "@/lib/cli/reissue-batch";
import { type SubmittedStatus, submittedStatuses } from "@/lib/domain/journey";
import { eraseApplication, eraseOld } from "@/lib/server/applications/erase";
import { setStatus } from "@/lib/server/applications/set-status";
import { applyMigrations } from "@/lib/server/db/migrations";
import { correctContact } from "@/lib/server/invitations/correct-contact";
import { createInvitations, type IssuedLink } from "@/lib/server/invitations/create-invitations";
import { reissueLink, revokeLinks } from "@/lib/server/invitations/links";
import { lift, suppress } from "@/lib/server/messages/suppressions";
import { act, chosen, expectNoError, hasPersons, hold, mayBeErasing, step, who } from "./command";
import { mark, markedPhone } from "./facts";
import { has, type Kind, newToken, noteMark, type Person, reachedAt, surely } from "./model";
import type { Operation } from "./scheduler";
import type { World } from "./world";

const hour = 3_600_000;
const by = "simulation";
const dayMs = 86_400_000;

function newPerson(world: World, hasEmail: boolean, sends: boolean, batch = ""): Person {
  const number = world.nextNumber();
  const email = hasEmail ? `${mark(number)}@canary.example` : "";
  const person: Person = {
    number,
    email,
    mobile: markedPhone(number),
    batch,
    sends,
    deeds: [],
    tokens: [],
    stopCodes: [],
    versions: [],
    ticked: new Set(),
    reviewed: new Set(),
  };
  world.model.persons.push(person);
  return person;
}

const invitationOf = ({ number, email, mobile }: Person) => ({
  mobile,
  email,
  "first-name": mark(number),
  "last-name": mark(number),
  source: "ba",
});

function handOut(world: World, person: Person, { token, expiresAt }: Pick<IssuedLink, "token" | "expiresAt">): void {
  if (person.tokens.some((one) => one.token === token)) return;
  const named = Date.parse(expiresAt);
  // A list names the day in Sydney, which is ten or eleven hours ahead of UTC.
  const isDay = /^\d{4}-\d\d-\d\d$/.test(expiresAt);
  const ends = isDay ? { expiresAt: named - 11 * hour, overAt: named + 14 * hour } : { expiresAt: named };
  person.tokens.push(newToken(token, ++world.scheduler.tick, ends, true));
}

export async function invite(world: World, given: { hasEmail: boolean; sends: boolean; hold: number }): Promise<void> {
  const person = newPerson(world, given.hasEmail, given.sends);
  const invitation = readInvitation(invitationOf(person));
  await act(
    ...([
      world,
      person,
      { kind: "invite" as const, mark: person.number },
      { name: "invitation", hold: given.hold },
    ] as const),
    () => createInvitations([invitation], { by, send: given.sends }),
    (operation, issued) => {
      expectNoError(world, operation);
      for (const link of issued ?? []) handOut(world, person, link);
      return issued !== undefined;
    },
  );
}

const invites = step("invite", { hasEmail: fc.boolean(), sends: fc.boolean(), hold }, invite);

const headings = ["mobile", "email", "first-name", "last-name", "source"] as const;

const listsOnce = step(
  "invite a list",
  { rows: fc.integer({ min: 1, max: 3 }), hasEmail: fc.boolean(), sends: fc.boolean(), hold },
  async (world, { rows, hasEmail, sends, hold }) => {
    const batch = `list ${world.lists.length}`;
    const persons = Array.from({ length: rows }, () => newPerson(world, hasEmail, sends, batch));
    const csv = join(world.folder, `${world.lists.length}.csv`);
    const lines = persons.map((one) => headings.map((name) => invitationOf(one)[name]).join(","));
    writeFileSync(csv, [headings.join(","), ...lines, ""].join("\n"));
    const list = { batch, persons, csv, files: [] as string[], sends };
    world.lists.push(list);
    await issueList(world, list, `${csv}.out`, hold);
  },
);

const listsAgain = step(
  "invite the same list",
  { which: fc.nat({ max: 3 }), isSameFile: fc.boolean(), hold },
  async (world, { which, isSameFile, hold }) => {
    const list = world.lists[which % world.lists.length] as World["lists"][number];
    const isBusy = world.scheduler.underWay().some(({ name }) => name === `list ${list.csv}.out`);
    const file = isSameFile && !isBusy ? `${list.csv}.out` : `${list.csv}.${world.scheduler.tick}`;
    await issueList(world, list, file, hold);
  },
  (world) => world.lists.length > 0,
);

const expectedOfLists = /has an open application|Another list run/;

async function issueList(world: World, list: World["lists"][number], file: string, holdBefore: number): Promise<void> {
  if (!list.files.includes(file)) list.files.push(file);
  const { csv, batch, persons, sends } = list;
  const terms = { ...{ csv, batch, by, carried: [], allowDuplicates: false }, send: sends, preview: false };
  const deeds = persons.map((person) => ({
    person,
    deed: { kind: "invite" as const, began: 0, isSure: false, time: world.now() },
  }));
  await world.run(
    { name: `list ${file}`, identity: "operations", holdBefore },
    () => issueIntoFile(terms, file),
    (operation) => {
      expectNoError(world, operation, expectedOfLists);
      for (const { person, deed } of deeds) Object.assign(deed, { ended: operation.ended, isSure: false }) && person;
      if (operation.error === undefined) readLinks(world, file, persons);
    },
    (operation) => {
      for (const { person, deed } of deeds) {
        person.deeds.push(Object.assign(deed, { operation, began: operation.began }));
        if (!world.model.marks.has(person.number)) noteMark(world.model, person.number, person, operation);
      }
    },
  );
}

/** People get the links that a finished command has written. */
function readLinks(world: World, file: string, persons: Person[]): Person[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").slice(1);
  return lines.flatMap((line) => {
    const person = persons.find(({ mobile }) => line.includes(mobile));
    const [, token = ""] = /token=([\w-]{43})/.exec(line) ?? [];
    const [expiry = ""] = line.split(",").slice(-1);
    if (!person || !token) return [];
    handOut(world, person, { token, expiresAt: expiry.trim().replace(/"/g, "") });
    return [person];
  });
}

type Known = ReturnType<typeof chosen>;

/** A command about one person, which has done what it says unless it failed. */
function commandAbout(
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
        expectNoError(world, operation, /is submitted or erased/);
        if (issued) handOut(world, person, issued);
        return issued !== undefined;
      },
    );
  },
  (world, given) => hasPersons(world) && chosen(world, given.who).email !== "",
);

/** Why no link is sent, with a reason that the model knows. */
function unsendable(world: World, person: Person): RegExp | undefined {
  const words = [
    ...(has(person, "erase") || mayBeErasing(world) ? ["was invited by nothing"] : []),
    ...(has(person, "stop") ? ["are stopped"] : []),
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
  isPossible: (world, given) => hasPersons(world) && chosen(world, given.who).deeds.some(({ kind }) => kind === "stop"),
});

const erases = aboutOne("erase", "erase", ({ reference }) => eraseApplication(reference, by), { noun: "erasure" });

const retains = step(
  "retention",
  { months: fc.constantFrom(1, 6), status: fc.constantFrom("draft", "submitted", "declined"), hold },
  async (world, { months, status, hold }) => {
    const before = world.now() - months * 31 * dayMs - dayMs;
    const old =
      status === "draft"
        ? world.facts.applications.filter((one) => one.status === "draft" && Date.parse(one.updatedAt) < before)
        : [];
    const began = world.scheduler.tick;
    await world.run(
      { name: `retention of ${status} after ${months}`, identity: "operations", holdBefore: hold },
      () => eraseOld(status as "draft", months, by),
      (operation) => {
        expectNoError(world, operation);
        if (!operation.isDisturbed)
          world.expectErased(
            old.map(({ id }) => id),
            began,
          );
      },
    );
  },
);

export const hasSubmitted = ({ deeds }: Person) => deeds.some(({ kind }) => kind === "submit");

export async function decide(
  world: World,
  person: ReturnType<typeof chosen>,
  status: SubmittedStatus,
  hold: number,
): Promise<void> {
  await act(
    world,
    person,
    { kind: "status", status },
    { name: `status ${status}`, hold },
    () => setStatus(person.reference, status, { by }),
    (operation, change) => {
      expectNoError(world, operation, /has not been submitted yet/);
      const deed = person.deeds.find((one) => one.operation === operation);
      if (deed && change) deed.isChange = change.before !== status;
      return change !== undefined;
    },
  );
}

const setsStatus = step(
  "set the status",
  { who, status: fc.constantFrom(...submittedStatuses), hold },
  async (world, { who, status, hold }) => decide(world, chosen(world, who, hasSubmitted), status, hold),
  hasPersons,
);

const changesBack = step(
  "change the status and change it back",
  { who, status: fc.constantFrom(...submittedStatuses) },
  async (world, { who, status }) => {
    const person = chosen(world, who, hasSubmitted);
    const before = world.facts.applications.find(({ id }) => id === person.application)?.status.replace("_", "-");
    await decide(world, person, status, 0);
    const back = submittedStatuses.find((one) => one === before);
    if (back) await decide(world, person, back, 0);
  },
  hasPersons,
);

const migrates = step("migrate", { hold }, async (world, given) => {
  await world.run(
    { name: "migration", holdBefore: given.hold },
    () => applyMigrations(world.stage.database.ownerUrl),
    (operation) => expectNoError(world, operation),
  );
});

export const operatorSteps = [
  invites,
  listsOnce,
  listsAgain,
  revokes,
  reissues,
  reissuesBatch,
  corrects,
  stops,
  lifts,
  erases,
  retains,
  setsStatus,
  changesBack,
  migrates,
];
