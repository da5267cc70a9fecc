-- Views for reading in Prisma Studio: by reference, and newest first. Its search looks for %words% in every column of text
-- that it is told of, which no index helps: the list has one for it, with every spelling that people look for. LEFT JOIN,
-- since to count rows Postgres then leaves the joined table out.
CREATE VIEW "application_list" AS
SELECT
  a."reference", a."status", trim(a."firstName" || ' ' || a."lastName") AS "name", a."mobile",
  a."submittedAt" AS "submitted", a."createdAt" AS "invited", a."loanAmount", a."batch",
  a."reference" || ' ' || replace(a."reference", '-', '') || ' ' || a."firstName" || ' ' || a."lastName" || ' ' || a."mobile"
    -- An Australian mobile as it is written at home.
    || CASE WHEN a."mobile" LIKE '61%' THEN ' 0' || substr(a."mobile", 3) || ' 0' || substr(a."mobile", 3, 3) || ' '
      || substr(a."mobile", 6, 3) || ' ' || substr(a."mobile", 9) ELSE '' END
    || CASE WHEN (a."invitedFirstName", a."invitedLastName") = (a."firstName", a."lastName") THEN ''
      ELSE ' ' || a."invitedFirstName" || ' ' || a."invitedLastName" END AS "foundBy"
FROM "applications" AS a
ORDER BY COALESCE(a."submittedAt", a."createdAt") DESC, a."reference";

CREATE VIEW "consents_by_reference" AS
SELECT
  a."reference", c."consentedAt", c."version", c."authoriseAgent", c."provideSelf", c."confirmLoan", c."reviewed",
  c."address", c."userAgent", c."document", c."documentHash", c."answers", c."answersHash"
FROM "consent_records" AS c LEFT JOIN "applications" AS a ON a."id" = c."applicationId"
ORDER BY c."consentedAt" DESC;

CREATE VIEW "events_by_reference" AS
SELECT a."reference", e."at", e."kind", e."detail", e."by", e."reason", e."address", e."id" AS "number"
FROM "events" AS e LEFT JOIN "applications" AS a ON a."id" = e."applicationId"
ORDER BY e."id" DESC;

CREATE VIEW "links_by_reference" AS
SELECT
  a."reference",
  CASE WHEN l."revokedAt" IS NOT NULL THEN 'revoked' WHEN l."expiresAt" <= now() THEN 'expired' ELSE 'works' END AS "state",
  l."createdAt" AS "issued", l."openedAt" AS "firstOpened", l."revokedAt" AS "revoked", l."expiresAt" AS "expires"
FROM "links" AS l LEFT JOIN "applications" AS a ON a."id" = l."applicationId"
ORDER BY l."createdAt" DESC;

-- Operations decide, but may not write a status: this notes who and why with it. SECURITY DEFINER: it runs as the owner of
-- the tables. Returns the status before. A draft stays one, since what was not submitted has nothing to decide.
CREATE FUNCTION set_application_status(of_application uuid, wanted "ApplicationStatus", who text, why text)
RETURNS "ApplicationStatus" LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  before "ApplicationStatus";
BEGIN
  SELECT "status" INTO before FROM "applications" WHERE "id" = of_application FOR UPDATE;
  IF before <> 'draft' AND wanted NOT IN ('draft', before) THEN
    UPDATE "applications" SET "status" = wanted, "updatedAt" = now() WHERE "id" = of_application;
    INSERT INTO "events" ("applicationId", "kind", "detail", "by", "reason")
    VALUES (of_application, 'status_changed', replace(wanted::text, '_', '-') || CASE WHEN before = 'submitted' THEN ''
      ELSE ' (was ' || replace(before::text, '_', '-') || ')' END, who, why);
  END IF;
  RETURN before;
END;
$$;

-- Which of these hashes belong to a link: operations may ask, and may read none.
CREATE FUNCTION known_token_hashes(given bytea[]) RETURNS SETOF bytea LANGUAGE sql STABLE SECURITY DEFINER AS $$
  SELECT "tokenHash" FROM "link_tokens" WHERE "tokenHash" = ANY (given)
$$;

-- As in the init migration: not for everybody, and with a search path that no caller can put something in front of.
DO $$
DECLARE
  ours regprocedure;
BEGIN
  FOREACH ours IN ARRAY ARRAY['set_application_status(uuid, "ApplicationStatus", text, text)',
    'known_token_hashes(bytea[])']::regprocedure[]
  LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', ours);
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', ours, current_schema());
  END LOOP;
END;
$$;
