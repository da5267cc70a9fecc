import {
  editing,
  type FormState,
  type FormStateEvent,
  isBusy,
  isSubmitting,
  nextState,
  noticesForStep,
} from "@/components/application/saving/form-state";
import type { Failure } from "@/lib/client/api";
import type { StepNumber } from "@/lib/domain/journey";

const refusal: Failure = {
  success: false,
  status: 422,
  message: "Please check the marked answers",
  errors: { managerEmail: "Invalid email", agencyName: "Agency name is required", notAnAnswer: "is nobody's" },
};
const events: Record<string, FormStateEvent> = {
  start: { type: "start", step: 2 },
  invalid: { type: "invalid", messages: { agencyName: "Agency name is required" } },
  slow: { type: "slow" },
  done: { type: "done" },
  failed: { type: "failed", failure: refusal, sent: {} },
  dismiss: { type: "dismiss" },
};

type Activity = FormState["activity"];
const after = (activity: Activity, event: string) =>
  nextState({ ...editing(2), activity }, events[event] as FormStateEvent).activity;

test.each<[Activity, string, Activity]>([
  ["none", "start", "busy"],
  ["busy", "invalid", "none"],
  ["busy", "slow", "slow"],
  ["busy", "done", "none"],
  ["slow", "done", "none"],
  ["busy", "failed", "none"],
  ["slow", "failed", "none"],
  // A second tap changes nothing.
  ["busy", "start", "busy"],
  ["slow", "start", "slow"],
  // An event that comes too late changes nothing.
  ["none", "slow", "none"],
  ["none", "dismiss", "none"],
])("%s, then %s: %s", (activity, event, expected) => {
  expect(after(activity, event)).toBe(expected);
});

test.each<[Activity, boolean]>([
  ["none", false],
  ["busy", true],
  ["slow", true],
])("%s is busy: %s", (activity, busy) => {
  expect(isBusy({ ...editing(1), activity })).toBe(busy);
});

test.each<[Activity, StepNumber, boolean]>([
  ["none", 4, false],
  ["busy", 3, false],
  ["busy", 4, true],
  ["slow", 4, true],
])("%s at step %s disables typing: %s", (activity, step, isDisabled) => {
  expect(isSubmitting({ ...editing(step), activity })).toBe(isDisabled);
});

function stopped(): FormState {
  return nextState(nextState(editing(2), { type: "start", step: 2 }), events.failed as FormStateEvent);
}

test("the errors that the server reported are listed in the order of the fields", () => {
  const { problems, failed } = stopped();
  expect(problems).toEqual([
    { id: "agencyName", message: "Agency name is required" },
    { id: "managerEmail", message: "Invalid email" },
  ]);
  expect(failed?.failure.message).toBe("Please check the marked answers");
});

test("a new attempt clears the error of the last one", () => {
  expect(nextState(stopped(), { type: "start", step: 2 })).toEqual({ ...editing(2), activity: "busy" });
});

test("dismissing the banner keeps the errors of the fields", () => {
  const { failed, problems } = nextState(stopped(), { type: "dismiss" });
  expect([failed, problems.length]).toEqual([null, 2]);
});

test("no other step shows the error of a save", () => {
  expect(noticesForStep(stopped(), 3)).toEqual({ problems: [], failed: null });
});

test("every step shows that a submission has failed, and the incomplete step also shows its problems", () => {
  const failure: Failure = { ...refusal, incompleteStep: 2 };
  const state = nextState({ ...editing(4), activity: "busy" }, { type: "failed", failure, sent: {} });
  const notices = ([4, 3, 2] as const).map((step) => noticesForStep(state, step));
  expect(notices.map(({ failed }) => failed?.failure)).toEqual([failure, failure, failure]);
  expect(notices.map(({ problems }) => problems.length)).toEqual([0, 0, 2]);
});
