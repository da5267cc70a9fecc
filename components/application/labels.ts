import type { ApplicationAnswers } from "@/lib/domain/application";
import { asksForApproval } from "@/lib/domain/source";

/** The name of each answer, on its field and on the review. */
export const labels = {
  firstName: "Full name",
  lastName: "Last name",
  mobile: "Mobile",
  email: "Email address",
  propertyAddress: "Rental property address",
  agencyName: "Agency name",
  managerFirstName: "Agent first name",
  managerLastName: "Agent last name",
  contactNumber: "Agent mobile",
  managerEmail: "Agent email address",
  leaseStartDate: "Lease start date",
  leaseEndDate: "Lease end date",
  currentRent: "Current weekly rent",
  approval: "Pre-approval number",
  loanAmount: "Loan amount",
} as const satisfies Partial<Record<keyof ApplicationAnswers, string>>;

export const extraFundsLabel = "Extra funds";

export function invoiceLabel(source: string): string {
  return asksForApproval(source) ? "Invoice or Repair Costs" : "Repair costs";
}
