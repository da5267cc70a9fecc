-- AlterTable
ALTER TABLE "links" ADD COLUMN "device" TEXT;

-- Figures since a day.
CREATE INDEX "applications_createdAt_idx" ON "applications"("createdAt");

-- What Prisma's schema cannot say.

-- A search finds the agent as well. The expression is that of lib/server/applications/search.ts; without pg_trgm every
-- application is read, as before.
DROP INDEX IF EXISTS "applications_search";
DO $$
DECLARE
  schema text;
BEGIN
  SELECT extnamespace::regnamespace INTO schema FROM pg_extension WHERE extname = 'pg_trgm';
  IF schema IS NULL THEN
    RETURN;
  END IF;
  EXECUTE format($index$CREATE INDEX "applications_search" ON "applications" USING gin (search_text(
    "firstName" || ' ' || "invitedFirstName" || ' ' || "lastName" || ' ' || "invitedLastName" || ' ' || "email" || ' '
    || "invitedEmail" || ' ' || "propertyAddress" || ' ' || "invitedPropertyAddress" || ' ' || "agencyName" || ' '
    || "invitedAgencyName" || ' ' || "managerFirstName" || ' ' || "invitedManagerFirstName" || ' ' || "managerLastName" || ' '
    || "invitedManagerLastName" || ' ' || "managerEmail" || ' ' || "invitedManagerEmail") %s.gin_trgm_ops)$index$, schema);
  ALTER INDEX "applications_search" ALTER COLUMN 1 SET STATISTICS 1000;
  IF EXISTS (SELECT FROM "applications") THEN
    ANALYZE "applications";
  END IF;
END;
$$;

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
