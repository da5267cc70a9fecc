-- DropForeignKey
ALTER TABLE "consent_records" DROP CONSTRAINT "consent_records_applicationId_fkey";

-- DropForeignKey
ALTER TABLE "events" DROP CONSTRAINT "events_applicationId_fkey";

-- DropForeignKey
ALTER TABLE "events" DROP CONSTRAINT "events_linkId_fkey";

-- DropForeignKey
ALTER TABLE "link_tokens" DROP CONSTRAINT "link_tokens_linkId_fkey";

-- DropForeignKey
ALTER TABLE "links" DROP CONSTRAINT "links_applicationId_fkey";

-- DropForeignKey
ALTER TABLE "message_attempts" DROP CONSTRAINT "message_attempts_messageId_fkey";

-- DropForeignKey
ALTER TABLE "messages" DROP CONSTRAINT "messages_applicationId_fkey";

-- DropIndex
DROP INDEX "applications_batch_idx";

-- AlterTable
ALTER TABLE "applications" ADD COLUMN     "rowHash" TEXT,
ALTER COLUMN "createdAt" SET DEFAULT now(),
ALTER COLUMN "updatedAt" SET DEFAULT now();

-- AlterTable
ALTER TABLE "consent_records" ADD COLUMN     "recordHash" TEXT,
ALTER COLUMN "consentedAt" SET DEFAULT now();

-- AlterTable
ALTER TABLE "events" ADD COLUMN     "databaseUser" TEXT NOT NULL DEFAULT SESSION_USER,
ALTER COLUMN "at" SET DEFAULT now();

-- AlterTable
ALTER TABLE "links" ALTER COLUMN "createdAt" SET DEFAULT now();

-- AlterTable
ALTER TABLE "message_attempts" ADD COLUMN     "contactedAt" TIMESTAMPTZ(3),
ALTER COLUMN "at" SET DEFAULT now();

-- AlterTable
ALTER TABLE "messages" ADD COLUMN     "firstDueAt" TIMESTAMPTZ(3),
ALTER COLUMN "dueAt" SET DEFAULT now(),
ALTER COLUMN "createdAt" SET DEFAULT now();

-- AlterTable
ALTER TABLE "suppressions" ALTER COLUMN "createdAt" SET DEFAULT now();

-- CreateIndex
CREATE UNIQUE INDEX "applications_batch_rowHash_key" ON "applications"("batch", "rowHash");

-- AddForeignKey
ALTER TABLE "links" ADD CONSTRAINT "links_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "applications"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "link_tokens" ADD CONSTRAINT "link_tokens_linkId_fkey" FOREIGN KEY ("linkId") REFERENCES "links"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "consent_records" ADD CONSTRAINT "consent_records_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "applications"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "applications"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_linkId_fkey" FOREIGN KEY ("linkId") REFERENCES "links"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "applications"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "message_attempts" ADD CONSTRAINT "message_attempts_messageId_fkey" FOREIGN KEY ("messageId") REFERENCES "messages"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- The same view with the login that wrote each event.
CREATE OR REPLACE VIEW "events_by_reference" AS
SELECT a."reference", e."at", e."kind", e."detail", e."by", e."reason", e."address", e."id" AS "number", e."databaseUser"
FROM "events" AS e LEFT JOIN "applications" AS a ON a."id" = e."applicationId"
ORDER BY e."id" DESC;

-- Locks the applications first. Whatever writes an answer, a link or a message of an application locks it as well: it commits
-- before the erasure, which then removes what it wrote, or it waits and finds its link revoked.
CREATE OR REPLACE FUNCTION erase_applications(ids uuid[], who text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  erased integer;
BEGIN
  PERFORM 1 FROM "applications" WHERE "id" = ANY (ids) ORDER BY "id" FOR UPDATE;
  PERFORM set_config('rent_advance.erasing', 'yes', true);
  PERFORM blank_columns('applications', 'id', ids, ARRAY['id', 'reference', 'status', 'source', 'batch', 'rowHash',
    'submittedAt', 'erasedAt', 'createdAt', 'updatedAt']);
  PERFORM blank_columns('events', 'applicationId', ids, ARRAY['id', 'applicationId', 'linkId', 'kind', 'detail', 'at', 'by',
    'databaseUser']);
  PERFORM blank_columns('consent_records', 'applicationId', ids, ARRAY['id', 'applicationId', 'version', 'document',
    'documentHash', 'answersHash', 'recordHash', 'reviewed', 'authoriseAgent', 'provideSelf', 'confirmLoan', 'consentedAt']);
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

-- As in the earlier migrations: replaced, the function lost its search path.
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION erase_applications(uuid[], text) SET search_path = %I, pg_temp', current_schema());
END;
$$;
