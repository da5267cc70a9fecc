-- What Prisma's schema cannot say.

-- Part of a phone number is found by an index as well. The expression is that of lib/server/applications/search.ts. Saves wait while
-- the index is built, so docs/deploy/growth.md creates it before the upgrade where there are many applications.
DO $$
DECLARE
  schema text;
BEGIN
  SELECT extnamespace::regnamespace INTO schema FROM pg_extension WHERE extname = 'pg_trgm';
  IF schema IS NULL THEN
    RETURN;
  END IF;
  EXECUTE format($index$CREATE INDEX IF NOT EXISTS "applications_search_mobiles" ON "applications"
    USING gin (("mobile" || ' ' || "invitedMobile") %s.gin_trgm_ops)$index$, schema);
  ALTER INDEX "applications_search_mobiles" ALTER COLUMN 1 SET STATISTICS 1000;
  IF EXISTS (SELECT FROM "applications") THEN
    ANALYZE "applications";
  END IF;
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported THEN
  RAISE NOTICE 'Searches by phone number go without an index: %', SQLERRM;
END;
$$;
