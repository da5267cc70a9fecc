-- CreateEnum
CREATE TYPE "ApplicationStatus" AS ENUM ('draft', 'submitted', 'in_review', 'approved', 'declined');

-- CreateEnum
CREATE TYPE "EventKind" AS ENUM ('link_issued', 'link_opened', 'link_revoked', 'link_reissued', 'step_saved', 'submitted', 'status_changed', 'erased');

-- CreateEnum
CREATE TYPE "MessageChannel" AS ENUM ('email', 'sms', 'webhook');

-- CreateEnum
CREATE TYPE "MessageState" AS ENUM ('waiting', 'sending', 'sent', 'delivered', 'failed', 'unknown', 'cancelled');

-- CreateTable
CREATE TABLE "applications" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "reference" TEXT NOT NULL,
    "status" "ApplicationStatus" NOT NULL DEFAULT 'draft',
    "firstName" TEXT NOT NULL DEFAULT '',
    "lastName" TEXT NOT NULL DEFAULT '',
    "mobile" TEXT NOT NULL DEFAULT '',
    "email" TEXT NOT NULL DEFAULT '',
    "propertyAddress" TEXT NOT NULL DEFAULT '',
    "source" TEXT NOT NULL DEFAULT '',
    "agencyName" TEXT NOT NULL DEFAULT '',
    "managerFirstName" TEXT NOT NULL DEFAULT '',
    "managerLastName" TEXT NOT NULL DEFAULT '',
    "contactNumber" TEXT NOT NULL DEFAULT '',
    "managerEmail" TEXT NOT NULL DEFAULT '',
    "leaseStartDate" DATE,
    "leaseEndDate" DATE,
    "currentRent" DECIMAL(12,2),
    "invoiceAmount" DECIMAL(12,2),
    "loanAmount" DECIMAL(12,2),
    "approval" TEXT NOT NULL DEFAULT '',
    "invitedFirstName" TEXT NOT NULL DEFAULT '',
    "invitedLastName" TEXT NOT NULL DEFAULT '',
    "invitedMobile" TEXT NOT NULL DEFAULT '',
    "invitedEmail" TEXT NOT NULL DEFAULT '',
    "invitedPropertyAddress" TEXT NOT NULL DEFAULT '',
    "invitedAgencyName" TEXT NOT NULL DEFAULT '',
    "invitedManagerFirstName" TEXT NOT NULL DEFAULT '',
    "invitedManagerLastName" TEXT NOT NULL DEFAULT '',
    "invitedContactNumber" TEXT NOT NULL DEFAULT '',
    "invitedManagerEmail" TEXT NOT NULL DEFAULT '',
    "invitedInvoiceAmount" DECIMAL(12,2),
    "quotes" DECIMAL(12,2)[] DEFAULT ARRAY[]::DECIMAL(12,2)[],
    "batch" TEXT NOT NULL DEFAULT '',
    "rowHash" TEXT,
    "consentBasis" TEXT NOT NULL DEFAULT '',
    "landlordSavedAt" TIMESTAMPTZ(3),
    "agentSavedAt" TIMESTAMPTZ(3),
    "leaseSavedAt" TIMESTAMPTZ(3),
    "submittedAt" TIMESTAMPTZ(3),
    "erasedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "applications_pkey" PRIMARY KEY ("id")
)
-- A row is updated some four times after its invitation. With free space on its page, Postgres puts the new version there
-- (a HOT update) and does not touch the indexes.
WITH (fillfactor = 80);

-- CreateTable
CREATE TABLE "links" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "applicationId" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "revokedAt" TIMESTAMPTZ(3),
    "openedAt" TIMESTAMPTZ(3),

    CONSTRAINT "links_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "link_tokens" (
    "linkId" UUID NOT NULL,
    "tokenHash" BYTEA NOT NULL,

    CONSTRAINT "link_tokens_pkey" PRIMARY KEY ("linkId")
);

-- CreateTable
CREATE TABLE "consent_records" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "applicationId" UUID NOT NULL,
    "version" TEXT NOT NULL,
    "document" TEXT NOT NULL,
    "documentHash" TEXT NOT NULL,
    "answers" JSONB,
    "answersHash" TEXT,
    "reviewed" BOOLEAN NOT NULL DEFAULT false,
    "authoriseAgent" BOOLEAN NOT NULL,
    "provideSelf" BOOLEAN NOT NULL,
    "confirmLoan" BOOLEAN NOT NULL,
    "consentedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "address" TEXT NOT NULL DEFAULT '',
    "userAgent" TEXT NOT NULL DEFAULT '',
    "recordHash" TEXT,

    CONSTRAINT "consent_records_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "events" (
    "id" BIGSERIAL NOT NULL,
    "applicationId" UUID NOT NULL,
    "linkId" UUID,
    "kind" "EventKind" NOT NULL,
    "detail" TEXT NOT NULL DEFAULT '',
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "address" TEXT NOT NULL DEFAULT '',
    "by" TEXT NOT NULL DEFAULT '',
    "databaseUser" TEXT NOT NULL DEFAULT SESSION_USER,
    "reason" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

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
    "dueAt" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "firstDueAt" TIMESTAMPTZ(3),
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "providerId" TEXT NOT NULL DEFAULT '',
    "error" TEXT NOT NULL DEFAULT '',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "sentAt" TIMESTAMPTZ(3),
    "by" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "message_attempts" (
    "id" BIGSERIAL NOT NULL,
    "messageId" UUID NOT NULL,
    "applicationId" UUID,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "contactedAt" TIMESTAMPTZ(3),
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
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "suppressions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
-- The counts of the rate limits are worthless after some minutes. An unlogged table has no write-ahead log, so counting a
-- save waits for no disk. A crash of Postgres empties this table, and no other.
CREATE UNLOGGED TABLE "rate_limits" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);

-- CreateIndex
CREATE UNIQUE INDEX "applications_reference_key" ON "applications"("reference");

-- CreateIndex
CREATE INDEX "applications_status_submittedAt_idx" ON "applications"("status", "submittedAt");

-- CreateIndex
CREATE INDEX "applications_mobile_idx" ON "applications"("mobile");

-- CreateIndex
CREATE INDEX "applications_rowHash_idx" ON "applications"("rowHash");

-- CreateIndex
CREATE UNIQUE INDEX "applications_batch_rowHash_key" ON "applications"("batch", "rowHash");

-- CreateIndex
CREATE INDEX "links_applicationId_idx" ON "links"("applicationId");

-- CreateIndex
CREATE UNIQUE INDEX "link_tokens_tokenHash_key" ON "link_tokens"("tokenHash");

-- CreateIndex
CREATE UNIQUE INDEX "consent_records_applicationId_key" ON "consent_records"("applicationId");

-- CreateIndex
CREATE INDEX "events_applicationId_id_idx" ON "events"("applicationId", "id");

-- CreateIndex
-- Events are written in the order of their time, so a range of pages holds a range of times: this index costs next to nothing.
CREATE INDEX "events_at_idx" ON "events" USING BRIN ("at");

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

-- What Prisma's schema cannot say: indexes on expressions, views, triggers and functions.

-- Newest first, by the expression of lib/server/applications/search.ts.
CREATE INDEX "applications_came_at_idx" ON "applications" ((COALESCE("submittedAt", "createdAt")) DESC, "reference");

-- For the age of the oldest message that is not sent, which every probe and scrape asks for.
CREATE INDEX "messages_first_due_at_idx" ON "messages" ((COALESCE("firstDueAt", "dueAt"))) WHERE "state" IN ('waiting', 'sending');

-- Views for reading in Prisma Studio: by reference, and newest first. Its search looks for %words% in every column of text
-- that it is told of, which no index helps: the list has one for it, with every spelling that people look for. LEFT JOIN,
-- since to count rows Postgres then leaves the joined table out.
CREATE VIEW "application_list" AS
SELECT
  a."reference", a."status", trim(a."firstName" || ' ' || a."lastName") AS "name", a."mobile",
  a."submittedAt" AS "submitted", a."createdAt" AS "invited", a."loanAmount", a."batch",
  a."reference" || ' ' || replace(a."reference", '-', '') || ' ' || a."firstName" || ' ' || a."lastName" || ' ' || a."mobile"
    -- An Australian mobile as it is written at home.
    || CASE WHEN a."mobile" LIKE '61%' THEN ' 0' || substr(a."mobile", 3) || ' 0' || substr(a."mobile", 3, 3) || ' '
      || substr(a."mobile", 6, 3) || ' ' || substr(a."mobile", 9) ELSE '' END
    || CASE WHEN (a."invitedFirstName", a."invitedLastName") = (a."firstName", a."lastName") THEN ''
      ELSE ' ' || a."invitedFirstName" || ' ' || a."invitedLastName" END AS "foundBy"
FROM "applications" AS a
ORDER BY COALESCE(a."submittedAt", a."createdAt") DESC, a."reference";

CREATE VIEW "consents_by_reference" AS
SELECT
  a."reference", c."consentedAt", c."version", c."authoriseAgent", c."provideSelf", c."confirmLoan", c."reviewed",
  c."address", c."userAgent", c."document", c."documentHash", c."answers", c."answersHash"
FROM "consent_records" AS c LEFT JOIN "applications" AS a ON a."id" = c."applicationId"
ORDER BY c."consentedAt" DESC;

CREATE VIEW "events_by_reference" AS
SELECT a."reference", e."at", e."kind", e."detail", e."by", e."reason", e."address", e."id" AS "number", e."databaseUser"
FROM "events" AS e LEFT JOIN "applications" AS a ON a."id" = e."applicationId"
ORDER BY e."id" DESC;

CREATE VIEW "links_by_reference" AS
SELECT
  a."reference",
  CASE WHEN l."revokedAt" IS NOT NULL THEN 'revoked' WHEN l."expiresAt" <= now() THEN 'expired' ELSE 'works' END AS "state",
  l."createdAt" AS "issued", l."openedAt" AS "firstOpened", l."revokedAt" AS "revoked", l."expiresAt" AS "expires"
FROM "links" AS l LEFT JOIN "applications" AS a ON a."id" = l."applicationId"
ORDER BY l."createdAt" DESC;

CREATE VIEW "messages_by_reference" AS
SELECT
  a."reference", m."kind", m."channel", m."recipient", m."detail", m."state", m."dueAt" AS "due", m."sentAt" AS "sent",
  m."attempts", m."error", m."providerId", m."by", m."number"
FROM "messages" AS m LEFT JOIN "applications" AS a ON a."id" = m."applicationId"
ORDER BY m."number" DESC;

-- Whether the triggers below let a change through, for an erasure. Any user can set the setting, so the current user has to be the owner of
-- the table as well, which the app's user is only inside erase_applications (SECURITY DEFINER).
CREATE FUNCTION is_erasing(changed_table oid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(current_setting('rent_advance.erasing', true), '') = 'yes'
    AND pg_get_userbyid(relowner) = current_user
  FROM pg_class WHERE pg_class.oid = changed_table
$$;

-- After submission only the status may change, and never back to draft: a draft's answers can be changed.
CREATE FUNCTION refuse_submitted_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  unmoved "applications" := NEW;
BEGIN
  unmoved."status" := OLD."status";
  unmoved."updatedAt" := OLD."updatedAt";
  IF (unmoved IS NOT DISTINCT FROM OLD AND NEW."status" <> 'draft') OR is_erasing(TG_RELID) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'A submitted application is never changed, but for its status';
END;
$$;

CREATE TRIGGER submitted_applications_are_immutable
  BEFORE UPDATE ON "applications"
  FOR EACH ROW WHEN (OLD."status" <> 'draft') EXECUTE FUNCTION refuse_submitted_change();

-- Consent records and events are evidence: inserted once, never changed or deleted.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND is_erasing(TG_RELID) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'A row of % is never changed or deleted', TG_TABLE_NAME;
END;
$$;

CREATE TRIGGER consent_records_are_immutable
  BEFORE UPDATE OR DELETE ON "consent_records"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER consent_records_are_not_truncated
  BEFORE TRUNCATE ON "consent_records"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER events_are_immutable
  BEFORE UPDATE OR DELETE ON "events"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER events_are_not_truncated
  BEFORE TRUNCATE ON "events"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Sets every column that is not named as kept to its default, so a new column is erased unless it is named.
CREATE FUNCTION blank_columns(of_table regclass, owner_column text, ids uuid[], kept text[]) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  blanks text;
BEGIN
  SELECT string_agg(format('%I = DEFAULT', attname), ', ') INTO blanks
  FROM pg_attribute
  WHERE attrelid = of_table AND attnum > 0 AND NOT attisdropped AND attname <> ALL (kept);
  EXECUTE format('UPDATE %s SET %s WHERE %I = ANY ($1)', of_table, blanks, owner_column) USING ids;
END;
$$;

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

-- Erases the personal data of these applications and revokes their links. Kept are reference, status, times, hashes,
-- versions, the boxes ticked, and who did what and when. SECURITY DEFINER: it runs as the owner of the tables, because the
-- app's user may not change events or consent records. Returns how many were erased.
-- Locks the applications first. Whatever writes an answer, a link or a message of an application locks it as well: it commits
-- before the erasure, which then removes what it wrote, or it waits and finds its link revoked.
CREATE FUNCTION erase_applications(ids uuid[], who text) RETURNS integer
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

-- Operations decide, but may not write a status: this notes who and why with it. SECURITY DEFINER: it runs as the owner of
-- the tables. Returns the status before. A draft stays one, since what was not submitted has nothing to decide.
CREATE FUNCTION set_application_status(of_application uuid, wanted "ApplicationStatus", who text, why text)
RETURNS "ApplicationStatus" LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  before "ApplicationStatus";
BEGIN
  SELECT "status" INTO before FROM "applications" WHERE "id" = of_application FOR UPDATE;
  IF before <> 'draft' AND wanted NOT IN ('draft', before) THEN
    UPDATE "applications" SET "status" = wanted, "updatedAt" = now() WHERE "id" = of_application;
    INSERT INTO "events" ("applicationId", "kind", "detail", "by", "reason")
    VALUES (of_application, 'status_changed', replace(wanted::text, '_', '-') || CASE WHEN before = 'submitted' THEN ''
      ELSE ' (was ' || replace(before::text, '_', '-') || ')' END, who, why);
  END IF;
  RETURN before;
END;
$$;

-- Which of these hashes belong to a link: operations may ask, and may read none.
CREATE FUNCTION known_token_hashes(given bytea[]) RETURNS SETOF bytea LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT "tokenHash" FROM "link_tokens" WHERE "tokenHash" = ANY (given)
$$;

-- The functions that run as the owner are not for everybody. And pin every search path: otherwise a caller could put a
-- temporary table or a function of the same name in front of ours.
DO $$
DECLARE
  ours regprocedure;
BEGIN
  FOREACH ours IN ARRAY ARRAY['erase_applications(uuid[], text)',
    'set_application_status(uuid, "ApplicationStatus", text, text)', 'known_token_hashes(bytea[])']::regprocedure[]
  LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', ours);
  END LOOP;
  FOREACH ours IN ARRAY ARRAY['is_erasing(oid)', 'refuse_submitted_change()', 'refuse_change()',
    'blank_columns(regclass, text, uuid[], text[])', 'erase_messages(uuid[])', 'erase_applications(uuid[], text)',
    'set_application_status(uuid, "ApplicationStatus", text, text)', 'known_token_hashes(bytea[])']::regprocedure[]
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', ours, current_schema());
  END LOOP;
END;
$$;
