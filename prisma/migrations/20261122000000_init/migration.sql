-- CreateEnum
CREATE TYPE "ApplicationStatus" AS ENUM ('draft', 'submitted', 'in_review', 'approved', 'declined');

-- CreateEnum
CREATE TYPE "EventKind" AS ENUM ('link_issued', 'link_opened', 'link_revoked', 'link_reissued', 'step_saved', 'submitted', 'status_changed', 'erased');

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
    "landlordSavedAt" TIMESTAMPTZ(3),
    "agentSavedAt" TIMESTAMPTZ(3),
    "leaseSavedAt" TIMESTAMPTZ(3),
    "submittedAt" TIMESTAMPTZ(3),
    "erasedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "applications_pkey" PRIMARY KEY ("id")
)
-- A row is updated some four times after its invitation. With free space on its page, Postgres puts the new version there
-- (a HOT update) and does not touch the indexes.
WITH (fillfactor = 80);

-- CreateTable
CREATE TABLE "links" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "applicationId" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
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
    "authoriseAgent" BOOLEAN NOT NULL,
    "provideSelf" BOOLEAN NOT NULL,
    "confirmLoan" BOOLEAN NOT NULL,
    "consentedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "address" TEXT NOT NULL DEFAULT '',
    "userAgent" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "consent_records_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "events" (
    "id" BIGSERIAL NOT NULL,
    "applicationId" UUID NOT NULL,
    "linkId" UUID,
    "kind" "EventKind" NOT NULL,
    "detail" TEXT NOT NULL DEFAULT '',
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "address" TEXT NOT NULL DEFAULT '',
    "by" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
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
CREATE UNIQUE INDEX "link_tokens_tokenHash_key" ON "link_tokens"("tokenHash");

-- CreateIndex
CREATE INDEX "links_applicationId_idx" ON "links"("applicationId");

-- CreateIndex
CREATE UNIQUE INDEX "consent_records_applicationId_key" ON "consent_records"("applicationId");

-- CreateIndex
CREATE INDEX "events_applicationId_id_idx" ON "events"("applicationId", "id");

-- AddForeignKey
ALTER TABLE "links" ADD CONSTRAINT "links_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "applications"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "consent_records" ADD CONSTRAINT "consent_records_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "applications"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_applicationId_fkey" FOREIGN KEY ("applicationId") REFERENCES "applications"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "events" ADD CONSTRAINT "events_linkId_fkey" FOREIGN KEY ("linkId") REFERENCES "links"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "link_tokens" ADD CONSTRAINT "link_tokens_linkId_fkey" FOREIGN KEY ("linkId") REFERENCES "links"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Tells the triggers below to let an erasure through. Any user can set the setting, so the current user has to be the owner of
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

-- Erases the personal data of these applications and revokes their links. Kept are reference, status, times, hashes,
-- versions, the boxes ticked, and who did what and when. SECURITY DEFINER: it runs as the owner of the tables, because the
-- app's user may not change events or consent records. Returns how many were erased.
CREATE FUNCTION erase_applications(ids uuid[], who text) RETURNS integer
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
  UPDATE "applications" SET "erasedAt" = now() WHERE "id" = ANY (ids);
  GET DIAGNOSTICS erased = ROW_COUNT;
  UPDATE "links" SET "revokedAt" = now() WHERE "applicationId" = ANY (ids) AND "revokedAt" IS NULL;
  INSERT INTO "events" ("applicationId", "kind", "by")
  SELECT "id", 'erased', who FROM "applications" WHERE "id" = ANY (ids);
  PERFORM set_config('rent_advance.erasing', '', true);
  RETURN erased;
END;
$$;

REVOKE ALL ON FUNCTION erase_applications(uuid[], text) FROM PUBLIC;

-- Pin the search path. Otherwise a caller could put a temporary table or a function of the same name in front of ours.
DO $$
DECLARE
  ours regprocedure;
BEGIN
  FOREACH ours IN ARRAY ARRAY['is_erasing(oid)', 'refuse_submitted_change()', 'refuse_change()',
    'blank_columns(regclass, text, uuid[], text[])', 'erase_applications(uuid[], text)']::regprocedure[]
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', ours, current_schema());
  END LOOP;
END;
$$;
