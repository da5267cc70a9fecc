-- A leaf that cannot be read would stop the log and every export. The app may insert leaves, so a right is not enough to refuse
-- it. NOT VALID: existing rows are not read, so that the table is locked for a moment only, and one that is wrong already is
-- reported by 'npm run evidence -- verify' and stops no upgrade.
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
