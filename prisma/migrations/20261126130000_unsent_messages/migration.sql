-- What Prisma's schema cannot say.

-- A worker reads the first due messages from an index. Before, each claim sorted all of them: with 300,000 due invitations, it read
-- 50 MB every second. The kinds are those that are commercial in lib/server/outbox/message-kinds.ts. Submissions fail
-- while the indexes are built, so docs/deploy/growth.md creates them before the upgrade where there are many messages.
CREATE INDEX IF NOT EXISTS "messages_due_idx" ON "messages" ("channel", "dueAt")
WHERE "state" IN ('waiting', 'sending') AND "kind" NOT IN ('invitation', 'reminder');
CREATE INDEX IF NOT EXISTS "messages_commercial_due_idx" ON "messages" ("channel", "dueAt")
WHERE "state" IN ('waiting', 'sending') AND "kind" IN ('invitation', 'reminder');

-- A stop or a bounce finds the waiting messages to its address. Before, it read all messages and, with millions, failed.
CREATE INDEX IF NOT EXISTS "messages_unsent_recipient_idx" ON "messages" (lower("recipient"))
WHERE "state" IN ('waiting', 'sending');
