-- For the age of the oldest message that is not sent, which every probe and scrape asks for. Prisma's schema cannot name an
-- expression.
CREATE INDEX "messages_first_due_at_idx" ON "messages" ((COALESCE("firstDueAt", "dueAt"))) WHERE "state" IN ('waiting', 'sending');

-- Until then Postgres knows nothing of the expression's values, and leaves its index alone.
ANALYZE "messages";
