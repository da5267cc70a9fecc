import type { ApplicationStatus } from "@/lib/domain/application";
import { isSubmitted, resumeStep, steps, visitableStep } from "@/lib/domain/journey";

test("the form has four steps, titled as the specification titles them", () => {
  expect(steps.map(({ number, title }) => `${number} ${title}`)).toEqual([
    "1 Landlord & property",
    "2 Agent details",
    "3 Lease & funds",
    "4 Review & submit",
  ]);
  expect(steps.map(({ heading }) => heading)).toEqual([
    "Landlord & property details",
    "Agency Details",
    "Lease & funds",
    "Review your application",
  ]);
});

test.each([
  [[], 1],
  [[1], 2],
  [[1, 2], 3],
  [[1, 2, 3], 4],
  [[2, 3], 1],
  [[1, 3], 2],
])("who has saved the steps %j goes on at step %d", (savedSteps, step) => {
  expect(resumeStep({ savedSteps })).toBe(step);
});

test.each([
  [[], null, 1],
  [[], 4, 1],
  [[1], 1, 1],
  [[1], 3, 2],
  [[1, 2, 3], 2, 2],
  [[1, 2, 3], 4, 4],
  [[1, 2, 3], 9, 4],
  [[1, 2], 0, 1],
  [[1, 2], -3, 1],
  [[1, 2], 1.5, 3],
  [[1, 2], Number.NaN, 3],
])("who has saved %j and asks for step %p sees step %d", (savedSteps, asked, step) => {
  expect(visitableStep({ savedSteps }, asked)).toBe(step);
});

test.each<[ApplicationStatus, boolean]>([
  ["draft", false],
  ["submitted", true],
  ["in-review", true],
  ["approved", true],
  ["declined", true],
])("an application that is %s counts as submitted: %p", (status, submitted) => {
  expect(isSubmitted({ status })).toBe(submitted);
});
