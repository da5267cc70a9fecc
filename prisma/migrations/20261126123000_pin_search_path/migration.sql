-- CREATE OR REPLACE removes the search_path of a function, and the migration before replaced this one.
DO $$
BEGIN
  EXECUTE format('ALTER FUNCTION refuse_submitted_change() SET search_path = %I, pg_temp', current_schema());
END;
$$;
