import type { ApplicationStatus, ApplicationView } from "./application";

/**
 * The four steps (specification, section 2), numbered from 1. The window's title differs from the heading: a screen
 * reader reads out both, and should not say the same twice.
 */
export const steps = [
  {
    number: 1,
    title: "Landlord & property",
    heading: "Landlord & property details",
    windowTitle: "You and your property, step 1",
  },
  { number: 2, title: "Agent details", heading: "Agency Details", windowTitle: "Your agent, step 2" },
  { number: 3, title: "Lease & funds", heading: "Lease & funds", windowTitle: "Your lease and the advance, step 3" },
  { number: 4, title: "Review & submit", heading: "Review your application", windowTitle: "Check and submit, step 4" },
] as const;

export type StepNumber = (typeof steps)[number]["number"];
/** The steps that are saved as answers; the fourth is the submission itself. */
export type AnswerStep = 1 | 2 | 3;

export type SubmittedStatus = Exclude<ApplicationStatus, "draft">;

export function isSubmitted<A extends Pick<ApplicationView, "status">>(
  application: A,
): application is A & { status: SubmittedStatus } {
  return application.status !== "draft";
}

/** Where a returning applicant continues: the first step that is not saved yet, on any device. */
export function resumeStep(application: Pick<ApplicationView, "savedSteps">): StepNumber {
  return ([1, 2, 3] as const).find((step) => !application.savedSteps.includes(step)) ?? 4;
}

/** The step to show when history or a link asks for one: never beyond the first unsaved step. */
export function visitableStep(application: Pick<ApplicationView, "savedSteps">, asked: number | null): StepNumber {
  const furthest = resumeStep(application);
  if (asked === null || !Number.isInteger(asked)) return furthest;
  return Math.min(furthest, Math.max(1, asked)) as StepNumber;
}
