import type { ApplicationStatus, StatusAfterSubmission } from "./statuses";

/**
 * The four steps (specification, section 2), numbered from 1. The window title differs from the heading, because a screen
 * reader reads both aloud and should not say the same thing twice.
 */
export const steps = {
  1: {
    title: "Landlord & property",
    heading: "Landlord & property details",
    windowTitle: "You and your property, step 1",
  },
  2: { title: "Agent details", heading: "Agency Details", windowTitle: "Your agent, step 2" },
  3: { title: "Lease & funds", heading: "Lease & funds", windowTitle: "Your lease and the advance, step 3" },
  4: { title: "Review & submit", heading: "Review your application", windowTitle: "Check and submit, step 4" },
} as const;

export type StepNumber = keyof typeof steps;

export const reviewStep = 4 satisfies StepNumber;
export type AnswerStep = Exclude<StepNumber, typeof reviewStep>;

export const stepNumbers = Object.keys(steps).map(Number) as StepNumber[];
export const answerSteps = stepNumbers.filter((step) => step !== reviewStep);

/** Apart from the texts of the statuses (statuses.ts), because every page loads this, and few pages show those. */
export function isSubmitted<A extends { status: ApplicationStatus }>(
  application: A,
): application is A & { status: StatusAfterSubmission } {
  return application.status !== "draft";
}

interface Progress {
  savedSteps: readonly AnswerStep[];
}

/** Where a returning applicant continues, on any device: the first step that is not saved yet. */
export function resumeStep({ savedSteps }: Progress): StepNumber {
  return answerSteps.find((step) => !savedSteps.includes(step)) ?? reviewStep;
}

/** The step to show when history or a link requests one. It is never beyond the first unsaved step. */
export function visitableStep(progress: Progress, requested: number): StepNumber {
  const furthest = resumeStep(progress);
  if (!Number.isInteger(requested)) return furthest;
  return Math.min(furthest, Math.max(1, requested)) as StepNumber;
}

export const isLanding = (pathname: string) => pathname === "/" || pathname === "/landing";

export const reviewPath = "/review&submit";

/** True also for the encoded path, because some mail clients encode the ampersand (next.config.mjs). */
export function isReviewPath(pathname: string): boolean {
  return pathname.replace("%26", "&") === reviewPath;
}

export const successPath = "/submit-success";
export const receiptPath = "/receipt";
export const unauthorizedPath = "/un-authorized";
export const stopPath = "/stop";
/** Screens without a session. They open with any token, or without one. */
export const openPaths = [unauthorizedPath, stopPath];
/** Every page: those of the specification (section 2), the receipt and the opt-out page. */
export const pagePaths = ["/", "/landing", "/home", reviewPath, successPath, receiptPath, ...openPaths];

/** Whether a link to this path stores its token: every page of the application does, the 401 page and a 404 do not. */
export function storesSession(pathname: string): boolean {
  return isReviewPath(pathname) || (pagePaths.includes(pathname) && !openPaths.includes(pathname));
}
