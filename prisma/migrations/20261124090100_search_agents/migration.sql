-- Figures since a day. Saves wait for both indexes, so docs/deploy/growth.md creates them before the upgrade where there are many
-- applications.
CREATE INDEX IF NOT EXISTS "applications_createdAt_idx" ON "applications"("createdAt");

-- What Prisma's schema cannot say.

-- A search finds the agent as well. The old index stays until the new one is there (the next migration). The expression is that of
-- lib/server/applications/search.ts; without pg_trgm every application is read, as before.
DO $$
DECLARE
  schema text;
BEGIN
  SELECT extnamespace::regnamespace INTO schema FROM pg_extension WHERE extname = 'pg_trgm';
  IF schema IS NULL THEN
    RETURN;
  END IF;
  EXECUTE format($index$CREATE INDEX IF NOT EXISTS "applications_search_agents" ON "applications" USING gin (search_text(
    "firstName" || ' ' || "invitedFirstName" || ' ' || "lastName" || ' ' || "invitedLastName" || ' ' || "email" || ' '
    || "invitedEmail" || ' ' || "propertyAddress" || ' ' || "invitedPropertyAddress" || ' ' || "agencyName" || ' '
    || "invitedAgencyName" || ' ' || "managerFirstName" || ' ' || "invitedManagerFirstName" || ' ' || "managerLastName" || ' '
    || "invitedManagerLastName" || ' ' || "managerEmail" || ' ' || "invitedManagerEmail") %s.gin_trgm_ops)$index$, schema);
  ALTER INDEX "applications_search_agents" ALTER COLUMN 1 SET STATISTICS 1000;
  IF EXISTS (SELECT FROM "applications") THEN
    ANALYZE "applications";
  END IF;
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported THEN
  RAISE NOTICE 'Searches by name go without an index: %', SQLERRM;
END;
$$;
