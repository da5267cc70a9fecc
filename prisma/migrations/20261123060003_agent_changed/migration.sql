-- What Prisma's schema cannot say.

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

-- The list in Prisma Studio has it as well, with the step, the last note and who has taken the application. Its search finds an
-- email address, a property and an agency, as answered or as invited.
CREATE OR REPLACE VIEW "application_list" AS
SELECT
  a."reference", a."status", trim(a."firstName" || ' ' || a."lastName") AS "name", a."mobile",
  a."submittedAt" AS "submitted", a."createdAt" AS "invited", a."loanAmount", a."batch",
  a."reference" || ' ' || replace(a."reference", '-', '') || ' ' || a."mobile" || ' ' || search_text(
    a."firstName" || ' ' || a."lastName" || ' ' || a."email" || ' ' || a."propertyAddress" || ' ' || a."agencyName" || ' '
    || a."invitedFirstName" || ' ' || a."invitedLastName" || ' ' || a."invitedEmail" || ' ' || a."invitedPropertyAddress"
    || ' ' || a."invitedAgencyName")
    -- An Australian mobile as it is written at home.
    || CASE WHEN a."mobile" LIKE '61%' THEN ' 0' || substr(a."mobile", 3) || ' 0' || substr(a."mobile", 3, 3) || ' '
      || substr(a."mobile", 6, 3) || ' ' || substr(a."mobile", 9) ELSE '' END AS "foundBy",
  a."takenBy",
  CASE WHEN a."status" <> 'draft' THEN NULL WHEN a."landlordSavedAt" IS NULL THEN 1 WHEN a."agentSavedAt" IS NULL THEN 2
    WHEN a."leaseSavedAt" IS NULL THEN 3 ELSE 4 END AS "step",
  (SELECT e."reason" FROM "events" AS e WHERE e."applicationId" = a."id" AND e."kind"::text = 'noted'
    ORDER BY e."id" DESC LIMIT 1) AS "note",
  warning_of(a) AS "warning"
FROM "applications" AS a
ORDER BY COALESCE(a."submittedAt", a."createdAt") DESC, a."reference";
