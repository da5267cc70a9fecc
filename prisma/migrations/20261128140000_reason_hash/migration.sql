-- The leaf of a decision, an erasure or a reissue hashes "reasonHash" in place of the reason and the salt, so that everything
-- it hashes outlives an erasure. Events from before this migration have none: their leaves hash the reason and the salt.
ALTER TABLE "events" ADD COLUMN "reasonHash" TEXT;

-- As before, but it writes the hash of the reason as well.
CREATE OR REPLACE FUNCTION queue_evidence() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  NEW."salt" := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  NEW."reasonHash" := encode(sha256(convert_to(NEW."salt" || NEW."reason", 'UTF8')), 'hex');
  INSERT INTO "evidence_pending" ("eventId") VALUES (NEW."id");
  RETURN NEW;
END;
$$;

-- As before, but it keeps the hash of the reason, and its own event has the hash of what it keeps of the consent record
-- (keptHashOf in record-hash.ts). Without the salt, nobody can find the reason by trying values.
--
-- Erases the personal data of these applications and revokes their links. Kept are reference, status, times, hashes,
-- versions, the boxes ticked, and who did what and when. SECURITY DEFINER: it runs as the owner of the tables, because the
-- app's user may not change events or consent records. Returns how many were erased.
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
    'apiKeyId', 'submittedAt', 'erasedAt', 'createdAt', 'updatedAt']);
  PERFORM blank_columns('events', 'applicationId', ids, ARRAY['id', 'applicationId', 'linkId', 'kind', 'detail', 'at', 'by',
    'databaseUser', 'reasonHash']);
  PERFORM blank_columns('consent_records', 'applicationId', ids, ARRAY['id', 'applicationId', 'version', 'document',
    'documentHash', 'recordHash', 'reviewed', 'authoriseAgent', 'provideSelf', 'confirmLoan', 'consentedAt']);
  PERFORM erase_messages(ids);
  UPDATE "applications" SET "erasedAt" = now() WHERE "id" = ANY (ids);
  GET DIAGNOSTICS erased = ROW_COUNT;
  UPDATE "links" SET "revokedAt" = now() WHERE "applicationId" = ANY (ids) AND "revokedAt" IS NULL;
  INSERT INTO "events" ("applicationId", "kind", "by", "detail")
  SELECT a."id", 'erased', who, CASE WHEN c."id" IS NULL THEN '' ELSE 'record ' || encode(sha256(convert_to(concat_ws(E'\n',
    c."recordHash", c."version", c."documentHash", c."reviewed", c."authoriseAgent", c."provideSelf", c."confirmLoan",
    to_char(c."consentedAt" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), 'UTF8')), 'hex') END
  FROM "applications" AS a LEFT JOIN "consent_records" AS c ON c."applicationId" = a."id" WHERE a."id" = ANY (ids);
  PERFORM set_config('rent_advance.erasing', '', true);
  RETURN erased;
END;
$$;

DO $$
DECLARE
  ours regprocedure;
BEGIN
  FOREACH ours IN ARRAY ARRAY['queue_evidence()', 'erase_applications(uuid[], text)']::regprocedure[] LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', ours, current_schema());
  END LOOP;
END;
$$;
