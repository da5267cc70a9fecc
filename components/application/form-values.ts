import {
  type AgentAnswers,
  type ApplicationAnswers,
  type ApplicationView,
  defaultAnswers,
  type LandlordAnswers,
  type LeaseAnswers,
  lockedWhenInvited,
} from "@/lib/domain/application";
import type { AnswerStep } from "@/lib/domain/journey";

export type FormValues = ApplicationAnswers;
export type AnswerName = keyof FormValues;

interface StepFields {
  1: keyof LandlordAnswers;
  2: keyof AgentAnswers;
  3: keyof LeaseAnswers;
}

/** The answers of each step, in the order of the screen. */
export const stepFields: { [S in AnswerStep]: readonly StepFields[S][] } = {
  1: ["firstName", "lastName", "mobile", "email", "propertyAddress", "source"],
  2: ["agencyName", "managerFirstName", "managerLastName", "contactNumber", "managerEmail"],
  3: ["leaseStartDate", "leaseEndDate", "currentRent", "invoiceAmount", "approval", "loanAmount"],
};

const amounts: readonly AnswerName[] = ["currentRent", "invoiceAmount", "loanAmount"];

/** An amount that nobody has given yet is an empty field, not a zero to delete. */
function isUngiven(application: ApplicationView, name: AnswerName): boolean {
  return amounts.includes(name) && application[name] === defaultAnswers[name] && !application.savedSteps.includes(3);
}

/** The application as the form holds it: the saved answers, or the defaults. */
export function formValues(application: ApplicationView, source: string): FormValues {
  const names = Object.keys(defaultAnswers) as AnswerName[];
  const answers = names.map((name) => [name, isUngiven(application, name) ? "" : application[name]]);
  return { ...(Object.fromEntries(answers) as FormValues), source };
}

/** The phone numbers that the invitation carried are read-only. */
export function isLocked(application: Pick<ApplicationView, "invited">, name: AnswerName): boolean {
  return lockedWhenInvited.some((locked) => locked === name && application.invited[locked] !== "");
}
