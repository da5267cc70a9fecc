import fc from "fast-check";
import { setStatus } from "@/__tests__/support/set-status";
import { type SubmittedStatus, submittedStatuses } from "@/lib/domain/journey";
import { act, expectNoError, hasPersons, hold, selectPerson, step, who } from "./command";
import type { Person } from "./model";
import type { World } from "./world";

const by = "simulation";

export const hasSubmitted = ({ deeds }: Person) => deeds.some(({ kind }) => kind === "submit");

export async function decide(
  world: World,
  person: ReturnType<typeof selectPerson>,
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
      const deed = person.deeds.find((candidate) => candidate.operation === operation);
      if (deed && change) deed.isChange = change.before !== status;
      return change !== undefined;
    },
  );
}

const setsStatus = step(
  "set the status",
  { who, status: fc.constantFrom(...submittedStatuses), hold },
  async (world, { who, status, hold }) => decide(world, selectPerson(world, who, hasSubmitted), status, hold),
  hasPersons,
);

const changesBack = step(
  "change the status and change it back",
  { who, status: fc.constantFrom(...submittedStatuses) },
  async (world, { who, status }) => {
    const person = selectPerson(world, who, hasSubmitted);
    const before = world.facts.applications.find(({ id }) => id === person.application)?.status.replace("_", "-");
    await decide(world, person, status, 0);
    const back = submittedStatuses.find((status) => status === before);
    if (back) await decide(world, person, back, 0);
  },
  hasPersons,
);

export const decisionSteps = [setsStatus, changesBack];
