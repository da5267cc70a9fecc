import fc from "fast-check";
import { nextMigration, nextScript } from "@/__tests__/support/next-migration";
import { eraseOld } from "@/lib/server/applications/erase";
import { prisma } from "@/lib/server/db/client";
import { applyMigrations } from "@/lib/server/db/migrations";
import { expectNoError, hasPersons, hold, isBusy, personNumber, runAction, selectPerson, step } from "./command";
import { canary } from "./facts";
import { lastCertain, type Person } from "./model";
import { erase } from "./operator-steps";
import { passTime } from "./worker-steps";
import { isToBeSent, type World } from "./world";

const dayMs = 86_400_000;

/** Whether something was written after the person's erasure and has not been erased since. */
const isWrittenSince = (person: Person | undefined) =>
  person !== undefined && lastCertain(person, ["stray"], ["erase"]);

async function retain(
  world: World,
  { months, status, hold: holdBefore }: { months: number; status: "draft" | "submitted" | "declined"; hold: number },
): Promise<void> {
  const before = world.now() - months * 31 * dayMs - dayMs;
  const old =
    status === "draft"
      ? world.facts.applications.filter(
          ({ id, status: current, updatedAt, erasedAt }) =>
            current === "draft" &&
            Date.parse(updatedAt) < before &&
            !world.facts.lifetimes.some(({ application, begins, ends }) => {
              // A fresh link that was issued since keeps the application until it expires.
              return application === id && begins > Date.parse(updatedAt) && ends > world.now() - dayMs;
            }) &&
            !world.freshLinksOf(id).some(isToBeSent) &&
            (erasedAt === null || isWrittenSince(world.personOf(id))),
        )
      : [];
  const due = old.map(({ id, erasedAt }) => ({ id, erasedAt, freshLinks: world.freshLinksOf(id).length }));
  const began = world.scheduler.tick;
  await world.run(
    { name: `retention of ${status} after ${months}`, identity: "operations", holdBefore },
    () => eraseOld(status, months, "simulation"),
    (operation) => {
      expectNoError(world, operation);
      if (!operation.isDisturbed) world.expectErased(due, began);
    },
  );
}

const retains = step(
  "retention",
  { months: fc.constantFrom(1, 6), status: fc.constantFrom("draft", "submitted", "declined"), hold },
  retain,
);

const strays = {
  "an answer": `UPDATE applications SET "firstName" = $2 WHERE id = $1::uuid`,
  "an event": `INSERT INTO events ("applicationId", kind, address) VALUES ($1::uuid, 'link_opened', $2)`,
  "a recipient": `INSERT INTO messages ("applicationId", kind, channel, recipient, state)
    VALUES ($1::uuid, 'test', 'email', $2, 'cancelled')`,
};

const isDraft = (world: World) => (person: Person) =>
  world.facts.applications.some(({ id, status }) => id === person.application && status === "draft");
const isErasedDraft = (world: World) => (person: Person) => person.erasedAt !== undefined && isDraft(world)(person);

/** Whether no operation locks the application: the write could wait for another erasure and come only after that one. */
const isUnlocked = (world: World, person: Person) =>
  !isBusy(world, person) && !world.scheduler.underWay().some(({ name }) => /^(retention|list|reissue of)/.test(name));

/** No call writes after an erasure. A fault could, and so can anybody who has the app's database password. */
const writesAfterErasure = step(
  "write after an erasure",
  {
    personNumber,
    what: fc.constantFrom(...(Object.keys(strays) as (keyof typeof strays)[])),
    isRetained: fc.boolean(),
  },
  async (world, { personNumber: number, what, isRetained }) => {
    const person = selectPerson(world, number, isErasedDraft(world));
    // An application that was filled in again holds that person's answers, so it is erased again.
    if (!lastCertain(person, ["erase"], ["save", "submit"])) {
      await erase(world, person, 0);
      await world.check();
    }
    // The erasure waits for another operation.
    if (person.actions.some(({ kind, isCertain }) => kind === "erase" && !isCertain)) return;
    const value = world.nextNumber();
    await runAction(
      world,
      person,
      { kind: "stray", canary: value },
      { name: what, hold: 0, identity: "app" },
      // Prisma sends the statement only when it is awaited.
      async () => await prisma().$executeRawUnsafe(strays[what], person.application, canary(value)),
      (operation) => {
        expectNoError(world, operation);
        return operation.error === undefined;
      },
    );
    await world.check();
    if (!isRetained) return;
    await passTime(world, 35 * dayMs);
    await retain(world, { months: 1, status: "draft", hold: 0 });
  },
  (world, { personNumber: number }) => {
    if (!hasPersons(world)) return false;
    const person = selectPerson(world, number, isErasedDraft(world));
    return isDraft(world)(person) && isUnlocked(world, person);
  },
);

/**
 * A migration locks tables that the invariants read after each step. So it runs while no transaction is open, which it would
 * have to wait for. Operations that are under way continue with the next version's tables.
 */
const migrates = step(
  "migrate",
  // Rare, because a table never frees the slots of dropped columns, and it has 1,600 slots.
  { chance: fc.nat({ max: 7 }) },
  async (world) => {
    const expected = world.isMigrated ? [] : [nextMigration];
    await world.run(
      { name: "migration" },
      () => applyMigrations(world.environment.database.ownerUrl, { [nextMigration]: nextScript }),
      (operation, applied) => {
        expectNoError(world, operation);
        if (String(applied) !== String(expected)) world.fail(`The migration applied ${applied}, not ${expected}.`);
        world.isMigrated = true;
      },
    );
  },
  ({ scheduler }, { chance }) => chance === 0 && !scheduler.underWay().some(({ isInTransaction }) => isInTransaction),
);

export const upkeepSteps = [retains, writesAfterErasure, migrates];
