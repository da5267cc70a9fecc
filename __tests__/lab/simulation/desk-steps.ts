import fc from "fast-check";
import { eraseApplication } from "@/lib/server/applications/erase";
import { addNote, releaseApplication, takeApplication } from "@/lib/server/applications/handling";
import { decide, type Shown, startReview, undo } from "@/lib/server/desk/decisions";
import { correctContact } from "@/lib/server/invitations/correct-contact";
import type { IssuedLink } from "@/lib/server/invitations/create-invitations";
import { reissueLink, revokeLinks } from "@/lib/server/invitations/links";
import { Refusal } from "@/lib/server/refusal";
import { expectNoError, hasPersons, holdUpTo, personNumber, runAction, selectPerson, step } from "./command";
import { hasSubmitted } from "./decision-steps";
import { canary } from "./facts";
import { handOut } from "./invite-steps";
import type { Kind, Person } from "./model";
import type { KnownPerson } from "./operator-steps";
import type { Operation } from "./scheduler";
import { releaseHeld } from "./worker-steps";
import type { World } from "./world";

/** What the buttons of the desk do, with the page that the person saw. The actions of app/desk call the same functions. */
interface Button {
  kind?: Kind;
  status?: string;
  /** Whether the press needs a new address. */
  corrects?: true;
  press: (reference: string, page: Shown & { takenBy: string }, by: string, email: string) => Promise<unknown>;
}

const terms = ({ version }: Shown, by: string) => ({ expiresDays: 30, by, send: false, seen: version });

/** Of two people who press these on the same page, one has an effect. */
const exclusive: Record<string, Button> = {
  ...Object.fromEntries(
    (["approved", "declined", "withdrawn", "paid"] as const).map((status): [string, Button] => [
      status,
      { kind: "status", status, press: (reference, page, by) => decide(reference, status, "", page, by) },
    ]),
  ),
  review: { kind: "status", status: "in-review", press: (reference, page, by) => startReview(reference, page, by) },
  undo: { kind: "status", press: (reference, page, by) => undo(reference, page, { by, role: "approver" }) },
  revoke: {
    kind: "revoke",
    press: async (reference, page, by) => {
      // Without a link the desk has no such button, and the press has no effect.
      if ((await revokeLinks(reference, by, page.version)) === 0) throw new Refusal("There was no link to revoke.");
    },
  },
  "new link": { kind: "reissue", press: (reference, page, by) => reissueLink(reference, terms(page, by)) },
  correction: {
    kind: "reissue",
    corrects: true,
    press: (reference, page, by, email) => correctContact(reference, { email }, terms(page, by)),
  },
  erase: { kind: "erase", press: (reference, page, by) => eraseApplication(reference, by, undefined, page.version) },
};
const others: Record<string, Button> = {
  take: { press: (reference, page, by) => takeApplication(reference, by, page.takenBy) },
  release: { press: (reference, page, by) => releaseApplication(reference, by, page.takenBy) },
  note: { press: (reference, page, by) => addNote(reference, "Call first", by, BigInt(page.version)) },
};
const buttons = { ...exclusive, ...others };

async function pageOf({ environment }: World, { reference }: KnownPerson): Promise<Shown & { takenBy: string }> {
  const { rows } = await environment.owner.query(
    `SELECT replace(status::text, '_', '-') AS status, "takenBy", status <> 'draft' AND "erasedAt" IS NOT NULL AND email = '' AS "isErased",
      (SELECT max(e.id)::text FROM events e WHERE e."applicationId" = a.id) AS version FROM applications a WHERE reference = $1`,
    [reference],
  );
  return rows[0];
}

/** Presses a button. Whether it had an effect is known once the operation has ended, unless it was disturbed. */
async function press(
  world: World,
  person: KnownPerson,
  [name, by, page]: [name: string, by: string, page: Awaited<ReturnType<typeof pageOf>>],
  hold: number,
): Promise<Operation | undefined> {
  const { kind, status, corrects, press } = buttons[name] as Button;
  const number = corrects && world.nextNumber();
  const email = number === undefined ? "" : `${canary(number)}@canary.example`;
  const work = () => press(person.reference, page, by, email);
  const judge = (operation: Operation) => {
    if (!(operation.error instanceof Refusal)) expectNoError(world, operation);
    return operation.error === undefined;
  };
  if (!kind) return world.run({ name: `${name} at the desk`, identity: "operations", holdBefore: hold }, work, judge);
  const planned = { kind, status, ...(corrects ? { canary: number, email } : {}) };
  await runAction(world, person, planned, { name: `${name} at the desk`, hold }, work, (operation, result) => {
    if (kind === "reissue" && result) handOut(world, person, result as IssuedLink, operation);
    const action = person.actions.find((candidate) => candidate.operation === operation);
    if (action && kind === "status") Object.assign(action, { isChange: true, status: status ?? result });
    return judge(operation);
  });
  return world.scheduler.operations.at(-1);
}

const hadEffect = (operation?: Operation) =>
  operation?.ended !== undefined && !operation.isDisturbed && operation.error === undefined;

const pressesAtOnce = step(
  "two people at the desk press buttons of one page",
  {
    personNumber,
    first: fc.constantFrom(...Object.keys(buttons)),
    second: fc.constantFrom(...Object.keys(buttons)),
    isSubmitted: fc.boolean(),
    hold: holdUpTo(7),
  },
  async (world, { personNumber, first, second, isSubmitted, hold }) => {
    const person = selectPerson(world, personNumber, (known: Person) => hasSubmitted(known) === isSubmitted);
    const page = await pageOf(world, person);
    const pressed = await press(world, person, [first, "casey", page], hold);
    const other = await press(world, person, [second, "robin", page], 0);
    await releaseHeld(world, (operation) => operation === pressed);
    const isExclusive = [first, second].every((name) => name in exclusive);
    if (isExclusive && hadEffect(pressed) && hadEffect(other))
      world.fail(`Both ${first} and ${second} had an effect on the page of person ${person.number}.`);
  },
  hasPersons,
);

export const deskSteps = [pressesAtOnce];
