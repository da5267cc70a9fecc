/** A mistake that somebody could make: `find` stands exactly once in the file, and `replace` takes its place. */
export interface PlantedFault {
  name: string;
  file: string;
  find: string;
  replace: string;
}

const messages = "lib/server/messages";
const invitations = "lib/server/invitations";
const applications = "lib/server/applications";
const newest = "prisma/migrations/20261122221146_concurrency/migration.sql";

export const plantedFaults: PlantedFault[] = [
  // Links and calls
  fault("a link works after it expires", "lib/server/links/find-by-token.ts", ` AND l."expiresAt" > now()\``, "`"),
  fault("a link works after it was revoked", "lib/server/links/find-by-token.ts", `\`l."revokedAt" IS NULL AND `, "`"),
  fault(
    "a call does not check its link when it writes",
    `${applications}/lock-draft.ts`,
    " AND ${Prisma.raw(isLive)}",
    "",
  ),
  fault(
    "a call locks nothing when it writes",
    `${applications}/lock-draft.ts`,
    "    FOR NO KEY UPDATE OF a FOR SHARE OF l`;",
    "    `;",
  ),
  fault("a call writes to what is submitted", `${applications}/lock-draft.ts`, "a.status = 'draft'", "true"),
  fault("a submission ignores what was reviewed", `${applications}/submit.ts`, "locked.id AND ${asRead}", "locked.id"),
  fault(
    "a submission leaves no event",
    `${applications}/submit.ts`,
    "'submitted', ${visit.address} FROM submitted",
    "'submitted', ${visit.address} FROM submitted WHERE false",
  ),
  fault(
    "a submission leaves no confirmation",
    "lib/server/messages/outbox/due.ts",
    `    { kind: "confirmation", channel: "email", column: "email" },\n`,
    "",
  ),
  fault(
    "a save leaves out an answer",
    `${applications}/stored-steps.ts`,
    "...names.map((name) => assignment(name, values[name]))",
    "...names.slice(1).map((name) => assignment(name, values[name]))",
  ),
  // Erasure and retention
  fault("an erasure leaves the links", newest, ` AND "revokedAt" IS NULL;`, " AND false;"),
  fault("an erasure leaves the messages", newest, "  PERFORM erase_messages(ids);\n", ""),
  fault("an erasure keeps the email address", newest, "'batch', 'rowHash',", "'batch', 'rowHash', 'email',"),
  fault(
    "retention erases what is young",
    `${applications}/erase.ts`,
    `a."updatedAt" < now() - make_interval(months => $2::int)`,
    "$2::int > 0",
  ),
  fault("retention erases any status", `${applications}/erase.ts`, `a.status = $1::"ApplicationStatus"`, "$1 <> ''"),
  // Invitations and links
  fault(
    "a row of a list is not known again",
    `${invitations}/create-invitations.ts`,
    "rowHashes?.[position] ?? null",
    "null",
  ),
  fault(
    "a revocation does not lock the application",
    `${invitations}/links.ts`,
    "  // Lock the row: of two concurrent reissues, the second has to see and revoke the link of the first.\n  await lock(transaction, applicationId);\n",
    "",
  ),
  fault(
    "a reissue leaves the old links",
    `${invitations}/links.ts`,
    "  await revokeLive(transaction, id, terms.by);\n",
    "",
  ),
  fault("a batch reissue replaces revoked links", `${invitations}/unopened.ts`, "!isRevoked && ", ""),
  fault("a batch reissue writes to people who opted out", `${invitations}/unopened.ts`, " && !isOptedOut", ""),
  // The worker
  fault(
    "a message is decided without locking its application",
    `${messages}/deliver.ts`,
    "SELECT FROM applications WHERE id = $1 FOR NO KEY UPDATE",
    "SELECT FROM applications WHERE id = $1",
  ),
  fault("a suspended worker sends what another has", `${messages}/deliver.ts`, ".length > 0;", ".length >= 0;"),
  fault(
    "nobody sees that a provider was contacted",
    `${messages}/deliver.ts`,
    `  await query({ text: \`UPDATE message_attempts SET "contactedAt" = now() WHERE id = $1\`, values: [message.attempt] });\n`,
    "",
  ),
  fault("a killed worker strands texts", `${messages}/claim.ts`, ` AND t."contactedAt" IS NOT NULL`, ""),
  fault(
    "what is being sent does not count for the cap",
    `${messages}/claim.ts`,
    ` OR (state = 'sending' AND "dueAt" > now())`,
    "",
  ),
  fault(
    "workers do not wait for each other at the cap",
    `${messages}/claim.ts`,
    "SELECT pg_advisory_xact_lock($1)",
    "SELECT $1::bigint",
  ),
  fault(
    "a withdrawn link is replaced by a confirmation's",
    `${messages}/deliver.ts`,
    "about && !about.isRevoked && ",
    "about && ",
  ),
  fault(
    "an invitation goes out after a stop",
    `${messages}/judge.ts`,
    `  if (about.isStopped) return cancelled("stopped");\n`,
    "",
  ),
  fault(
    "a reminder goes out after the submission",
    `${messages}/judge.ts`,
    `  if (about.status !== "draft") return cancelled("submitted");\n`,
    "",
  ),
  fault(
    "a status email reports a later status",
    `${messages}/judge.ts`,
    `return status !== detail || hasLaterStatus ? cancelled("the status has changed") : null;`,
    "return null;",
  ),
  fault(
    "a reminder goes out at night",
    `${messages}/judge.ts`,
    "if (isOpen(now, brand.timeZone)) return null;",
    "if (brand.timeZone) return null;",
  ),
  fault(
    "an email is sent again after a lost answer",
    `${messages}/email/outcome-of.ts`,
    `if (isBegun) return { state: "unknown", error: name };`,
    `if (isBegun) return { state: "later", error: name };`,
  ),
  fault(
    "a text is sent again after a lost answer",
    `${messages}/sms/ask.ts`,
    `isUnsent ? "away" : "unknown"`,
    `isUnsent ? "away" : "away"`,
  ),
];

function fault(name: string, file: string, find: string, replace: string): PlantedFault {
  return { name, file, find, replace };
}
