import "server-only";
import {
  type AgreedConsent,
  type ApplicationStatus,
  type ApplicationView,
  defaultAnswers,
  type InvitedAnswers,
} from "@/lib/domain/application";
import { centsOf, writeCents } from "@/lib/domain/money";
import type { ApplicationRow } from "./application-row";

/** As people write it: '2450' for the '2450.00' of the database. */
function amount(stored: string | null, otherwise: string): string {
  return stored === null ? otherwise : writeCents(centsOf(stored));
}

export function invitedAnswers(row: ApplicationRow): InvitedAnswers {
  return {
    firstName: row.invitedFirstName,
    lastName: row.invitedLastName,
    mobile: row.invitedMobile,
    email: row.invitedEmail,
    propertyAddress: row.invitedPropertyAddress,
    agencyName: row.invitedAgencyName,
    managerFirstName: row.invitedManagerFirstName,
    managerLastName: row.invitedManagerLastName,
    contactNumber: row.invitedContactNumber,
    managerEmail: row.invitedManagerEmail,
    invoiceAmount: amount(row.invitedInvoiceAmount, ""),
  };
}

function agreedConsent({ consentVersion, consentDocument, consentedAt }: ApplicationRow): AgreedConsent | null {
  if (consentVersion === null || consentDocument === null || consentedAt === null) return null;
  return { version: consentVersion, document: consentDocument, consentedAt: consentedAt.toISOString() };
}

/** What the applicant may see of the row: field by field, with the default where the server has none. */
export function toView(row: ApplicationRow): ApplicationView {
  const saved = [row.landlordSavedAt, row.agentSavedAt, row.leaseSavedAt];
  return {
    reference: row.reference,
    status: row.status.replace("_", "-") as ApplicationStatus,
    submittedAt: row.submittedAt?.toISOString() ?? null,
    consent: agreedConsent(row),
    firstName: row.firstName,
    lastName: row.lastName,
    mobile: row.mobile,
    email: row.email,
    propertyAddress: row.propertyAddress,
    source: row.source,
    agencyName: row.agencyName,
    managerFirstName: row.managerFirstName,
    managerLastName: row.managerLastName,
    contactNumber: row.contactNumber,
    managerEmail: row.managerEmail,
    leaseStartDate: row.leaseStartDate ?? "",
    leaseEndDate: row.leaseEndDate ?? "",
    currentRent: amount(row.currentRent, defaultAnswers.currentRent),
    invoiceAmount: amount(row.invoiceAmount, defaultAnswers.invoiceAmount),
    loanAmount: amount(row.loanAmount, defaultAnswers.loanAmount),
    approval: row.approval,
    authoriseAgent: row.authoriseAgent ?? defaultAnswers.authoriseAgent,
    provideSelf: row.provideSelf ?? defaultAnswers.provideSelf,
    confirmLoan: row.confirmLoan ?? defaultAnswers.confirmLoan,
    invited: invitedAnswers(row),
    savedSteps: [1, 2, 3].filter((step) => saved[step - 1] !== null),
  };
}
