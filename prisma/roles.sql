-- The database users besides the owner of the tables, and what each may do (docs/decisions/three-identities.md):
--   app         the calls and the worker
--   operations  the commands
--   reader      Prisma Studio
-- 'npm run roles' applies this script as the owner; 'npm run --silent roles -- --sql' prints it with this database's names, for
-- an administrator. It can be run repeatedly. Each run sets the privileges of every role to exactly these.

SET LOCAL search_path = :"schema";

-- 1. The roles. A new role has no password, so it cannot log in until somebody sets one. A role belongs to the whole server, so
-- its name begins with the database's.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'app') THEN CREATE ROLE :"app" LOGIN; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'operations') THEN CREATE ROLE :"operations" LOGIN; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'reader') THEN CREATE ROLE :"reader" LOGIN; END IF;
END $$;

-- Time limits for connections through a pooler; a direct one sets statement_timeout itself (DATABASE_TIMEOUT_MS). A process
-- that freezes inside a transaction loses its locks. Operations write files inside a transaction, perhaps to a slow disk.
DO $$ BEGIN
  IF :'schema' <> 'public' THEN
    ALTER ROLE :"app" IN DATABASE :"database" SET search_path = :"schema";
    ALTER ROLE :"operations" IN DATABASE :"database" SET search_path = :"schema";
    ALTER ROLE :"reader" IN DATABASE :"database" SET search_path = :"schema";
  END IF;
  ALTER ROLE :"app" SET statement_timeout = '1500ms';
  ALTER ROLE :"app" SET idle_in_transaction_session_timeout = '10s';
  ALTER ROLE :"operations" SET statement_timeout = '30s';
  ALTER ROLE :"operations" SET idle_in_transaction_session_timeout = '5min';
  ALTER ROLE :"reader" SET statement_timeout = '5s';
  ALTER ROLE :"reader" SET idle_in_transaction_session_timeout = '10s';
EXCEPTION WHEN insufficient_privilege THEN
  RAISE NOTICE 'Only an administrator may set time limits of roles.';
END $$;

-- 2. Their privileges.
GRANT USAGE ON SCHEMA :"schema" TO :"app", :"operations", :"reader";

-- Each table and view: its name, what the app may do with it, and whether operations and the reader may read it whole.
-- The app inserts consent records and events but never changes them, and it never deletes an application or a link. Nobody but
-- the app reads the hashes of tokens and keys.
DO $$ DECLARE
  relation text;
  by_app text;
  is_read boolean;
BEGIN
  FOR relation, by_app, is_read IN VALUES
    ('_prisma_migrations', 'SELECT', true),
    ('applications', 'SELECT, INSERT, UPDATE', true),
    ('links', 'SELECT, INSERT, UPDATE', true),
    ('link_tokens', 'SELECT, INSERT', false),
    ('consent_records', 'SELECT, INSERT', true),
    -- The database itself writes an event's login and the number that orders the events.
    ('events', 'SELECT, INSERT ("applicationId", "linkId", "kind", "detail", "at", "address", "by", "reason")', true),
    ('messages', 'SELECT, INSERT, UPDATE', true),
    ('message_attempts', 'SELECT, INSERT, UPDATE', true),
    ('suppressions', 'SELECT, INSERT', true),
    ('rate_limits', 'SELECT, INSERT, UPDATE, DELETE', true),
    -- A call inserts a request for a fresh link, and the worker deletes it.
    ('fresh_link_requests', 'SELECT, INSERT, DELETE', false),
    -- The worker appends to the evidence log. The database itself fills its queue.
    ('evidence_log', 'SELECT, INSERT', true),
    ('evidence_pending', 'SELECT, DELETE', true),
    -- The weekly email reads the figures that operations store.
    ('stored_figures', 'SELECT', true),
    ('api_keys', 'SELECT, UPDATE ("lastUsedAt")', false),
    ('api_requests', 'SELECT, INSERT, UPDATE, DELETE', true),
    ('data_reads', '', true),
    -- Who is signed in to the desk is operations' alone: the reader would show it in Studio.
    ('desk_sessions', '', false),
    ('application_list', '', true),
    ('consents_by_reference', '', true),
    ('events_by_reference', '', true),
    ('links_by_reference', '', true),
    ('messages_by_reference', '', true)
  LOOP
    EXECUTE format('REVOKE ALL ON %I FROM %I, %I, %I', relation, :'app', :'operations', :'reader');
    IF by_app <> '' THEN
      EXECUTE format('GRANT %s ON %I TO %I', by_app, relation, :'app');
    END IF;
    IF is_read THEN
      EXECUTE format('GRANT SELECT ON %I TO %I, %I', relation, :'operations', :'reader');
    END IF;
  END LOOP;
END $$;

-- Operations issue links and revoke them. SELECT … FOR UPDATE requires the UPDATE privilege on a column. Functions do everything
-- else.
GRANT UPDATE ("takenBy", "updatedAt") ON applications TO :"operations";
GRANT INSERT ("id", "applicationId", "createdAt", "expiresAt"), UPDATE ("revokedAt") ON links TO :"operations";
GRANT SELECT ("linkId"), INSERT ON link_tokens TO :"operations";
-- Operations cannot set the time of an event. A trigger reserves three kinds for the app and the functions
-- (events_are_not_forged).
GRANT INSERT ("applicationId", "linkId", "kind", "detail", "address", "by", "reason") ON events TO :"operations";
-- Operations enqueue, change and cancel messages. They cannot write when a message was sent.
GRANT INSERT ("id", "applicationId", "kind", "channel", "recipient", "detail", "template", "state", "dueAt", "attempts",
  "error", "providerId", "createdAt", "by"), UPDATE ("state", "dueAt", "firstDueAt", "attempts", "error")
ON messages TO :"operations";
GRANT INSERT, DELETE ON suppressions TO :"operations";
GRANT INSERT, UPDATE ON stored_figures TO :"operations";
-- The desk runs as operations. It limits sign-ins.
GRANT SELECT, INSERT, UPDATE, DELETE ON desk_sessions TO :"operations";
GRANT INSERT, UPDATE, DELETE ON rate_limits TO :"operations";
GRANT SELECT ("id", "name", "scopes", "by", "createdAt", "lastUsedAt", "revokedAt"), INSERT, UPDATE ("revokedAt")
ON api_keys TO :"operations";
-- Audited reads: by a command, which may run as the app, or by a start of Studio, which may run as the reader.
GRANT INSERT ("by", "command", "count", "reference") ON data_reads TO :"app", :"operations", :"reader";
GRANT USAGE ON SEQUENCE data_reads_id_seq TO :"app", :"operations", :"reader";

-- What an invitation writes to an application: the answers that have an "invited…" column, and those columns. It writes no
-- status, no time of an applicant's action, and no answer that only an applicant gives.
DO $$ BEGIN
  EXECUTE (
    SELECT format('GRANT INSERT (%s) ON applications TO %I', string_agg(quote_ident(a.attname), ', '), :'operations')
    FROM pg_attribute a
    WHERE a.attrelid = 'applications'::regclass AND a.attnum > 0 AND NOT a.attisdropped AND (
      a.attname IN ('id', 'reference', 'source', 'quotes', 'batch', 'rowHash', 'consentBasis') OR a.attname LIKE 'invited%'
      OR EXISTS (SELECT FROM pg_attribute i WHERE i.attrelid = a.attrelid
        AND i.attname = 'invited' || upper(left(a.attname, 1)) || substr(a.attname, 2))
    )
  );
END $$;

GRANT USAGE ON SEQUENCE events_id_seq, messages_number_seq, message_attempts_id_seq TO :"app", :"operations";

-- These functions run as the owner. The migration revokes them from PUBLIC; a restore without the dump's privileges grants them
-- again. If a lender has one database user for everything, that user owns them.
REVOKE ALL ON FUNCTION erase_applications(uuid[], text), set_application_status(uuid, "ApplicationStatus", text, text),
  known_token_hashes(bytea[]), correct_contact(uuid, text, text, text), queue_evidence()
FROM PUBLIC, :"app", :"operations", :"reader";
GRANT EXECUTE ON FUNCTION erase_applications(uuid[], text),
  set_application_status(uuid, "ApplicationStatus", text, text), known_token_hashes(bytea[]),
  correct_contact(uuid, text, text, text)
TO :"operations";

-- 3. Revokes what Postgres lets every user do in a new database: create tables, including temporary ones.
DO $$ BEGIN
  IF (SELECT pg_has_role(datdba, 'USAGE') FROM pg_database WHERE datname = :'database') THEN
    REVOKE TEMPORARY ON DATABASE :"database" FROM PUBLIC;
    GRANT CONNECT ON DATABASE :"database" TO :"app", :"operations", :"reader";
  END IF;
  IF (SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = :'schema') THEN
    REVOKE CREATE ON SCHEMA :"schema" FROM PUBLIC;
  END IF;
END $$;
