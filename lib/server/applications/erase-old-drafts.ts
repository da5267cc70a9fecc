import "server-only";
import { prisma } from "@/lib/server/database/prisma";

/**
 * Retention: applications that were never submitted and not touched for so many months lose every personal value, in the
 * answers, the invitation and the events, and their links open nothing any more. Returns how many were erased.
 */
export async function eraseOldDrafts(months: number): Promise<number> {
  return prisma().$executeRaw`
    WITH erased AS (
      UPDATE applications SET
        "firstName" = '', "lastName" = '', "mobile" = '', "email" = '', "propertyAddress" = '',
        "agencyName" = '', "managerFirstName" = '', "managerLastName" = '', "contactNumber" = '', "managerEmail" = '',
        "leaseStartDate" = NULL, "leaseEndDate" = NULL, "currentRent" = NULL, "invoiceAmount" = NULL,
        "loanAmount" = NULL, "approval" = '',
        "invitedFirstName" = '', "invitedLastName" = '', "invitedMobile" = '', "invitedEmail" = '',
        "invitedPropertyAddress" = '', "invitedAgencyName" = '', "invitedManagerFirstName" = '',
        "invitedManagerLastName" = '', "invitedContactNumber" = '', "invitedManagerEmail" = '',
        "invitedInvoiceAmount" = NULL, "quotes" = '{}',
        "landlordSavedAt" = NULL, "agentSavedAt" = NULL, "leaseSavedAt" = NULL, "erasedAt" = now()
      WHERE status = 'draft' AND "erasedAt" IS NULL AND "updatedAt" < now() - make_interval(months => ${months}::int)
      RETURNING id
    ), closed AS (
      UPDATE links SET "revokedAt" = COALESCE("revokedAt", now()) FROM erased WHERE "applicationId" = erased.id
    ), unaddressed AS (
      UPDATE events SET address = '' FROM erased WHERE "applicationId" = erased.id
    )
    INSERT INTO events ("applicationId", kind) SELECT id, 'erased' FROM erased`;
}
