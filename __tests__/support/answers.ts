import { defaultBrand } from "@/lib/brand";
import { maximumAdvance } from "@/lib/domain/advance";
import {
  type AnswerName,
  type ApplicationAnswers,
  answers,
  namesOf,
  type SavedAnswer,
  type StepAnswers,
  savedAnswers,
} from "@/lib/domain/application";
import { type AnswerStep, answerSteps } from "@/lib/domain/journey";
import { formatCents, writeCents } from "@/lib/domain/money";
import { answerSchema } from "@/lib/schemas/steps";

/** The most that can be advanced: as an answer, and as screens and messages show it. */
export const cap = writeCents(maximumAdvance);
export const shownCap = formatCents(maximumAdvance, defaultBrand);
/** The answer that is this many cents below the cap. */
export const belowCap = (cents: number) => writeCents(maximumAdvance - cents);
/** An amount that no cap allows, and a weekly rent of which two years are more than any cap. */
export const overCap = "900000";
export const rentOverCap = "5000";

/** A valid value for each kind of answer. */
const likely = {
  text: "Something to read",
  email: "somebody@example.com",
  phone: "61298765432",
  date: "2026-03-01",
  money: "0",
  source: "",
  checkbox: false,
};

/** Returns a valid value for a declared answer that this file does not name. */
function likelyValue(name: AnswerName): string | boolean {
  const { kind, options = {} } = answers[name];
  return kind === "choice" ? (Object.keys(options)[0] ?? "") : likely[kind];
}

function completed<S extends AnswerStep>(step: S, values: Partial<StepAnswers[S]>): StepAnswers[S] {
  const names = namesOf(step);
  return { ...Object.fromEntries(names.map((name) => [name, likelyValue(name)])), ...values } as StepAnswers[S];
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

/** These answers by step. The compiler requires an entry here for a new step. */
export const byStep: { [S in AnswerStep]: StepAnswers[S] } = { 1: landlord, 2: agent, 3: lease };
export const wholeApplication = { ...Object.assign({}, ...Object.values(byStep)), ...consent } as ApplicationAnswers;

/** Valid values that differ from the ones above, by kind, or by the name of an answer whose rule rejects that of its kind. */
const others: Record<string, string> = {
  text: "Something else to read",
  email: "somebody.else@example.com",
  phone: "61298760000",
  money: "2451.05",
  source: "ia",
};

/** Returns the step of an answer, and the data of that step with only this answer changed. */
export function changeOf(name: SavedAnswer): { step: AnswerStep; data: Record<string, string> } {
  const step = answerSteps.find((candidate) => name in byStep[candidate]) ?? 1;
  const data: Record<string, string> = { ...byStep[step] };
  const { kind, options = {} } = answers[name];
  const other = kind === "choice" ? Object.keys(options)[1] : (others[name] ?? others[kind]);
  // A date changes by a few days only, which keeps the order of the lease's dates.
  data[name] = kind === "date" ? (data[name] ?? "").replace(/.$/, "2") : (other ?? "");
  return { step, data };
}

/** Otherwise a new rule would make tests fail far from here. */
for (const name of savedAnswers) {
  const accepts = (value: unknown) => answerSchema(name, defaultBrand).safeParse(value).success;
  if (!accepts(wholeApplication[name]))
    throw new Error(`The sample value of ${name} breaks its rule: name one in answers.ts.`);
  if (!accepts(changeOf(name).data[name]))
    throw new Error(`The changed sample value of ${name} breaks its rule: name one in 'others' of answers.ts.`);
}

/** Texts that cannot be saved: with control characters, marks that reverse the direction, NUL, or unpaired surrogates. */
export const unsavable = [
  ...["a\tb", "a\x1b[2Jb", "a\x85b", "a\u202eb", "a\u2066b", "\0", "a\0b", "Ada\0"],
  ...["\ud800", "a\udfffb", "\ud83d ", "\udc00\ud800"],
];
