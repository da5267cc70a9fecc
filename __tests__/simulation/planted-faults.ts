/** A mistake that a developer could make. Each `find` occurs exactly once in the file and is replaced by `replace`. */
export interface PlantedFault {
  name: string;
  file: string;
  edits: { find: string; replace: string }[];
}

const messages = "lib/server/messages";
const invitations = "lib/server/invitations";
const applications = "lib/server/applications";
const erasure = "prisma/migrations/20261126100000_erase_keeps_api_key/migration.sql";
const statements = "lib/server/db/statements.ts";

export const plantedFaults: PlantedFault[] = [
  // Links and calls
  fault("a link works after it expires", "lib/server/links/find-by-token.ts", ` AND l."expiresAt" > now()\``, "`"),
  fault("a link works after it was revoked", "lib/server/links/find-by-token.ts", ` AND l."revokedAt" IS NULL`, ""),
  fault(
    "a call does not check its link when it writes",
    `${applications}/save-step.ts`,
    `\n          AND l."revokedAt" IS NULL AND l."expiresAt" > now()`,
    "",
  ),
  fault(
    "a call locks nothing when it writes",
    `${applications}/save-step.ts`,
    "        FOR NO KEY UPDATE OF a FOR SHARE OF l\n",
    "",
  ),
  fault("a call writes to a submitted application", `${applications}/save-step.ts`, " AND a.status = 'draft'", ""),
  fault(
    "a submission does not check its link",
    `${applications}/submit.ts`,
    "    await requireLiveLink(tx, call, now);\n",
    "",
  ),
  fault("a second submission writes another record", `${applications}/submit.ts`, `{ id, status: "draft" }`, "{ id }"),
  fault(
    "a submission ignores what was reviewed",
    `${applications}/submit.ts`,
    "if (reviewed) requireReviewed",
    "if (!id) requireReviewed",
  ),
  fault("a submission records no event", `${applications}/submit.ts`, "await tx.event.create(", "void ("),
  fault(
    "a submission enqueues no confirmation",
    "lib/server/messages/outbox/enqueue.ts",
    `    { kind: "confirmation", channel: "email", column: "email" },\n`,
    "",
  ),
  fault(
    "a save leaves out an answer",
    `${applications}/save-step.ts`,
    "...names.map((name) => assignment(name, values[name]))",
    "...names.slice(1).map((name) => assignment(name, values[name]))",
  ),
  // Erasure and retention
  fault("an erasure leaves the links", erasure, ` AND "revokedAt" IS NULL;`, " AND false;"),
  fault("an erasure leaves the messages", erasure, "  PERFORM erase_messages(ids);\n", ""),
  fault("an erasure keeps the email address", erasure, "'batch', 'rowHash',", "'batch', 'rowHash', 'email',"),
  fault(
    "retention erases recent applications",
    statements,
    'a."updatedAt" < now() - make_interval(months => ${months}::int)',
    "${months}::int > 0",
  ),
  fault("retention ignores the status", statements, 'a.status = ${status}::"ApplicationStatus"', "${status} <> ''"),
  fault(
    "retention ignores what was written after an erasure",
    statements,
    `AND (\${anyAnswer}
      OR a."erasedAt" IS NULL
      OR EXISTS (SELECT FROM events AS e WHERE e."applicationId" = a.id
        AND e.id > (SELECT max(id) FROM events WHERE "applicationId" = a.id AND kind = 'erased'))
      OR EXISTS (SELECT FROM messages AS m JOIN events AS e ON e."applicationId" = a.id AND e.kind = 'erased'
        WHERE m."applicationId" = a.id AND m.recipient <> ''))`,
    `AND a."erasedAt" IS NULL`,
  ),
  // Invitations and links
  fault(
    "a row of a list is not recognised when the list is run again",
    `${invitations}/create-invitations.ts`,
    "rowHashes?.[position] ?? null",
    "null",
  ),
  fault(
    "a revocation does not lock the application",
    `${applications}/find-by-reference.ts`,
    "    await lockApplications(tx, [application.id]);\n",
    "",
  ),
  fault("a reissue leaves the old links", `${invitations}/links.ts`, "  await revokeLive(tx, id, options.by);\n", ""),
  {
    name: "a reissue revokes links after it has issued the new one",
    file: `${invitations}/links.ts`,
    edits: [
      { find: "  await revokeLive(tx, id, options.by);\n  const now", replace: "  const now" },
      {
        find: "  const sentBy = options.send ?",
        replace: "  await revokeLive(tx, id, options.by);\n  const sentBy = options.send ?",
      },
    ],
  },
  fault("a batch reissue replaces revoked links", `${invitations}/unopened.ts`, "!isRevoked && ", ""),
  fault("a batch reissue writes to people who opted out", `${invitations}/unopened.ts`, " && !isOptedOut", ""),
  // The worker
  fault(
    "a message is decided without locking its application",
    `${messages}/deliver.ts`,
    "  if (applicationId) await lockApplications(tx, [applicationId]);\n",
    "",
  ),
  fault(
    "a message's application is read before it is locked",
    `${messages}/deliver.ts`,
    `  if (applicationId) await lockApplications(tx, [applicationId]);
  const isHeld = await holdsClaim(tx, message);
  const context = await loadMessageContext(tx, message);
`,
    `  const context = await loadMessageContext(tx, message);
  if (applicationId) await lockApplications(tx, [applicationId]);
  const isHeld = await holdsClaim(tx, message);
`,
  ),
  {
    name: "a suspended worker sends a message that another worker has claimed",
    file: `${messages}/deliver.ts`,
    edits: [
      { find: "count > 0;", replace: "count >= 0;" },
      { find: "message.dueAt > now && ", replace: "" },
      { find: "performance.now() < leaseEnds && Date.now() < leaseEndsAt;", replace: "leaseEnds + leaseEndsAt > 0;" },
    ],
  },
  fault(
    "an attempt does not record that it contacts a provider",
    `${messages}/deliver.ts`,
    "  await tx.messageAttempt.updateMany({ where: { id: attempt }, data: { contactedAt: now } });\n",
    "",
  ),
  fault("a killed worker's SMS are never sent", `${messages}/claim.ts`, ` AND t."contactedAt" IS NOT NULL`, ""),
  fault(
    "messages that are being sent do not count towards the cap",
    `${messages}/claim.ts`,
    `"endedAt" IS NULL AND at > now()`,
    "false AND at > now()",
  ),
  fault(
    "workers do not wait for each other at the cap",
    `${messages}/claim.ts`,
    "SELECT pg_advisory_xact_lock(${capLock}::bigint)",
    "SELECT ${capLock}::bigint",
  ),
  fault(
    "a confirmation carries a link although the links were revoked",
    `${messages}/deliver.ts`,
    "context && !context.isRevoked && ",
    "context && ",
  ),
  fault(
    "an invitation goes out after a stop",
    `${messages}/check-message.ts`,
    `  if (context.isStopped) return cancelled("stopped");\n`,
    "",
  ),
  fault(
    "a reminder goes out after the submission",
    `${messages}/check-message.ts`,
    `  if (context.status !== "draft") return cancelled("submitted");\n`,
    "",
  ),
  fault(
    "a reminder goes out after the links have expired",
    `${messages}/check-message.ts`,
    `  if (context.liveUntil === null) return cancelled(context.isRevoked ? "revoked" : "expired");\n`,
    `  if (context.isRevoked) return cancelled("revoked");\n`,
  ),
  fault(
    "two reminders go out within a day",
    `${messages}/check-message.ts`,
    `  if (kind === "reminder" && context.hasOtherInvitation)
    return cancelled("superseded by another invitation or reminder");\n`,
    "",
  ),
  fault(
    "a complaint stops nothing",
    `${messages}/bounces/apply-report.ts`,
    `const { isNew } = await suppress("email", message.recipient, "a complaint", "");`,
    "const isNew = message.recipient !== status;",
  ),
  {
    name: "a bounce does not stop the reminders",
    file: `${messages}/bounces/apply-report.ts`,
    edits: [
      { find: `  if (outcome === "bounced") await suppressDeadAddress(tx, message, status);\n`, replace: "" },
      {
        find: `if (isChanged && outcome === "bounced") await cancelToDeadAddress`,
        replace: "if (!message) await cancelToDeadAddress",
      },
    ],
  },
  fault(
    "a status email reports a later status",
    `${messages}/check-message.ts`,
    `if (status !== detail) return cancelled("the status has changed");`,
    "",
  ),
  fault(
    "any later status email cancels an earlier one",
    `${messages}/message-context.ts`,
    "      detail: statusOf(application.status),\n",
    "",
  ),
  fault(
    "a reminder goes out at night",
    `${messages}/check-message.ts`,
    "if (isOpen(now, brand.timeZone)) return null;",
    "if (brand.timeZone) return null;",
  ),
  fault(
    "an email is sent again after a lost answer",
    `${messages}/email/send-email.ts`,
    `if (isBegun) return { state: "unknown", error: name };`,
    `if (isBegun) return { state: "later", error: name };`,
  ),
  fault(
    "an SMS is sent again after a lost answer",
    `${messages}/sms/send-sms.ts`,
    `isUnsent ? providerUnavailable(code) : { state: "unknown", error: code }`,
    "providerUnavailable(code)",
  ),
];

function fault(name: string, file: string, find: string, replace: string): PlantedFault {
  return { name, file, edits: [{ find, replace }] };
}
