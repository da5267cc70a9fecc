import type { AnswerStep, reviewStep, StepNumber } from "./journey";
import type { ApplicationStatus } from "./statuses";

/**
 * A checkbox is a boolean. Every other value is a string: amounts as "2450.50", dates as YYYY-MM-DD, phone numbers as digits with
 * the dial code first ("61412345678"), a choice as the name of its option. Each layer has one record of all kinds: empty values
 * below, schemas in lib/schemas/kinds.ts, fields in components/application/fields/answer-field.tsx, words in answer-text.ts,
 * columns in lib/server/db/application-row.ts.
 */
export type AnswerKind = "text" | "email" | "phone" | "date" | "money" | "choice" | "checkbox" | "source";

/** Declares one answer. Its error messages are in lib/schemas, its hint in components/application/steps, its column in schema.prisma. */
export interface Answer {
  kind: AnswerKind;
  /** Shown at the field, on the review and on the receipt. An answer without a label is never shown. */
  label?: string;
  /** Replaces the label where staff see the answer without the form's headings. */
  staffLabel?: string;
  /** Replaces the label for links with this source. */
  labelWithSource?: Record<string, string>;
  /** Asks for the answer only if the link has this source. */
  onlyWithSource?: string;
  /** The flag and CSV column of `npm run invite` that fills in the answer. */
  flag?: string;
  /** If an invitation has filled in the answer, the applicant cannot change it. */
  locks?: true;
  /** Declares when a locked answer may belong to somebody else. */
  warning?: Warning;
  /** The default of a checkbox. */
  ticked?: boolean;
  /** The options of a choice: name and shown text. The name is stored. */
  options?: Readonly<Record<string, string>>;
}

/** Siblings are answers about the same person. If one differs from the invitation, the number may be somebody else's. */
interface Warning {
  siblings: readonly string[];
  /** The question to the applicant, with a request to call. */
  question: string;
  /** The text in operations' lists. */
  text: string;
}

/** The single declaration of every answer, by step, in the order of the screen (specification, section 3). */
const stepAnswers = {
  1: {
    firstName: { kind: "text", label: "Full name", staffLabel: "First name", flag: "first-name" },
    lastName: { kind: "text", label: "Last name", flag: "last-name" },
    mobile: { kind: "phone", label: "Mobile", flag: "mobile", locks: true },
    email: { kind: "email", label: "Email address", flag: "email" },
    propertyAddress: { kind: "text", label: "Rental property address", flag: "property-address" },
    /** Where the link came from ("ba", "ia" …). It selects wording and grants no rights. */
    source: { kind: "source" },
  },
  2: {
    agencyName: { kind: "text", label: "Agency name", flag: "agency-name" },
    managerFirstName: { kind: "text", label: "Agent first name", flag: "agent-first-name" },
    managerLastName: { kind: "text", label: "Agent last name", flag: "agent-last-name" },
    contactNumber: {
      kind: "phone",
      label: "Agent mobile",
      flag: "agent-mobile",
      locks: true,
      warning: {
        siblings: ["agencyName", "managerFirstName", "managerLastName", "managerEmail"],
        question: "Changed agents?",
        text: "agent changed",
      },
    },
    managerEmail: { kind: "email", label: "Agent email address", flag: "agent-email" },
  },
  3: {
    leaseStartDate: { kind: "date", label: "Lease start date" },
    leaseEndDate: { kind: "date", label: "Lease end date" },
    currentRent: { kind: "money", label: "Current weekly rent" },
    /** The flag can be repeated. The highest quote counts. */
    invoiceAmount: {
      kind: "money",
      label: "Repair costs",
      labelWithSource: { ia: "Invoice or Repair Costs" },
      flag: "quote",
    },
    approval: { kind: "text", label: "Pre-approval number", onlyWithSource: "ia" },
    /** The rental advance: the invoice and the extra funds together. */
    loanAmount: { kind: "money", label: "Loan amount" },
  },
  4: {
    authoriseAgent: { kind: "checkbox", ticked: true },
    provideSelf: { kind: "checkbox", ticked: false },
    confirmLoan: { kind: "checkbox", ticked: true },
  },
} as const satisfies Record<StepNumber, Record<string, Answer>>;

type Declared = typeof stepAnswers;
type ValueOf<A> = A extends { kind: "checkbox" } ? boolean : string;

export type StepAnswers = { [S in StepNumber]: { -readonly [N in keyof Declared[S]]: ValueOf<Declared[S][N]> } };
export type ConsentAnswers = StepAnswers[typeof reviewStep];

export type AnswerName = { [S in StepNumber]: keyof Declared[S] }[StepNumber];
type DeclarationOf<N extends AnswerName> = {
  [S in StepNumber]: N extends keyof Declared[S] ? Declared[S][N] : never;
}[StepNumber];

export type ApplicationAnswers = { [N in AnswerName]: ValueOf<DeclarationOf<N>> };

/** The answers that are columns of `applications`. Consent has its own table. */
export type SavedAnswer = Exclude<AnswerName, keyof ConsentAnswers>;
export type InvitableAnswer = {
  [N in AnswerName]: DeclarationOf<N> extends { flag: string } ? N : never;
}[AnswerName];

/** Every answer by its name, in the order of the screens. */
export const answers: Record<AnswerName, Answer> = Object.assign({}, ...Object.values(stepAnswers));
export const answerNames = Object.keys(answers) as AnswerName[];
export const savedAnswers = answerNames.filter((name): name is SavedAnswer => answers[name].kind !== "checkbox");
export const invitableAnswers = savedAnswers.filter((name): name is InvitableAnswer => Boolean(answers[name].flag));

/** Distributes over the steps: for a step that may be any of several, a name may be any of theirs. */
type NameOf<S extends StepNumber> = S extends StepNumber ? keyof StepAnswers[S] & AnswerName : never;

/** The names of a step's answers, in the order of the screen. */
export function namesOf<S extends StepNumber>(step: S) {
  return Object.keys(stepAnswers[step]) as NameOf<S>[];
}

export const kindOf = (name: SavedAnswer) => answers[name].kind as Exclude<AnswerKind, "checkbox">;

export const optionsOf = (name: SavedAnswer) => answers[name].options ?? {};

/** The words of a chosen option. Any other answer is returned unchanged. */
export const optionWords = (name: SavedAnswer, answer: string) =>
  (kindOf(name) === "choice" && optionsOf(name)[answer]) || answer;

const emptyValues: Record<AnswerKind, string | boolean> = {
  text: "",
  email: "",
  phone: "",
  date: "",
  money: "0",
  choice: "",
  checkbox: false,
  source: "",
};

/** See docs/decisions/empty-amounts.md for the 0 of amounts, docs/decisions/consent-defaults.md for the checkboxes. */
export const defaultAnswers = Object.fromEntries(
  answerNames.map((name) => [name, answers[name].ticked ?? emptyValues[answers[name].kind]]),
) as ApplicationAnswers;

/** The name as people write it. The view `application_list` composes it in the same way. */
export function fullName({ firstName, lastName }: Pick<ApplicationAnswers, "firstName" | "lastName">): string {
  return `${firstName} ${lastName}`.trim();
}

export function labelOf(name: AnswerName, source = ""): string {
  const { label = "", labelWithSource } = answers[name];
  return labelWithSource?.[source] ?? label;
}

export const staffLabelOf = (name: AnswerName, source?: string) => answers[name].staffLabel ?? labelOf(name, source);

/** Whether the answer has a field on screen and a row on the review if the link has this source. */
export function isAskedFor(name: AnswerName, source: string): boolean {
  return answers[name].label !== undefined && fitsSource(name, source);
}

export function fitsSource(name: AnswerName, source: string): boolean {
  const { onlyWithSource = source } = answers[name];
  return onlyWithSource === source;
}

/** The invitation's values. A value that it did not give is ''. */
export type InvitedAnswers = Record<InvitableAnswer, string>;

/** The answers that this applicant cannot change: the phone numbers from the invitation. */
export function lockedAnswers(invited: InvitedAnswers): InvitableAnswer[] {
  return invitableAnswers.filter((name) => answers[name].locks && invited[name] !== "");
}

/** A part of a receipt, as text. The consent record keeps it, so that no later change of the app rewrites a receipt. */
export type ReceiptSection = {
  title: string;
  /** A row with a note has the one large amount. */
  rows: { label: string; text: string; note?: string }[];
  notes: string[];
};

/** The consent record of a submission. The ticked boxes are among the answers. */
export interface AgreedConsent {
  version: string;
  /** The exact text that was shown. readConsentDocument parses it. */
  document: string;
  /** As an ISO instant. */
  consentedAt: string;
  /** The answers, in the words and with the limits of that day. */
  receipt: ReceiptSection[];
}

export interface Receipt {
  reference: string;
  status: ApplicationStatus;
  /** An ISO instant. */
  submittedAt: string;
}

/** An application as its applicant may see it: the `data` of user/verify-token. */
export interface ApplicationView extends ApplicationAnswers {
  reference: string;
  status: ApplicationStatus;
  /** When it was submitted, as an ISO instant; null while it is a draft. */
  submittedAt: string | null;
  /** The version of the answers, which changes with any of them. A submission names the version that was reviewed. */
  version: string;
  /** Null while it is a draft. */
  consent: AgreedConsent | null;
  invited: InvitedAnswers;
  /** The steps that the applicant has saved, in order. */
  savedSteps: AnswerStep[];
}
