/**
 * What a landlord answers, step by step (specification, section 3). Every value is a string as it is typed and shown:
 * amounts in dollars ("2450.50"), dates as YYYY-MM-DD, phone numbers as digits with the dial code first ("61412345678").
 */
export interface LandlordAnswers {
  firstName: string;
  lastName: string;
  mobile: string;
  email: string;
  propertyAddress: string;
  /** Where the link came from ("ba", "ia" …): it chooses wording, never rights. */
  source: string;
}

export interface AgentAnswers {
  agencyName: string;
  managerFirstName: string;
  managerLastName: string;
  contactNumber: string;
  managerEmail: string;
}

export interface LeaseAnswers {
  leaseStartDate: string;
  leaseEndDate: string;
  /** Weekly, in dollars. */
  currentRent: string;
  invoiceAmount: string;
  /** The rental advance: invoice amount plus extra funds. */
  loanAmount: string;
  approval: string;
}

export interface ConsentAnswers {
  authoriseAgent: boolean;
  provideSelf: boolean;
  confirmLoan: boolean;
}

export type ApplicationAnswers = LandlordAnswers & AgentAnswers & LeaseAnswers & ConsentAnswers;

/** Numeric defaults are 0, text defaults are empty; two consent boxes start ticked (product.md, "Consent"). */
export const defaultAnswers: ApplicationAnswers = {
  firstName: "",
  lastName: "",
  mobile: "",
  email: "",
  propertyAddress: "",
  source: "",
  agencyName: "",
  managerFirstName: "",
  managerLastName: "",
  contactNumber: "",
  managerEmail: "",
  leaseStartDate: "",
  leaseEndDate: "",
  currentRent: "0",
  invoiceAmount: "0",
  loanAmount: "0",
  approval: "",
  authoriseAgent: true,
  provideSelf: false,
  confirmLoan: true,
};

/** The answers that an invitation can fill in. */
export const invitableFields = [
  "firstName",
  "lastName",
  "mobile",
  "email",
  "propertyAddress",
  "agencyName",
  "managerFirstName",
  "managerLastName",
  "contactNumber",
  "managerEmail",
  "invoiceAmount",
] as const;

export type InvitableField = (typeof invitableFields)[number];

/** What the invitation said; a field it left open is empty. */
export type InvitedAnswers = Record<InvitableField, string>;

/** The phone numbers are the applicant's to fill in only where the invitation left them empty (product.md, "Phones"). */
export const lockedWhenInvited = ["mobile", "contactNumber"] as const satisfies readonly InvitableField[];

export type ApplicationStatus = "draft" | "submitted" | "in-review" | "approved" | "declined";

/** What was agreed to at submission, as the consent record keeps it; which boxes were ticked is among the answers. */
export interface AgreedConsent {
  version: string;
  /** The very words that were shown (see readConsentDocument). */
  document: string;
  /** An ISO instant. */
  consentedAt: string;
}

/** An application as its applicant may see it: the `data` of user/verify-token. */
export interface ApplicationView extends ApplicationAnswers {
  reference: string;
  status: ApplicationStatus;
  /** When it was submitted, as an ISO instant; null while it is a draft. */
  submittedAt: string | null;
  /** Null while it is a draft. */
  consent: AgreedConsent | null;
  invited: InvitedAnswers;
  /** Which of the steps 1 to 3 the applicant has saved, in order. */
  savedSteps: number[];
}
