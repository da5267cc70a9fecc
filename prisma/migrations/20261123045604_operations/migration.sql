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
