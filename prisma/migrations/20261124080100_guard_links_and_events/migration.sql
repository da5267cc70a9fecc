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

DO $$
DECLARE
  ours regprocedure;
BEGIN
  FOREACH ours IN ARRAY ARRAY['refuse_revival()', 'refuse_forged_event()']::regprocedure[] LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', ours, current_schema());
  END LOOP;
END;
$$;
