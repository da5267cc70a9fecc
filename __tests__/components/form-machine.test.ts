import {
  editing,
  type FormEvent,
  type FormState,
  isBusy,
  nextState,
  noticesForStep,
  type Phase,
} from "@/components/form/form-machine";
import type { Failure } from "@/lib/client/api";
import { defaultAnswers } from "@/lib/domain/application";

const refusal: Failure = {
  success: false,
  status: 422,
  message: "Please check the marked answers",
  errors: { managerEmail: "Invalid email", agencyName: "Agency name is required", notAnAnswer: "is nobody's" },
};
const values = { ...defaultAnswers, managerEmail: "grace@" };

const events: Record<string, FormEvent> = {
  next: { type: "next", step: 2 },
  submit: { type: "submit", step: 4 },
  valid: { type: "valid" },
  invalid: { type: "invalid", messages: { agencyName: "Agency name is required" } },
  slow: { type: "slow" },
  done: { type: "done" },
  failed: { type: "failed", failure: refusal, values },
  dismiss: { type: "dismiss" },
};

const after = (phase: Phase, event: string) => nextState({ ...editing(2), phase }, events[event] as FormEvent).phase;

test.each<[Phase, string, Phase]>([
  ["editing", "next", "checking"],
  ["stopped", "next", "checking"],
  ["editing", "submit", "submitting"],
  ["stopped", "submit", "submitting"],
  ["checking", "invalid", "stopped"],
  ["checking", "valid", "saving"],
  ["saving", "slow", "waiting"],
  ["submitting", "slow", "waiting"],
  ["saving", "done", "editing"],
  ["waiting", "done", "editing"],
  ["submitting", "done", "editing"],
  ["saving", "failed", "stopped"],
  ["waiting", "failed", "stopped"],
  ["submitting", "failed", "stopped"],
  // A second tap changes nothing.
  ["checking", "next", "checking"],
  ["saving", "next", "saving"],
  ["waiting", "next", "waiting"],
  ["submitting", "next", "submitting"],
  ["saving", "submit", "saving"],
  ["submitting", "submit", "submitting"],
  // An event that comes too late changes nothing.
  ["editing", "valid", "editing"],
  ["editing", "slow", "editing"],
  ["stopped", "slow", "stopped"],
  ["stopped", "dismiss", "stopped"],
])("%s, then %s: %s", (phase, event, expected) => {
  expect(after(phase, event)).toBe(expected);
});

test.each<[Phase, boolean]>([
  ["editing", false],
  ["checking", true],
  ["saving", true],
  ["waiting", true],
  ["submitting", true],
  ["stopped", false],
])("%s is busy: %s", (phase, busy) => {
  expect(isBusy({ ...editing(1), phase })).toBe(busy);
});

function stopped(): FormState {
  return nextState(nextState(editing(2), { type: "next", step: 2 }), events.failed as FormEvent);
}

test("the fields that the server refused are listed in the order of the screen, each with the refused value", () => {
  const { problems, refused, submitError } = stopped();
  expect(problems).toEqual([
    { id: "agencyName", message: "Agency name is required" },
    { id: "managerEmail", message: "Invalid email" },
  ]);
  expect(refused).toEqual({
    agencyName: { value: "", message: "Agency name is required" },
    managerEmail: { value: "grace@", message: "Invalid email" },
  });
  expect(submitError?.message).toBe("Please check the marked answers");
});

test("a new attempt clears the error of the last one", () => {
  expect(nextState(stopped(), { type: "next", step: 2 })).toEqual({ ...editing(2), phase: "checking" });
});

test("dismissing the banner keeps the errors of the fields", () => {
  const { submitError, problems } = nextState(stopped(), { type: "dismiss" });
  expect([submitError, problems.length]).toEqual([null, 2]);
});

test("no other step shows the error, except the step that must be completed before submission", () => {
  expect(noticesForStep(stopped(), 3)).toEqual({ problems: [], submitError: null });
  const failure: Failure = { success: false, status: 422, message: "Step 2 isn't complete", incompleteStep: 2 };
  const state = nextState({ ...editing(4), phase: "submitting" }, { type: "failed", failure, values });
  expect([4, 3, 2].map((step) => noticesForStep(state, step as 2 | 3 | 4).submitError !== null)).toEqual([
    true,
    false,
    true,
  ]);
});
