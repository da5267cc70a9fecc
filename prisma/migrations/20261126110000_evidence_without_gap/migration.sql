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

DO $$
BEGIN
  REVOKE ALL ON FUNCTION refuse_gap() FROM PUBLIC;
  EXECUTE format('ALTER FUNCTION refuse_gap() SET search_path = %I, pg_temp', current_schema());
END;
$$;
