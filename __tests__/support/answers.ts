import { type AnswerName, type ApplicationAnswers, answers, namesOf, type StepAnswers } from "@/lib/domain/application";
import type { AnswerStep } from "@/lib/domain/journey";

/** A valid value per kind, for declared answers that this file does not name. */
export const likely = {
  text: "Something to read",
  email: "somebody@example.com",
  phone: "61298765432",
  date: "2026-03-01",
  money: "0",
  source: "",
  tick: false,
};

function completed<S extends AnswerStep>(step: S, known: Partial<StepAnswers[S]>): StepAnswers[S] {
  const names: AnswerName[] = namesOf(step);
  return { ...Object.fromEntries(names.map((name) => [name, likely[answers[name].kind]])), ...known } as StepAnswers[S];
}

/** Ordinary valid answers for each step. */
export const landlord = completed(1, {
  firstName: "Ada",
  lastName: "Byron",
  mobile: "61412345678",
  email: "ada@example.com",
  propertyAddress: "1 Wattle Lane, Sydney NSW 2000",
  source: "ba",
});

export const agent = completed(2, {
  agencyName: "Harbour Homes",
  managerFirstName: "Grace",
  managerLastName: "Hopper",
  contactNumber: "61298765432",
  managerEmail: "grace@harbour.example.com",
});

export const lease = completed(3, {
  leaseStartDate: "2026-03-01",
  leaseEndDate: "2027-02-28",
  currentRent: "300",
  invoiceAmount: "2450",
  loanAmount: "33650",
  approval: "",
});

export const consent: StepAnswers[4] = { authoriseAgent: true, provideSelf: false, confirmLoan: true };

/** The same by step: the compiler asks for a new one here. */
export const byStep: { [S in AnswerStep]: StepAnswers[S] } = { 1: landlord, 2: agent, 3: lease };
export const wholeApplication = { ...Object.assign({}, ...Object.values(byStep)), ...consent } as ApplicationAnswers;
