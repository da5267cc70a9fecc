import fc from "fast-check";
import { setStatus } from "@/__tests__/support/set-status";
import { type StatusAfterSubmission, statusesAfterSubmission } from "@/lib/domain/statuses";
import { expectNoError, hasPersons, hold, personNumber, runAction, selectPerson, step } from "./command";
import type { Person } from "./model";
import type { World } from "./world";

const by = "simulation";

export const hasSubmitted = ({ actions }: Person) => actions.some(({ kind }) => kind === "submit");

export async function decide(
  world: World,
  person: ReturnType<typeof selectPerson>,
  status: StatusAfterSubmission,
  hold: number,
): Promise<void> {
  await runAction(
    world,
    person,
    { kind: "status", status },
    { name: `status ${status}`, hold },
    () => setStatus(person.reference, status, { by }),
    (operation, change) => {
      expectNoError(world, operation, /has not been submitted yet|can be set to paid/);
      const action = person.actions.find((candidate) => candidate.operation === operation);
      if (action && change) action.isChange = change.before !== status;
      return change !== undefined;
    },
  );
}

const setsStatus = step(
  "set the status",
  { personNumber, status: fc.constantFrom(...statusesAfterSubmission), hold },
  async (world, { personNumber, status, hold }) =>
    decide(world, selectPerson(world, personNumber, hasSubmitted), status, hold),
  hasPersons,
);

const changesBack = step(
  "change the status and change it back",
  { personNumber, status: fc.constantFrom(...statusesAfterSubmission) },
  async (world, { personNumber, status }) => {
    const person = selectPerson(world, personNumber, hasSubmitted);
    const before = world.facts.applications.find(({ id }) => id === person.application)?.status.replace("_", "-");
    await decide(world, person, status, 0);
    const back = statusesAfterSubmission.find((status) => status === before);
    if (back) await decide(world, person, back, 0);
  },
  hasPersons,
);

export const decisionSteps = [setsStatus, changesBack];
