import {
  type AnswerStep,
  isReviewPath,
  isSubmitted,
  resumeStep,
  stepNumbers,
  steps,
  visitableStep,
} from "@/lib/domain/journey";
import type { ApplicationStatus } from "@/lib/domain/statuses";

test("the form has the four steps of the specification", () => {
  expect(stepNumbers.map((number) => `${number} ${steps[number].title}`)).toEqual([
    "1 Landlord & property",
    "2 Agent details",
    "3 Lease & funds",
    "4 Review & submit",
  ]);
  expect(stepNumbers.map((number) => steps[number].heading)).toEqual([
    "Landlord & property details",
    "Agency Details",
    "Lease & funds",
    "Review your application",
  ]);
});

test.each<[AnswerStep[], number]>([
  [[], 1],
  [[1], 2],
  [[1, 2], 3],
  [[1, 2, 3], 4],
  [[3, 1, 2], 4],
  [[1, 3], 2],
  [[2, 3], 1],
])("an applicant who has saved steps %j resumes at step %d", (savedSteps, step) => {
  expect(resumeStep({ savedSteps })).toBe(step);
});

test.each<[AnswerStep[], number, number]>([
  // Columns: saved steps, requested step, shown step.
  [[], 4, 1],
  [[1], 1, 1],
  [[1], 2, 2],
  [[1], 4, 2],
  [[1, 2, 3], 1, 1],
  [[1, 2, 3], 4, 4],
  [[1, 2, 3], 99, 4],
  [[1, 2], 0, 1],
  [[1, 2], -7, 1],
  [[1, 2], 1.5, 3],
  [[1, 2], Number.NaN, 3],
  [[1, 2], Number.POSITIVE_INFINITY, 3],
])("an applicant who has saved steps %j and requests step %p sees step %d", (savedSteps, asked, shown) => {
  expect(visitableStep({ savedSteps }, asked)).toBe(shown);
});

test.each<[ApplicationStatus, boolean]>([
  ["draft", false],
  ["submitted", true],
  ["in-review", true],
  ["approved", true],
  ["declined", true],
])("an application that is '%s' counts as submitted: %s", (status, submitted) => {
  expect(isSubmitted({ status })).toBe(submitted);
});

test.each([
  ["/review&submit", true],
  ["/review%26submit", true],
  ["/home", false],
  ["/review&submit/more", false],
  ["/%", false],
])("the path %s is the standalone review: %s", (path, isReview) => {
  expect(isReviewPath(path)).toBe(isReview);
});
