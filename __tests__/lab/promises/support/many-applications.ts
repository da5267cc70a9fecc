/** The number of applications, five million by default. `MANY_APPLICATIONS=300000` measures with fewer. */
export const many = Number(process.env.MANY_APPLICATIONS ?? 5_000_000);

/** Inserts `count` applications, and nothing that refers to them. The newest is number 1. `batch` is SQL, which may use the number n. */
export const manyPeople = (count: number, batch = "'spring'") => `
INSERT INTO applications (reference, status, "firstName", "lastName", mobile, email, "propertyAddress", source, "agencyName",
  "managerFirstName", "managerLastName", "contactNumber", "managerEmail", "currentRent", "invoiceAmount", "loanAmount",
  "invitedFirstName", "invitedLastName", "invitedMobile", "invitedEmail", "invitedPropertyAddress", "invitedInvoiceAmount",
  batch, "submittedAt", "createdAt", "updatedAt")
SELECT (
    -- Scatters the number over the possible references and writes it in their letters.
    SELECT string_agg(substr('3479ACDEFGHJKMNPQRTWXY', 1 + ((n * 27182818289::numeric % 54875873536)::bigint
      / power(22, k - 1)::bigint % 22)::int, 1) || CASE k WHEN 4 THEN '-' ELSE '' END, '' ORDER BY k)
    FROM generate_series(1, 8) AS k
  ), CASE n % 2 WHEN 1 THEN 'submitted' ELSE 'draft' END::"ApplicationStatus", first, last, '614' || lpad(n::text, 8, '0'),
  first || n || '@mail.example', n || ' Wattle Street, Brunswick VIC 3056', 'ba', 'Harbour Realty ' || n % 400, 'Sam', 'Keane',
  '61298765432', 'sam' || n % 400 || '@harbour.example', 500, 2450, 50000, first, last, '614' || lpad(n::text, 8, '0'),
  first || n || '@mail.example', n || ' Wattle Street, Brunswick VIC 3056', 2450, ${batch},
  CASE n % 2 WHEN 1 THEN at END, at - interval '3 days', at
FROM (
  SELECT n, (ARRAY['Alex', 'Maria', 'Wei', 'Priya', 'Tom', 'Zoe', 'Ahmed', 'Grace', 'Lena', 'Noah'])[1 + n % 10] AS first,
    (ARRAY['Nguyen', 'Smith', 'Patel', 'Jones', 'Rossi', 'Chen', 'Wilson', 'Hassan', 'Kelly'])[1 + n % 9] AS last,
    now() - n * interval '7 minutes' AS at
  FROM generate_series(1, ${count}) AS n
) AS people;
`;

/** Inserts applications with links, events and, for every second one, a consent record. */
export const manyApplications = (count: number) => `${manyPeople(count)}
INSERT INTO links ("applicationId", "createdAt", "expiresAt")
SELECT id, "createdAt", "createdAt" + interval '30 days' FROM applications;
INSERT INTO events ("applicationId", kind, detail, at, by)
SELECT id, kind::"EventKind", '', "createdAt", 'Ines' FROM applications, unnest(ARRAY['link_issued', 'link_opened']) AS kind;
INSERT INTO events ("applicationId", kind, detail, at, address)
SELECT id, 'step_saved', 'step ' || step, "submittedAt", '203.0.113.9' FROM applications, generate_series(1, 3) AS step
WHERE status <> 'draft';
INSERT INTO consent_records ("applicationId", version, document, "documentHash", "authoriseAgent", "provideSelf", "confirmLoan",
  "consentedAt")
SELECT id, '1', repeat('I authorise the lender. ', 80), '', true, false, true, "submittedAt" FROM applications
WHERE status <> 'draft';
ANALYZE`;
