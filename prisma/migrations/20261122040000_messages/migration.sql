-- CreateEnum
CREATE TYPE "MessageChannel" AS ENUM ('email', 'sms', 'webhook');

-- CreateEnum
CREATE TYPE "MessageState" AS ENUM ('waiting', 'sending', 'sent', 'delivered', 'failed', 'unknown', 'cancelled');

-- AlterTable
ALTER TABLE "applications" ADD COLUMN     "consentBasis" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "messages" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "number" BIGSERIAL NOT NULL,
    "applicationId" UUID,
    "kind" TEXT NOT NULL,
    "channel" "MessageChannel" NOT NULL,
    "recipient" TEXT NOT NULL DEFAULT '',
    "detail" TEXT NOT NULL DEFAULT '',
    "template" TEXT NOT NULL DEFAULT '',
    "state" "MessageState" NOT NULL DEFAULT 'waiting',
    "dueAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "providerId" TEXT NOT NULL DEFAULT '',
    "error" TEXT NOT NULL DEFAULT '',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sentAt" TIMESTAMPTZ(3),
    "by" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "message_attempts" (
    "id" BIGSERIAL NOT NULL,
    "messageId" UUID NOT NULL,
    "applicationId" UUID,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "endedAt" TIMESTAMPTZ(3),
    "outcome" TEXT NOT NULL DEFAULT '',
    "error" TEXT NOT NULL DEFAULT '',
    "stopHash" TEXT,

    CONSTRAINT "message_attempts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "suppressions" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "channel" "MessageChannel" NOT NULL,
    "addressHash" TEXT NOT NULL,
    "reason" TEXT NOT NULL DEFAULT '',
    "by" TEXT NOT NULL DEFAULT '',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "suppressions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "messages_number_key" ON "messages"("number");

-- CreateIndex
CREATE INDEX "messages_applicationId_idx" ON "messages"("applicationId");

-- CreateIndex
CREATE INDEX "messages_state_dueAt_idx" ON "messages"("state", "dueAt");

-- CreateIndex
CREATE INDEX "messages_channel_providerId_idx" ON "messages"("channel", "providerId");

-- CreateIndex
CREATE INDEX "messages_channel_sentAt_idx" ON "messages"("channel", "sentAt");

-- CreateIndex
CREATE UNIQUE INDEX "message_attempts_stopHash_key" ON "message_attempts"("stopHash");

-- CreateIndex
CREATE INDEX "message_attempts_messageId_idx" ON "message_attempts"("messageId");

-- CreateIndex
CREATE INDEX "message_attempts_applicationId_idx" ON "message_attempts"("applicationId");

-- CreateIndex
CREATE INDEX "message_attempts_at_idx" ON "message_attempts"("at");

-- CreateIndex
CREATE UNIQUE INDEX "suppressions_channel_addressHash_key" ON "suppressions"("channel", "addressHash");

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "applications"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "message_attempts" ADD CONSTRAINT "message_attempts_messageId_fkey" FOREIGN KEY ("messageId") REFERENCES "messages"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

CREATE VIEW "messages_by_reference" AS
SELECT
  a."reference", m."kind", m."channel", m."recipient", m."detail", m."state", m."dueAt" AS "due", m."sentAt" AS "sent",
  m."attempts", m."error", m."providerId", m."by", m."number"
FROM "messages" AS m LEFT JOIN "applications" AS a ON a."id" = m."applicationId"
ORDER BY m."number" DESC;

-- Messages name the person, and what is still to be sent would write to one who is erased. Of a stop only the hash is kept.
CREATE FUNCTION erase_messages(ids uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM blank_columns('messages', 'applicationId', ids, ARRAY['id', 'number', 'applicationId', 'kind', 'channel', 'detail',
    'template', 'state', 'dueAt', 'attempts', 'createdAt', 'sentAt', 'by']);
  PERFORM blank_columns('message_attempts', 'applicationId', ids, ARRAY['id', 'messageId', 'applicationId', 'at', 'endedAt',
    'outcome']);
  UPDATE "messages" SET "state" = 'cancelled'
  WHERE "applicationId" = ANY (ids) AND "state" IN ('waiting', 'sending') AND "channel" <> 'webhook';
END;
$$;

-- As in the init migration, and of the messages.
CREATE OR REPLACE FUNCTION erase_applications(ids uuid[], who text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  erased integer;
BEGIN
  PERFORM set_config('rent_advance.erasing', 'yes', true);
  PERFORM blank_columns('applications', 'id', ids, ARRAY['id', 'reference', 'status', 'source', 'submittedAt',
    'erasedAt', 'createdAt', 'updatedAt']);
  PERFORM blank_columns('events', 'applicationId', ids, ARRAY['id', 'applicationId', 'linkId', 'kind', 'detail', 'at', 'by']);
  PERFORM blank_columns('consent_records', 'applicationId', ids, ARRAY['id', 'applicationId', 'version', 'document',
    'documentHash', 'answersHash', 'reviewed', 'authoriseAgent', 'provideSelf', 'confirmLoan', 'consentedAt']);
  PERFORM erase_messages(ids);
  UPDATE "applications" SET "erasedAt" = now() WHERE "id" = ANY (ids);
  GET DIAGNOSTICS erased = ROW_COUNT;
  UPDATE "links" SET "revokedAt" = now() WHERE "applicationId" = ANY (ids) AND "revokedAt" IS NULL;
  INSERT INTO "events" ("applicationId", "kind", "by")
  SELECT "id", 'erased', who FROM "applications" WHERE "id" = ANY (ids);
  PERFORM set_config('rent_advance.erasing', '', true);
  RETURN erased;
END;
$$;

-- As in the init migration: with a search path that no caller can put something in front of. Replaced, it lost its own.
DO $$
DECLARE
  ours regprocedure;
BEGIN
  FOREACH ours IN ARRAY ARRAY['erase_messages(uuid[])', 'erase_applications(uuid[], text)']::regprocedure[]
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', ours, current_schema());
  END LOOP;
END;
$$;
