-- AlterEnum
ALTER TYPE "EventKind" ADD VALUE 'reason_added';
ALTER TYPE "EventKind" ADD VALUE 'noted';
ALTER TYPE "EventKind" ADD VALUE 'taken';
ALTER TYPE "EventKind" ADD VALUE 'released';
ALTER TYPE "EventKind" ADD VALUE 'contact_corrected';

-- AlterTable
ALTER TABLE "applications" ADD COLUMN     "takenBy" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "data_reads" (
    "id" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "by" TEXT NOT NULL DEFAULT '',
    "databaseUser" TEXT NOT NULL DEFAULT SESSION_USER,
    "command" TEXT NOT NULL,
    "count" INTEGER,
    "reference" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "data_reads_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "data_reads_at_idx" ON "data_reads" USING BRIN ("at");

-- What Prisma's schema cannot say.

CREATE TRIGGER data_reads_are_immutable
  BEFORE UPDATE OR DELETE ON "data_reads"
  FOR EACH ROW EXECUTE FUNCTION refuse_change();

CREATE TRIGGER data_reads_are_not_truncated
  BEFORE TRUNCATE ON "data_reads"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- Who deals with an application changes after its submission.
CREATE OR REPLACE FUNCTION refuse_submitted_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  unmoved "applications" := NEW;
BEGIN
  unmoved."status" := OLD."status";
  unmoved."takenBy" := OLD."takenBy";
  unmoved."updatedAt" := OLD."updatedAt";
  IF (unmoved IS NOT DISTINCT FROM OLD AND NEW."status" <> 'draft') OR is_erasing(TG_RELID) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'A submitted application is never changed, but for its status';
END;
$$;

-- Corrects the email address or mobile of a draft's invitation (null: as it was), and the answer unless the applicant has given
-- another one. Operations may not write answers: this notes who did it, and what stood there before as the reason, which an
-- erasure removes. Returns whether there is such a draft.
CREATE FUNCTION correct_contact(of_application uuid, right_email text, right_mobile text, who text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  before "applications";
BEGIN
  SELECT * INTO before FROM "applications" WHERE "id" = of_application AND "status" = 'draft' AND "erasedAt" IS NULL FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE "applications" SET
    "email" = CASE WHEN "email" IN ('', "invitedEmail") THEN COALESCE(right_email, "email") ELSE "email" END,
    "mobile" = CASE WHEN "mobile" IN ('', "invitedMobile") THEN COALESCE(right_mobile, "mobile") ELSE "mobile" END,
    "invitedEmail" = COALESCE(right_email, "invitedEmail"), "invitedMobile" = COALESCE(right_mobile, "invitedMobile"),
    "updatedAt" = now()
  WHERE "id" = of_application;
  INSERT INTO "events" ("applicationId", "kind", "detail", "by", "reason")
  VALUES (of_application, 'contact_corrected', concat_ws(', ', CASE WHEN right_email IS NOT NULL THEN 'email' END,
    CASE WHEN right_mobile IS NOT NULL THEN 'mobile' END), who, 'it was ' || concat_ws(', ',
    CASE WHEN right_email IS NOT NULL THEN NULLIF(before."invitedEmail", '') END,
    CASE WHEN right_mobile IS NOT NULL THEN NULLIF(before."invitedMobile", '') END));
  RETURN true;
END;
$$;

REVOKE ALL ON FUNCTION correct_contact(uuid, text, text, text) FROM PUBLIC;
DO $$
DECLARE
  ours regprocedure;
BEGIN
  FOREACH ours IN ARRAY ARRAY['refuse_submitted_change()', 'correct_contact(uuid, text, text, text)']::regprocedure[] LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', ours, current_schema());
  END LOOP;
END;
$$;

-- Text as people look for it: in small letters, without accents and apostrophes, the same as searchText in
-- lib/domain/search-text.ts. What is ASCII already, nearly every row, takes the short way.
CREATE FUNCTION search_text(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN given ~ '[^ -~]' THEN
    lower(regexp_replace(normalize(replace(translate(given, 'øØđĐłŁı''’‘ʼ＇´`′', 'ooddlli'), 'ß', 'ss'), NFKD), '[\u0300-\u036f]', '', 'g'))
  ELSE lower(translate(given, '''`', '')) END
$$;

-- The list's search finds an email address, a property and an agency as well, as answered or as invited.
CREATE OR REPLACE VIEW "application_list" AS
SELECT
  a."reference", a."status", trim(a."firstName" || ' ' || a."lastName") AS "name", a."mobile",
  a."submittedAt" AS "submitted", a."createdAt" AS "invited", a."loanAmount", a."batch",
  a."reference" || ' ' || replace(a."reference", '-', '') || ' ' || a."mobile" || ' ' || search_text(
    a."firstName" || ' ' || a."lastName" || ' ' || a."email" || ' ' || a."propertyAddress" || ' ' || a."agencyName" || ' '
    || a."invitedFirstName" || ' ' || a."invitedLastName" || ' ' || a."invitedEmail" || ' ' || a."invitedPropertyAddress"
    || ' ' || a."invitedAgencyName")
    -- An Australian mobile as it is written at home.
    || CASE WHEN a."mobile" LIKE '61%' THEN ' 0' || substr(a."mobile", 3) || ' 0' || substr(a."mobile", 3, 3) || ' '
      || substr(a."mobile", 6, 3) || ' ' || substr(a."mobile", 9) ELSE '' END AS "foundBy",
  a."takenBy",
  CASE WHEN a."status" <> 'draft' THEN NULL WHEN a."landlordSavedAt" IS NULL THEN 1 WHEN a."agentSavedAt" IS NULL THEN 2
    WHEN a."leaseSavedAt" IS NULL THEN 3 ELSE 4 END AS "step",
  -- As text: a value that this migration adds to the enum cannot be used before it is committed.
  (SELECT e."reason" FROM "events" AS e WHERE e."applicationId" = a."id" AND e."kind"::text = 'noted'
    ORDER BY e."id" DESC LIMIT 1) AS "note"
FROM "applications" AS a
ORDER BY COALESCE(a."submittedAt", a."createdAt") DESC, a."reference";
