-- As before, but FOR NO KEY UPDATE: with FOR UPDATE, a worker could not record that it had sent a message until a whole list of
-- decisions was done, and sent the message again.
CREATE OR REPLACE FUNCTION set_application_status(of_application uuid, wanted "ApplicationStatus", who text, why text)
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
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION set_application_status(uuid, "ApplicationStatus", text, text) SET search_path = %I, pg_temp',
    current_schema());
END;
$$;
