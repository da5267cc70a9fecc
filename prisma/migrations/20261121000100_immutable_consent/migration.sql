-- A consent record is evidence: once written, the database itself refuses to change or delete it.
CREATE FUNCTION refuse_consent_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'A consent record is never changed or deleted';
END;
$$;

CREATE TRIGGER consent_records_are_immutable
  BEFORE UPDATE OR DELETE ON "consent_records"
  FOR EACH ROW EXECUTE FUNCTION refuse_consent_change();

CREATE TRIGGER consent_records_are_not_truncated
  BEFORE TRUNCATE ON "consent_records"
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_consent_change();
