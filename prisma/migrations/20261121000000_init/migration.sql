-- CreateEnum
CREATE TYPE "ApplicationStatus" AS ENUM ('draft', 'submitted', 'in_review', 'approved', 'declined');

-- CreateEnum
CREATE TYPE "EventKind" AS ENUM ('link_issued', 'link_opened', 'link_revoked', 'link_reissued', 'step_saved', 'submitted', 'status_changed');

-- CreateTable
CREATE TABLE "applications" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "reference" TEXT NOT NULL,
    "status" "ApplicationStatus" NOT NULL DEFAULT 'draft',
    "firstName" TEXT NOT NULL DEFAULT '',
    "lastName" TEXT NOT NULL DEFAULT '',
    "mobile" TEXT NOT NULL DEFAULT '',
    "email" TEXT NOT NULL DEFAULT '',
    "propertyAddress" TEXT NOT NULL DEFAULT '',
    "source" TEXT NOT NULL DEFAULT '',
    "agencyName" TEXT NOT NULL DEFAULT '',
    "managerFirstName" TEXT NOT NULL DEFAULT '',
    "managerLastName" TEXT NOT NULL DEFAULT '',
    "contactNumber" TEXT NOT NULL DEFAULT '',
    "managerEmail" TEXT NOT NULL DEFAULT '',
    "leaseStartDate" DATE,
    "leaseEndDate" DATE,
    "currentRent" DECIMAL(12,2),
    "invoiceAmount" DECIMAL(12,2),
    "loanAmount" DECIMAL(12,2),
    "approval" TEXT NOT NULL DEFAULT '',
    "invitedFirstName" TEXT NOT NULL DEFAULT '',
    "invitedLastName" TEXT NOT NULL DEFAULT '',
    "invitedMobile" TEXT NOT NULL DEFAULT '',
    "invitedEmail" TEXT NOT NULL DEFAULT '',
    "invitedPropertyAddress" TEXT NOT NULL DEFAULT '',
    "invitedAgencyName" TEXT NOT NULL DEFAULT '',
    "invitedManagerFirstName" TEXT NOT NULL DEFAULT '',
    "invitedManagerLastName" TEXT NOT NULL DEFAULT '',
    "invitedContactNumber" TEXT NOT NULL DEFAULT '',
    "invitedManagerEmail" TEXT NOT NULL DEFAULT '',
    "invitedInvoiceAmount" DECIMAL(12,2),
    "quotes" DECIMAL(12,2)[] DEFAULT ARRAY[]::DECIMAL(12,2)[],
    "landlordSavedAt" TIMESTAMPTZ(3),
    "agentSavedAt" TIMESTAMPTZ(3),
    "leaseSavedAt" TIMESTAMPTZ(3),
    "submittedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "applications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "links" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "applicationId" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "revokedAt" TIMESTAMPTZ(3),
    "openedAt" TIMESTAMPTZ(3),

    CONSTRAINT "links_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "link_tokens" (
    "linkId" UUID NOT NULL,
    "tokenHash" BYTEA NOT NULL,

    CONSTRAINT "link_tokens_pkey" PRIMARY KEY ("linkId")
);

-- CreateTable
CREATE TABLE "consent_records" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "applicationId" UUID NOT NULL,
    "version" TEXT NOT NULL,
    "document" TEXT NOT NULL,
    "documentHash" TEXT NOT NULL,
    "authoriseAgent" BOOLEAN NOT NULL,
    "provideSelf" BOOLEAN NOT NULL,
    "confirmLoan" BOOLEAN NOT NULL,
    "consentedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "address" TEXT NOT NULL,
    "userAgent" TEXT NOT NULL,

    CONSTRAINT "consent_records_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "events" (
    "id" BIGSERIAL NOT NULL,
    "applicationId" UUID NOT NULL,
    "linkId" UUID,
    "kind" "EventKind" NOT NULL,
    "detail" TEXT NOT NULL DEFAULT '',
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "address" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rate_limits" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE UNIQUE INDEX "applications_reference_key" ON "applications"("reference");

-- CreateIndex
CREATE INDEX "applications_status_submittedAt_idx" ON "applications"("status", "submittedAt");

-- CreateIndex
CREATE UNIQUE INDEX "link_tokens_tokenHash_key" ON "link_tokens"("tokenHash");

-- CreateIndex
CREATE INDEX "links_applicationId_idx" ON "links"("applicationId");

-- CreateIndex
CREATE UNIQUE INDEX "consent_records_applicationId_key" ON "consent_records"("applicationId");

-- CreateIndex
CREATE INDEX "events_applicationId_id_idx" ON "events"("applicationId", "id");

-- AddForeignKey
ALTER TABLE "links" ADD CONSTRAINT "links_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "applications"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "consent_records" ADD CONSTRAINT "consent_records_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "applications"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "applications"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_linkId_fkey" FOREIGN KEY ("linkId") REFERENCES "links"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "link_tokens" ADD CONSTRAINT "link_tokens_linkId_fkey" FOREIGN KEY ("linkId") REFERENCES "links"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
