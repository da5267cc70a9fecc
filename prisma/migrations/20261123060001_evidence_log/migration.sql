-- AlterTable
ALTER TABLE "consent_records" ADD COLUMN "linkId" UUID,
ADD COLUMN "salt" TEXT;

-- AlterTable
ALTER TABLE "events" ADD COLUMN "salt" TEXT;

-- CreateTable
CREATE TABLE "evidence_log" (
    "index" BIGINT NOT NULL,
    "eventId" BIGINT,
    "entry" TEXT,
    "hash" TEXT NOT NULL,
    "subtrees" TEXT[],
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "root" TEXT,
    "key" TEXT,
    "signature" TEXT,

    CONSTRAINT "evidence_log_pkey" PRIMARY KEY ("index")
);

-- CreateTable
CREATE TABLE "evidence_pending" (
    "eventId" BIGINT NOT NULL,

    CONSTRAINT "evidence_pending_pkey" PRIMARY KEY ("eventId")
);

-- CreateIndex
CREATE UNIQUE INDEX "evidence_log_eventId_key" ON "evidence_log"("eventId");

-- AddForeignKey
ALTER TABLE "evidence_log" ADD CONSTRAINT "evidence_log_eventId_fkey" FOREIGN KEY ("eventId") REFERENCES "events"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- What Prisma's schema cannot say.

-- The few leaves of keys.
CREATE INDEX "evidence_log_keys_idx" ON "evidence_log" ("index") WHERE "entry" IS NOT NULL;

CREATE TRIGGER evidence_log_is_immutable
  BEFORE UPDATE OR DELETE ON "evidence_log"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER evidence_log_is_not_truncated
  BEFORE TRUNCATE ON "evidence_log"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Whoever writes such an event, it gets its salt and its place in the queue: the app, a function, or the version before this
-- one. SECURITY DEFINER: nobody else writes the queue.
CREATE FUNCTION queue_evidence() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  NEW."salt" := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  INSERT INTO "evidence_pending" ("eventId") VALUES (NEW."id");
  RETURN NEW;
END;
$$;

CREATE TRIGGER events_are_queued_as_evidence
  BEFORE INSERT ON "events"
  FOR EACH ROW WHEN (NEW."kind" IN ('submitted', 'status_changed', 'erased', 'link_reissued'))
  EXECUTE FUNCTION queue_evidence();

DO $$
BEGIN
  REVOKE ALL ON FUNCTION queue_evidence() FROM PUBLIC;
  EXECUTE format('ALTER FUNCTION queue_evidence() SET search_path = %I, pg_temp', current_schema());
END;
$$;
