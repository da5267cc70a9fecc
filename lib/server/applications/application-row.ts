import "server-only";
import type { ConsentAnswers } from "@/lib/domain/application";
import type { Application } from "@/prisma/generated/client";

const texts = [
  "reference",
  "firstName",
  "lastName",
  "mobile",
  "email",
  "propertyAddress",
  "source",
  "agencyName",
  "managerFirstName",
  "managerLastName",
  "contactNumber",
  "managerEmail",
  "approval",
  "invitedFirstName",
  "invitedLastName",
  "invitedMobile",
  "invitedEmail",
  "invitedPropertyAddress",
  "invitedAgencyName",
  "invitedManagerFirstName",
  "invitedManagerLastName",
  "invitedContactNumber",
  "invitedManagerEmail",
] as const satisfies readonly (keyof Application)[];
const amounts = ["currentRent", "invoiceAmount", "loanAmount", "invitedInvoiceAmount"] as const;
const dates = ["leaseStartDate", "leaseEndDate"] as const;
const instants = ["landlordSavedAt", "agentSavedAt", "leaseSavedAt", "submittedAt"] as const;

/**
 * The columns of an application that a call needs, as they stand in a SELECT from `applications AS a`. By name: a prepared
 * `*` fails once when a migration adds a column under load. Dates as text: the driver would make each of them midnight in
 * this machine's time zone.
 */
export const applicationColumns = [
  ...["id", "status", ...texts, ...amounts, ...instants].map((column) => `a."${column}"`),
  ...dates.map((column) => `to_char(a."${column}", 'YYYY-MM-DD') AS "${column}"`),
].join(", ");

/** Empty until the application is submitted. */
type RecordedConsent = { [Box in keyof ConsentAnswers]: boolean | null } & {
  consentVersion: string | null;
  consentDocument: string | null;
  consentedAt: Date | null;
};

/**
 * An application as the database holds it, with what was consented to. Never leaves the server.
 * Amounts are dollars with two decimals, calendar dates YYYY-MM-DD.
 */
export type ApplicationRow = Pick<Application, "id" | "status" | (typeof texts)[number] | (typeof instants)[number]> &
  Record<(typeof amounts)[number] | (typeof dates)[number], string | null> &
  RecordedConsent;
