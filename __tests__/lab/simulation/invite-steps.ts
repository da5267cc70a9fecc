import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { requireInvitation } from "@/lib/cli/invitations/invitation-list";
import { issueIntoFile } from "@/lib/cli/invitations/issue-links";
import { createInvitations, type IssuedLink } from "@/lib/server/invitations/create-invitations";
import { expectNoError, hold, runAction, step } from "./command";
import { canary, canaryPhone } from "./facts";
import { newToken, type Person, recordCanary } from "./model";
import type { Operation } from "./scheduler";
import type { World } from "./world";

const by = "simulation";

function newPerson(world: World, hasEmail: boolean, sends: boolean): Person {
  const number = world.nextNumber();
  const email = hasEmail ? `${canary(number)}@canary.example` : "";
  const person: Person = {
    number,
    email,
    mobile: canaryPhone(number),
    sends,
    actions: [],
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
  "first-name": canary(number),
  "last-name": canary(number),
  source: "ba",
});

export function handOut(
  world: World,
  person: Person,
  { token, expiresAt }: Pick<IssuedLink, "token" | "expiresAt">,
  command: Operation,
): void {
  if (person.tokens.some((known) => known.token === token)) return;
  // A list gives the expiry to the minute, in Sydney's time.
  const [, day, minute, zone] = /^(\S{10}) (\d\d:\d\d) (AE[DS]T)$/.exec(expiresAt) ?? [];
  const expiryMs = Date.parse(day ? `${day}T${minute}:00${zone === "AEDT" ? "+11:00" : "+10:00"}` : expiresAt);
  const ends = day ? { expiresAt: expiryMs, latestExpiry: expiryMs + 60_000 } : { expiresAt: expiryMs };
  person.tokens.push(newToken(token, ++world.scheduler.tick, ends, command));
}

export async function invite(world: World, values: { hasEmail: boolean; sends: boolean; hold: number }): Promise<void> {
  const person = newPerson(world, values.hasEmail, values.sends);
  const invitation = requireInvitation(invitationOf(person));
  await runAction(
    world,
    person,
    { kind: "invite", canary: person.number },
    { name: "invitation", hold: values.hold },
    () => createInvitations([invitation], { by, send: values.sends }),
    (operation, issued) => {
      expectNoError(world, operation);
      for (const link of issued ?? []) handOut(world, person, link, operation);
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
    const persons = Array.from({ length: rows }, () => newPerson(world, hasEmail, sends));
    const csv = join(world.folder, `${world.lists.length}.csv`);
    const lines = persons.map((person) => headings.map((name) => invitationOf(person)[name]).join(","));
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

const expectedListErrors = /has an open application|Another list run/;

async function issueList(world: World, list: World["lists"][number], file: string, holdBefore: number): Promise<void> {
  if (!list.files.includes(file)) list.files.push(file);
  const { csv, batch, persons, sends } = list;
  const terms = { ...{ csv, batch, by, carried: [], allowDuplicates: false }, send: sends, preview: false };
  const actions = persons.map((person) => ({
    person,
    action: { kind: "invite" as const, began: 0, isCertain: false, time: world.now() },
  }));
  await world.run(
    { name: `list ${file}`, identity: "operations", holdBefore },
    () => issueIntoFile(terms, file),
    (operation) => {
      expectNoError(world, operation, expectedListErrors);
      for (const { action } of actions) Object.assign(action, { ended: operation.ended });
      if (operation.error === undefined) readLinks(world, file, persons, operation);
    },
    (operation) => {
      for (const { person, action } of actions) {
        person.actions.push(Object.assign(action, { operation, began: operation.began }));
        if (!world.model.canaries.has(person.number)) recordCanary(world.model, person.number, person, operation);
      }
    },
  );
}

/** Hands out the links that a finished command has written, and returns the persons who got one. */
export function readLinks(world: World, file: string, persons: Person[], command: Operation): Person[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").slice(1);
  return lines.flatMap((line) => {
    const person = persons.find(({ mobile }) => line.includes(mobile));
    const [, token = ""] = /token=([\w-]{43})/.exec(line) ?? [];
    const [expiry = ""] = line.split(",").slice(-1);
    if (!person || !token) return [];
    handOut(world, person, { token, expiresAt: expiry.trim().replace(/"/g, "") }, command);
    return [person];
  });
}

export const inviteSteps = [invites, listsOnce, listsAgain];
