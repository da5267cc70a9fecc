-- For the commands that ask for what came since a day, or for somebody by a part of a name or number: without these they read
-- every application or event.

-- Newest first, by the expression of lib/server/applications/filter.ts. Prisma's schema cannot name an expression.
CREATE INDEX "applications_came_at_idx" ON "applications" ((COALESCE("submittedAt", "createdAt")) DESC, "reference");

-- CreateIndex
-- Events are written in the order of their time, so a range of pages holds a range of times: this index costs next to nothing.
CREATE INDEX "events_at_idx" ON "events" USING BRIN ("at");

-- Parts of words, by the expressions of lib/server/applications/list.ts. pg_trgm comes with Postgres and needs no superuser. On
-- a server that lacks it, or where the owner may make no extension, finding somebody reads every application, as it did.
DO $$
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  CREATE INDEX "applications_found_by_idx" ON "applications" USING GIN (
    ("firstName" || ' ' || "lastName" || ' ' || "invitedFirstName" || ' ' || "invitedLastName") gin_trgm_ops,
    "mobile" gin_trgm_ops
  );
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_object THEN
  RAISE NOTICE 'Without pg_trgm, finding somebody by name reads every application: %', SQLERRM;
END;
$$;

-- Until then Postgres knows nothing of the expressions' values, and leaves their indexes alone.
ANALYZE "applications";
