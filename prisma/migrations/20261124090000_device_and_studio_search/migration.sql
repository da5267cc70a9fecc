-- AlterTable
ALTER TABLE "links" ADD COLUMN "device" TEXT;

-- What Prisma's schema cannot say.

-- Studio looks for each word by itself, and for the digits of a number, so that no way of writing one stands here.
CREATE OR REPLACE VIEW "application_list" AS
SELECT
  a."reference", a."status", trim(a."firstName" || ' ' || a."lastName") AS "name", a."mobile",
  a."submittedAt" AS "submitted", a."createdAt" AS "invited", a."loanAmount", a."batch",
  a."reference" || ' ' || replace(a."reference", '-', '') || ' ' || a."mobile" || ' ' || a."invitedMobile" || ' ' || search_text(
    a."firstName" || ' ' || a."lastName" || ' ' || a."email" || ' ' || a."propertyAddress" || ' ' || a."agencyName" || ' '
    || a."invitedFirstName" || ' ' || a."invitedLastName" || ' ' || a."invitedEmail" || ' ' || a."invitedPropertyAddress"
    || ' ' || a."invitedAgencyName" || ' ' || a."managerFirstName" || ' ' || a."managerLastName" || ' ' || a."managerEmail"
    || ' ' || a."invitedManagerFirstName" || ' ' || a."invitedManagerLastName" || ' ' || a."invitedManagerEmail") AS "foundBy",
  a."takenBy",
  CASE WHEN a."status" <> 'draft' THEN NULL WHEN a."landlordSavedAt" IS NULL THEN 1 WHEN a."agentSavedAt" IS NULL THEN 2
    WHEN a."leaseSavedAt" IS NULL THEN 3 ELSE 4 END AS "step",
  (SELECT e."reason" FROM "events" AS e WHERE e."applicationId" = a."id" AND e."kind"::text = 'noted'
    ORDER BY e."id" DESC LIMIT 1) AS "note",
  warning_of(a) AS "warning"
FROM "applications" AS a
ORDER BY COALESCE(a."submittedAt", a."createdAt") DESC, a."reference";
