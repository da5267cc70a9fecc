-- A search reads the stored text instead of computing it for each application: two common names took 130 ms among 600,000
-- applications, and take 8 ms. This writes the table anew, so calls wait meanwhile: docs/deploy/growth.md.
DROP INDEX IF EXISTS "applications_search";
ALTER TABLE "applications" ADD COLUMN "searchText" TEXT NOT NULL GENERATED ALWAYS AS (search_text(
  "firstName" || ' ' || "invitedFirstName" || ' ' || "lastName" || ' ' || "invitedLastName" || ' ' || "email" || ' '
  || "invitedEmail" || ' ' || "propertyAddress" || ' ' || "invitedPropertyAddress" || ' ' || "agencyName" || ' '
  || "invitedAgencyName" || ' ' || "managerFirstName" || ' ' || "invitedManagerFirstName" || ' ' || "managerLastName" || ' '
  || "invitedManagerLastName" || ' ' || "managerEmail" || ' ' || "invitedManagerEmail")) STORED;
-- So that the planner can tell a name that many have, found soon among the newest, from one that few have.
ALTER TABLE "applications" ALTER COLUMN "searchText" SET STATISTICS 1000;

DO $$
DECLARE
  schema text;
BEGIN
  SELECT extnamespace::regnamespace INTO schema FROM pg_extension WHERE extname = 'pg_trgm';
  IF schema IS NOT NULL THEN
    EXECUTE format('CREATE INDEX "applications_search" ON "applications" USING gin ("searchText" %s.gin_trgm_ops)', schema);
  END IF;
EXCEPTION WHEN insufficient_privilege THEN
  RAISE NOTICE 'Searches by name go without an index: %', SQLERRM;
END;
$$;
ANALYZE "applications" ("searchText");

-- Postgres generates the text after a trigger has run.
CREATE OR REPLACE FUNCTION refuse_submitted_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  unmoved "applications" := NEW;
BEGIN
  unmoved."status" := OLD."status";
  unmoved."takenBy" := OLD."takenBy";
  unmoved."updatedAt" := OLD."updatedAt";
  unmoved."searchText" := OLD."searchText";
  IF (unmoved IS NOT DISTINCT FROM OLD AND NEW."status" <> 'draft') OR is_erasing(TG_RELID) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'A submitted application is never changed, but for its status';
END;
$$;

-- CREATE OR REPLACE removes the search_path of a function.
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION refuse_submitted_change() SET search_path = %I, pg_temp', current_schema());
END;
$$;

CREATE OR REPLACE VIEW "application_list" AS
SELECT
  a."reference", a."status", trim(a."firstName" || ' ' || a."lastName") AS "name", a."mobile",
  a."submittedAt" AS "submitted", a."createdAt" AS "invited", a."loanAmount", a."batch",
  a."reference" || ' ' || replace(a."reference", '-', '') || ' ' || a."mobile" || ' ' || a."invitedMobile" || ' '
    || a."searchText" AS "foundBy",
  a."takenBy",
  CASE WHEN a."status" <> 'draft' THEN NULL WHEN a."landlordSavedAt" IS NULL THEN 1 WHEN a."agentSavedAt" IS NULL THEN 2
    WHEN a."leaseSavedAt" IS NULL THEN 3 ELSE 4 END AS "step",
  (SELECT e."reason" FROM "events" AS e WHERE e."applicationId" = a."id" AND e."kind"::text = 'noted'
    ORDER BY e."id" DESC LIMIT 1) AS "note",
  warning_of(a) AS "warning"
FROM "applications" AS a
ORDER BY COALESCE(a."submittedAt", a."createdAt") DESC, a."reference";
