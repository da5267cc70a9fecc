CREATE TYPE "ApplicationStatus" AS ENUM ('draft', 'submitted', 'in_review', 'approved', 'declined', 'withdrawn', 'paid');
CREATE TYPE "EventKind" AS ENUM ('link_issued', 'link_opened', 'link_revoked', 'link_reissued', 'step_saved', 'submitted',
  'status_changed', 'erased', 'reason_added', 'noted', 'taken', 'released', 'contact_corrected');
CREATE TYPE "MessageChannel" AS ENUM ('email', 'sms', 'webhook');
CREATE TYPE "MessageState" AS ENUM ('waiting', 'sending', 'sent', 'delivered', 'failed', 'unknown', 'cancelled');

-- Text as people look for it: in small letters, without accents and apostrophes, the same as searchText in
-- lib/domain/search-text.ts. translate() reads letter by letter, and lower() is slow in a collation other than "C". So text in
-- ASCII takes a short way, in a third of the time.
CREATE FUNCTION search_text(given text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
BEGIN
  -- ASCII, as nearly every row.
  IF octet_length(given) = char_length(given) THEN
    RETURN lower(replace(replace(given, '''', ''), '`', '') COLLATE "C");
  END IF;
  RETURN lower(regexp_replace(normalize(replace(translate(given, 'øØđĐłŁı''’‘‛ʻʼ＇´`′', 'ooddlli'), 'ß', 'ss'), NFKD), '[\u0300-\u036f]', '', 'g'));
END;
$$;

-- The tables.

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
    -- A search by words reads this: computing it for each of 600,000 applications took 130 ms, and reading it takes 8 ms.
    "searchText" TEXT NOT NULL GENERATED ALWAYS AS (search_text(
      "firstName" || ' ' || "invitedFirstName" || ' ' || "lastName" || ' ' || "invitedLastName" || ' ' || "email" || ' '
      || "invitedEmail" || ' ' || "propertyAddress" || ' ' || "invitedPropertyAddress" || ' ' || "agencyName" || ' '
      || "invitedAgencyName" || ' ' || "managerFirstName" || ' ' || "invitedManagerFirstName" || ' ' || "managerLastName" || ' '
      || "invitedManagerLastName" || ' ' || "managerEmail" || ' ' || "invitedManagerEmail"
    )) STORED,
    "batch" TEXT NOT NULL DEFAULT '',
    "rowHash" TEXT,
    "consentBasis" TEXT NOT NULL DEFAULT '',
    "takenBy" TEXT NOT NULL DEFAULT '',
    "apiKeyId" UUID,
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

CREATE TABLE "links" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "applicationId" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "revokedAt" TIMESTAMPTZ(3),
    "openedAt" TIMESTAMPTZ(3),
    "device" TEXT,

    CONSTRAINT "links_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "link_tokens" (
    "linkId" UUID NOT NULL,
    "tokenHash" BYTEA NOT NULL,

    CONSTRAINT "link_tokens_pkey" PRIMARY KEY ("linkId")
);

CREATE TABLE "consent_records" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "applicationId" UUID NOT NULL,
    "version" TEXT NOT NULL,
    "document" TEXT NOT NULL,
    "documentHash" TEXT NOT NULL,
    "answers" JSONB,
    "answersHash" TEXT,
    "receipt" JSONB,
    "reviewed" BOOLEAN NOT NULL DEFAULT false,
    "authoriseAgent" BOOLEAN NOT NULL,
    "provideSelf" BOOLEAN NOT NULL,
    "confirmLoan" BOOLEAN NOT NULL,
    "consentedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "address" TEXT NOT NULL DEFAULT '',
    "userAgent" TEXT NOT NULL DEFAULT '',
    "linkId" UUID,
    "salt" TEXT,
    "recordHash" TEXT,

    CONSTRAINT "consent_records_pkey" PRIMARY KEY ("id")
);

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
    "salt" TEXT,
    "reasonHash" TEXT,

    CONSTRAINT "events_pkey" PRIMARY KEY ("id")
);

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

CREATE TABLE "evidence_pending" (
    "eventId" BIGINT NOT NULL,

    CONSTRAINT "evidence_pending_pkey" PRIMARY KEY ("eventId")
);

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

CREATE TABLE "api_keys" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "name" TEXT NOT NULL,
    "keyHash" BYTEA NOT NULL,
    "scopes" TEXT[],
    "by" TEXT NOT NULL DEFAULT '',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "lastUsedAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "api_requests" (
    "keyId" UUID NOT NULL,
    "idempotencyKey" TEXT NOT NULL,
    "bodyHash" TEXT NOT NULL,
    "salt" TEXT NOT NULL,
    "answer" JSONB NOT NULL DEFAULT '[]',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "api_requests_pkey" PRIMARY KEY ("keyId","idempotencyKey")
);

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

CREATE TABLE "suppressions" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "channel" "MessageChannel" NOT NULL,
    "addressHash" TEXT NOT NULL,
    "reason" TEXT NOT NULL DEFAULT '',
    "by" TEXT NOT NULL DEFAULT '',
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "suppressions_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "fresh_link_requests" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "tokenHash" BYTEA NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),

    CONSTRAINT "fresh_link_requests_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "stored_figures" (
    "grouping" TEXT NOT NULL,
    "countedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT transaction_timestamp(),
    "figures" JSONB NOT NULL,

    CONSTRAINT "stored_figures_pkey" PRIMARY KEY ("grouping")
);

-- The counts of the rate limits are worthless after some minutes. An unlogged table has no write-ahead log, so counting a
-- save waits for no disk. A crash of Postgres empties this table, and no other.
CREATE UNLOGGED TABLE "rate_limits" (
    "key" VARCHAR(255) NOT NULL,
    "points" INTEGER NOT NULL DEFAULT 0,
    "expire" BIGINT,

    CONSTRAINT "rate_limits_pkey" PRIMARY KEY ("key")
);

-- What they refer to.
ALTER TABLE "links" ADD CONSTRAINT "links_applicationId_fkey"
  FOREIGN KEY ("applicationId") REFERENCES "applications"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "link_tokens" ADD CONSTRAINT "link_tokens_linkId_fkey"
  FOREIGN KEY ("linkId") REFERENCES "links"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "consent_records" ADD CONSTRAINT "consent_records_applicationId_fkey"
  FOREIGN KEY ("applicationId") REFERENCES "applications"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "events" ADD CONSTRAINT "events_applicationId_fkey"
  FOREIGN KEY ("applicationId") REFERENCES "applications"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "events" ADD CONSTRAINT "events_linkId_fkey"
  FOREIGN KEY ("linkId") REFERENCES "links"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "evidence_log" ADD CONSTRAINT "evidence_log_eventId_fkey"
  FOREIGN KEY ("eventId") REFERENCES "events"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "api_requests" ADD CONSTRAINT "api_requests_keyId_fkey"
  FOREIGN KEY ("keyId") REFERENCES "api_keys"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "messages" ADD CONSTRAINT "messages_applicationId_fkey"
  FOREIGN KEY ("applicationId") REFERENCES "applications"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;
ALTER TABLE "message_attempts" ADD CONSTRAINT "message_attempts_messageId_fkey"
  FOREIGN KEY ("messageId") REFERENCES "messages"("id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- The indexes of schema.prisma.
CREATE UNIQUE INDEX "applications_reference_key" ON "applications"("reference");
CREATE INDEX "applications_status_submittedAt_idx" ON "applications"("status", "submittedAt");
CREATE INDEX "applications_createdAt_idx" ON "applications"("createdAt");
CREATE INDEX "applications_mobile_idx" ON "applications"("mobile");
CREATE UNIQUE INDEX "applications_batch_rowHash_key" ON "applications"("batch", "rowHash");
CREATE INDEX "applications_rowHash_idx" ON "applications"("rowHash");
CREATE INDEX "links_applicationId_idx" ON "links"("applicationId");
CREATE INDEX "links_expiresAt_idx" ON "links"("expiresAt");
CREATE UNIQUE INDEX "link_tokens_tokenHash_key" ON "link_tokens"("tokenHash");
CREATE UNIQUE INDEX "consent_records_applicationId_key" ON "consent_records"("applicationId");
CREATE INDEX "events_applicationId_id_idx" ON "events"("applicationId", "id");
-- Rows of these tables are written in the order of their time, so a range of pages holds a range of times: BRIN costs next to
-- nothing.
CREATE INDEX "events_at_idx" ON "events" USING BRIN ("at");
CREATE INDEX "data_reads_at_idx" ON "data_reads" USING BRIN ("at");
CREATE INDEX "api_requests_createdAt_idx" ON "api_requests" USING BRIN ("createdAt");
CREATE UNIQUE INDEX "evidence_log_eventId_key" ON "evidence_log"("eventId");
CREATE UNIQUE INDEX "api_keys_name_key" ON "api_keys"("name");
CREATE UNIQUE INDEX "api_keys_keyHash_key" ON "api_keys"("keyHash");
CREATE UNIQUE INDEX "messages_number_key" ON "messages"("number");
CREATE INDEX "messages_applicationId_idx" ON "messages"("applicationId");
CREATE INDEX "messages_state_dueAt_idx" ON "messages"("state", "dueAt");
CREATE INDEX "messages_channel_providerId_idx" ON "messages"("channel", "providerId");
CREATE INDEX "messages_channel_sentAt_idx" ON "messages"("channel", "sentAt");
CREATE UNIQUE INDEX "message_attempts_stopHash_key" ON "message_attempts"("stopHash");
CREATE INDEX "message_attempts_messageId_idx" ON "message_attempts"("messageId");
CREATE INDEX "message_attempts_applicationId_idx" ON "message_attempts"("applicationId");
CREATE INDEX "message_attempts_at_idx" ON "message_attempts"("at");
-- The mail system and a person may both stop an address: what a person says is not lost where an email has bounced before.
CREATE UNIQUE INDEX "suppressions_channel_addressHash_by_key" ON "suppressions"("channel", "addressHash", "by");

-- From here on: what Prisma's schema cannot say.

-- Newest first, by the expression of lib/server/applications/search.ts.
CREATE INDEX "applications_came_at_idx" ON "applications" ((COALESCE("submittedAt", "createdAt")) DESC, "reference");

-- What somebody has taken, which few applications are. The expression is that of lib/server/applications/search.ts.
CREATE INDEX "applications_taken_by_idx" ON "applications" (lower("takenBy")) WHERE "takenBy" <> '';

-- A search by words and one by part of a phone number each read an index instead of every application, where the owner may
-- create the extension. Without it they find the same, by reading them all: docs/deploy/growth.md. The expressions are those of
-- lib/server/applications/search.ts.
DO $$
DECLARE
  schema text;
BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
  -- A schema that need not be in the search_path, where somebody else has created it.
  SELECT extnamespace::regnamespace INTO schema FROM pg_extension WHERE extname = 'pg_trgm';
  EXECUTE format('CREATE INDEX "applications_search" ON "applications" USING gin ("searchText" %s.gin_trgm_ops)', schema);
  EXECUTE format($index$CREATE INDEX "applications_search_mobiles" ON "applications"
    USING gin (("mobile" || ' ' || "invitedMobile") %s.gin_trgm_ops)$index$, schema);
  ALTER INDEX "applications_search_mobiles" ALTER COLUMN 1 SET STATISTICS 1000;
EXCEPTION WHEN insufficient_privilege OR undefined_file OR feature_not_supported THEN
  RAISE NOTICE 'Searches go without an index: %', SQLERRM;
END;
$$;
-- So that the planner can tell a name that many have, found soon among the newest, from one that few have.
ALTER TABLE "applications" ALTER COLUMN "searchText" SET STATISTICS 1000;

-- For the age of the oldest message that is not sent, which every probe and scrape asks for.
CREATE INDEX "messages_first_due_at_idx" ON "messages" ((COALESCE("firstDueAt", "dueAt"))) WHERE "state" IN ('waiting', 'sending');

-- A worker reads the first due messages from an index. Without it, each claim sorts all of them: of 300,000 due invitations, it
-- read 50 MB every second. The kinds are those that are commercial in lib/server/outbox/message-kinds.ts.
CREATE INDEX "messages_due_idx" ON "messages" ("channel", "dueAt")
WHERE "state" IN ('waiting', 'sending') AND "kind" NOT IN ('invitation', 'reminder');
CREATE INDEX "messages_commercial_due_idx" ON "messages" ("channel", "dueAt")
WHERE "state" IN ('waiting', 'sending') AND "kind" IN ('invitation', 'reminder');

-- A stop or a bounce finds the waiting messages to its address. Without it, it reads all messages and, with millions, fails.
CREATE INDEX "messages_unsent_recipient_idx" ON "messages" (lower("recipient"))
WHERE "state" IN ('waiting', 'sending');
-- ANALYZE keeps the statistics of an index that has become empty, and with them the addresses of people who were erased meanwhile.
-- The planner needs none to find an address.
ALTER INDEX "messages_unsent_recipient_idx" ALTER COLUMN 1 SET STATISTICS 0;

-- The few leaves of keys.
CREATE INDEX "evidence_log_keys_idx" ON "evidence_log" ("index") WHERE "entry" IS NOT NULL;

-- A leaf that cannot be read would stop the log and every export. The app may insert leaves, so a right is not enough to refuse
-- it. NOT VALID: a restore of a dump does not read the rows, so that one that was tampered with is reported by
-- 'npm run evidence -- verify' and stops no restore.
ALTER TABLE "evidence_log"
  ADD CONSTRAINT "evidence_log_hash_check" CHECK ("hash" ~ '^[0-9a-f]{64}$') NOT VALID,
  ADD CONSTRAINT "evidence_log_root_check" CHECK ("root" ~ '^[0-9a-f]{64}$') NOT VALID,
  -- As many subtrees end with a leaf as its number, counted from 1, can be divided by two.
  ADD CONSTRAINT "evidence_log_subtrees_check" CHECK (
    array_to_string("subtrees", ',', 'null') ~ '^([0-9a-f]{64}(,[0-9a-f]{64})*)?$'
    AND COALESCE(array_ndims("subtrees"), 1) = 1
    AND ("index" + 1) % (1::bigint << COALESCE(cardinality("subtrees"), 0)) = 0
    AND ("index" + 1) % (2::bigint << COALESCE(cardinality("subtrees"), 0)) <> 0
  ) NOT VALID,
  ADD CONSTRAINT "evidence_log_at_check" CHECK ("at" BETWEEN '2000-01-01Z' AND '9999-12-31Z') NOT VALID,
  ADD CONSTRAINT "evidence_log_entry_check" CHECK (json_typeof("entry"::json) = 'object') NOT VALID;

-- 'agent changed' where the applicant has corrected who the agent is, and the agent's number is still the invitation's, which
-- the applicant cannot change: the loan would be paid to an agent under another agent's number. As warningOf in
-- lib/domain/shown-answers.ts.
CREATE FUNCTION warning_of(a "applications") RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN a."invitedContactNumber" <> '' AND (
    (a."invitedAgencyName" <> '' AND a."invitedAgencyName" <> a."agencyName")
    OR (a."invitedManagerFirstName" <> '' AND a."invitedManagerFirstName" <> a."managerFirstName")
    OR (a."invitedManagerLastName" <> '' AND a."invitedManagerLastName" <> a."managerLastName")
    OR (a."invitedManagerEmail" <> '' AND a."invitedManagerEmail" <> a."managerEmail")
  ) THEN 'agent changed' ELSE '' END
$$;

-- Views for reading in Prisma Studio: by reference, and newest first. The list has the step, the last note and who has taken the
-- application as well. Studio's search looks for each word by itself, and for the digits of a number, in "foundBy". LEFT JOIN,
-- since to count rows Postgres then leaves the joined table out.
CREATE VIEW "application_list" AS
SELECT
  a."reference", a."status", trim(a."firstName" || ' ' || a."lastName") AS "name", a."mobile",
  a."submittedAt" AS "submitted", a."createdAt" AS "invited", a."loanAmount", a."batch",
  a."reference" || ' ' || replace(a."reference", '-', '') || ' ' || a."mobile" || ' ' || a."invitedMobile" || ' '
    || a."searchText" AS "foundBy",
  a."takenBy",
  CASE WHEN a."status" <> 'draft' THEN NULL WHEN a."landlordSavedAt" IS NULL THEN 1 WHEN a."agentSavedAt" IS NULL THEN 2
    WHEN a."leaseSavedAt" IS NULL THEN 3 ELSE 4 END AS "step",
  (SELECT e."reason" FROM "events" AS e WHERE e."applicationId" = a."id" AND e."kind"::text = 'noted'
    ORDER BY e."id" DESC LIMIT 1) AS "note",
  warning_of(a) AS "warning"
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

-- Whether the triggers below let a change through, for an erasure. Any user can set the setting, so the current user has to be
-- the owner of the table as well, which the app's user is only inside erase_applications (SECURITY DEFINER).
CREATE FUNCTION is_erasing(changed_table oid) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT coalesce(current_setting('rent_advance.erasing', true), '') = 'yes'
    AND pg_get_userbyid(relowner) = current_user
  FROM pg_class WHERE pg_class.oid = changed_table
$$;

-- After submission only the status and who deals with the application may change, and the status never back to draft: a draft's
-- answers can be changed. Postgres generates the search text after a trigger has run.
CREATE FUNCTION refuse_submitted_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  unmoved "applications" := NEW;
BEGIN
  unmoved."status" := OLD."status";
  unmoved."takenBy" := OLD."takenBy";
  unmoved."updatedAt" := OLD."updatedAt";
  unmoved."searchText" := OLD."searchText";
  IF (unmoved IS NOT DISTINCT FROM OLD AND NEW."status" <> 'draft') OR is_erasing(TG_RELID) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'A submitted application is never changed, but for its status';
END;
$$;

CREATE TRIGGER submitted_applications_are_immutable
  BEFORE UPDATE ON "applications"
  FOR EACH ROW WHEN (OLD."status" <> 'draft') EXECUTE FUNCTION refuse_submitted_change();

-- Consent records, events, the evidence log and the audited reads are inserted once, never changed or deleted.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND is_erasing(TG_RELID) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'A row of % is never changed or deleted', TG_TABLE_NAME;
END;
$$;

CREATE TRIGGER consent_records_are_immutable
  BEFORE UPDATE OR DELETE ON "consent_records" FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER consent_records_are_not_truncated
  BEFORE TRUNCATE ON "consent_records" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER events_are_immutable
  BEFORE UPDATE OR DELETE ON "events" FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER events_are_not_truncated
  BEFORE TRUNCATE ON "events" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER evidence_log_is_immutable
  BEFORE UPDATE OR DELETE ON "evidence_log" FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER evidence_log_is_not_truncated
  BEFORE TRUNCATE ON "evidence_log" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER data_reads_are_immutable
  BEFORE UPDATE OR DELETE ON "data_reads" FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER data_reads_are_not_truncated
  BEFORE TRUNCATE ON "data_reads" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

-- A link or a key of the API that was revoked never works again. Operations may revoke, and the app may write links, so a
-- right is not enough to refuse it.
CREATE FUNCTION refuse_revival() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The time of a revocation in % is never changed', TG_TABLE_NAME;
END;
$$;

CREATE TRIGGER revoked_links_stay_revoked
  BEFORE UPDATE ON "links"
  FOR EACH ROW WHEN (OLD."revokedAt" IS NOT NULL AND NEW."revokedAt" IS DISTINCT FROM OLD."revokedAt")
  EXECUTE FUNCTION refuse_revival();

CREATE TRIGGER revoked_keys_stay_revoked
  BEFORE UPDATE ON "api_keys"
  FOR EACH ROW WHEN (OLD."revokedAt" IS NOT NULL AND NEW."revokedAt" IS DISTINCT FROM OLD."revokedAt")
  EXECUTE FUNCTION refuse_revival();

-- A decision and an erasure are recorded by the functions that do them, which run as the owner of the tables. A submission is
-- recorded by whoever may insert its consent record: the app, not operations.
CREATE FUNCTION refuse_forged_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE')
    OR (NEW."kind" = 'submitted' AND has_table_privilege('consent_records', 'INSERT')) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'permission denied to insert an event of the kind %', NEW."kind" USING ERRCODE = 'insufficient_privilege';
END;
$$;

CREATE TRIGGER events_are_not_forged
  BEFORE INSERT ON "events"
  FOR EACH ROW WHEN (NEW."kind" IN ('submitted', 'status_changed', 'erased')) EXECUTE FUNCTION refuse_forged_event();

-- A leaf with a far index would stop the log: the next one would follow it, and the tree lacks those between. The app may
-- insert leaves, so a right is not enough to refuse it.
CREATE FUNCTION refuse_gap() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW."index" = COALESCE((SELECT max("index") FROM "evidence_log"), -1) + 1 THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'The next leaf of the evidence log cannot have the index %', NEW."index" USING ERRCODE = 'check_violation';
END;
$$;

CREATE TRIGGER evidence_log_has_no_gap
  BEFORE INSERT ON "evidence_log"
  FOR EACH ROW EXECUTE FUNCTION refuse_gap();

-- Whoever writes such an event, the app or a function, it gets its salt, the hash of its reason and its place in the queue. Its
-- leaf hashes "reasonHash" in place of the reason and the salt, so that everything it hashes outlives an erasure. Without the
-- salt, nobody can find the reason by trying values. SECURITY DEFINER: nobody else writes the queue.
CREATE FUNCTION queue_evidence() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  NEW."salt" := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  NEW."reasonHash" := encode(sha256(convert_to(NEW."salt" || NEW."reason", 'UTF8')), 'hex');
  INSERT INTO "evidence_pending" ("eventId") VALUES (NEW."id");
  RETURN NEW;
END;
$$;

CREATE TRIGGER events_are_queued_as_evidence
  BEFORE INSERT ON "events"
  FOR EACH ROW WHEN (NEW."kind" IN ('submitted', 'status_changed', 'erased', 'link_reissued'))
  EXECUTE FUNCTION queue_evidence();

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
-- versions, the boxes ticked, and who did what and when. Its own event has the hash of what it keeps of the consent record
-- (keptHashOf in record-hash.ts). The hash of the answers goes: it has no salt, so somebody could find the answers by trying.
-- "apiKeyId" names a key of the lender, not a person, and without it the system that created the invitation could no longer
-- read its status. SECURITY DEFINER: it runs as the owner of the tables, because the app's user may not change events or consent
-- records. Returns how many were erased.
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

-- Operations decide, but may not write a status: this notes who and why with it. SECURITY DEFINER: it runs as the owner of
-- the tables. Returns the status before. A draft stays one, since what was not submitted has nothing to decide.
-- FOR NO KEY UPDATE: with FOR UPDATE, a worker could not record that it had sent a message until a whole list of decisions was
-- done, and sent the message again.
CREATE FUNCTION set_application_status(of_application uuid, wanted "ApplicationStatus", who text, why text)
RETURNS "ApplicationStatus" LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  before "ApplicationStatus";
BEGIN
  SELECT "status" INTO before FROM "applications" WHERE "id" = of_application FOR NO KEY UPDATE;
  IF before <> 'draft' AND wanted NOT IN ('draft', before) THEN
    UPDATE "applications" SET "status" = wanted, "updatedAt" = now() WHERE "id" = of_application;
    INSERT INTO "events" ("applicationId", "kind", "detail", "by", "reason")
    VALUES (of_application, 'status_changed', replace(wanted::text, '_', '-') || CASE WHEN before = 'submitted' THEN ''
      ELSE ' (was ' || replace(before::text, '_', '-') || ')' END, who, why);
  END IF;
  RETURN before;
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

-- Which of these hashes belong to a link: operations may ask, and may read none.
CREATE FUNCTION known_token_hashes(given bytea[]) RETURNS SETOF bytea LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT "tokenHash" FROM "link_tokens" WHERE "tokenHash" = ANY (given)
$$;

-- The functions that run as the owner are not for everybody. And pin every search path: otherwise a caller could put a
-- temporary table or a function of the same name in front of ours. CREATE OR REPLACE removes the search_path of a function.
REVOKE ALL ON FUNCTION erase_applications(uuid[], text), set_application_status(uuid, "ApplicationStatus", text, text),
  known_token_hashes(bytea[]), correct_contact(uuid, text, text, text), queue_evidence(), refuse_gap()
FROM PUBLIC;
DO $$
DECLARE
  ours regprocedure;
BEGIN
  FOREACH ours IN ARRAY ARRAY['is_erasing(oid)', 'refuse_submitted_change()', 'refuse_change()', 'refuse_revival()',
    'refuse_forged_event()', 'refuse_gap()', 'queue_evidence()', 'blank_columns(regclass, text, uuid[], text[])',
    'erase_messages(uuid[])', 'erase_applications(uuid[], text)',
    'set_application_status(uuid, "ApplicationStatus", text, text)', 'correct_contact(uuid, text, text, text)',
    'known_token_hashes(bytea[])']::regprocedure[]
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', ours, current_schema());
  END LOOP;
END;
$$;
