-- For the commands that ask for what came since a day: without these they read every application or event. Somebody is found by
-- a part of a name among all of them, as no index serves that but one of an extension, and a migration needs none.

-- Newest first, by the expression of lib/server/applications/filter.ts. Prisma's schema cannot name an expression.
CREATE INDEX "applications_came_at_idx" ON "applications" ((COALESCE("submittedAt", "createdAt")) DESC, "reference");

-- CreateIndex
-- Events are written in the order of their time, so a range of pages holds a range of times: this index costs next to nothing.
CREATE INDEX "events_at_idx" ON "events" USING BRIN ("at");

-- Until then Postgres knows nothing of the expression's values, and leaves its index alone.
ANALYZE "applications";
