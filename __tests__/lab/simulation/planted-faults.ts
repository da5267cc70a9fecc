/** A mistake that a developer could make. Each `find` occurs exactly once in the file and is replaced by `replace`. */
export interface PlantedFault {
  name: string;
  file: string;
  edits: { find: string; replace: string }[];
}

/** A name, and pairs of a text and its replacement. */
type Fault = [name: string, find: string, replace: string, ...more: string[]];

const faultsIn = (file: string, faults: Fault[]): PlantedFault[] =>
  faults.map(([name, ...texts]) => ({
    name,
    file,
    edits: texts.flatMap((find, n) => (n % 2 === 0 ? { find, replace: texts[n + 1] ?? "" } : [])),
  }));

export const plantedFaults: PlantedFault[] = [
  ...faultsIn("lib/server/links/find-by-token.ts", [
    ["a link works after it expires", ` AND l."expiresAt" > now()\``, "`"],
    ["a link works after it was revoked", ` AND l."revokedAt" IS NULL`, ""],
    [
      "an opening records no event",
      "await tx.event.create({ data: { applicationId, linkId",
      "void ({ data: { applicationId, linkId",
    ],
  ]),
  ...faultsIn("lib/server/applications/save-step.ts", [
    ["a call does not check its link when it writes", `AND l."revokedAt" IS NULL AND l."expiresAt" > now()`, ""],
    ["a call locks nothing when it writes", "FOR NO KEY UPDATE OF a FOR SHARE OF l", ""],
    ["a call writes to a submitted application", " AND a.status = 'draft'", ""],
    [
      "a save leaves out an answer",
      "...names.map((name) => assignment(name, values[name]))",
      "...names.slice(1).map((name) => assignment(name, values[name]))",
    ],
  ]),
  ...faultsIn("lib/server/applications/submit.ts", [
    ["a submission does not check its link", "await requireLiveLink(tx, call, now);", ""],
    ["a second submission writes another record", `{ id, status: "draft" }`, "{ id }"],
    ["a submission ignores what was reviewed", "if (reviewed) requireReviewed", "if (!id) requireReviewed"],
    ["a submission records no event", "await tx.event.create(", "void ("],
  ]),
  ...faultsIn("lib/server/outbox/enqueue.ts", [
    ["a submission enqueues no confirmation", `{ kind: "confirmation", channel: "email", recipient: email },`, ""],
  ]),
  ...faultsIn("prisma/migrations/20261123000000_init/migration.sql", [
    ["an erasure leaves the links", ` AND "revokedAt" IS NULL;`, " AND false;"],
    ["an erasure leaves the messages", "PERFORM erase_messages(ids);", ""],
    ["an erasure keeps the email address", "'batch', 'rowHash',", "'batch', 'rowHash', 'email',"],
  ]),
  ...faultsIn("lib/server/db/retention.ts", [
    [
      "retention erases recent applications",
      `a."updatedAt" < now() - make_interval(months => \${months}::int)`,
      "${months}::int > 0",
    ],
    ["retention ignores the status", `a.status = \${status}::"ApplicationStatus"`, "${status} <> ''"],
    [
      "retention ignores what was written after an erasure",
      `AND (\${anyAnswer}
      OR a."erasedAt" IS NULL
      OR EXISTS (SELECT FROM events AS e WHERE e."applicationId" = a.id
        AND e.id > (SELECT max(id) FROM events WHERE "applicationId" = a.id AND kind = 'erased'))
      OR EXISTS (SELECT FROM messages AS m JOIN events AS e ON e."applicationId" = a.id AND e.kind = 'erased'
        WHERE m."applicationId" = a.id AND m.recipient <> ''))`,
      `AND a."erasedAt" IS NULL`,
    ],
  ]),
  ...faultsIn("lib/server/invitations/create-invitations.ts", [
    ["a row of a list is not recognised when the list is run again", "rowHashes?.[position] ?? null", "null"],
  ]),
  ...faultsIn("lib/server/applications/find-by-reference.ts", [
    ["a revocation does not lock the application", "await lockApplications(tx, [id]);", ""],
  ]),
  ...faultsIn("lib/server/invitations/links.ts", [
    ["a reissue leaves the old links", "await revokeLive(tx, [id], options.by);", ""],
    [
      "a reissue revokes links after it has issued the new one",
      "  await revokeLive(tx, [id], options.by);\n  const now",
      "  const now",
      "  const sentBy = options.send ?",
      "  await revokeLive(tx, [id], options.by);\n  const sentBy = options.send ?",
    ],
  ]),
  ...faultsIn("lib/server/invitations/unopened.ts", [
    ["a batch reissue replaces revoked links", "!isRevoked && ", ""],
    ["a batch reissue writes to people who opted out", " && !isOptedOut", ""],
  ]),
  ...faultsIn("lib/server/delivery/deliver.ts", [
    [
      "a message is decided without locking its application",
      "if (applicationId) await lockApplications(tx, [applicationId]);",
      "",
    ],
    [
      "a message's application is read before it is locked",
      "  if (applicationId) await lockApplications(tx, [applicationId]);\n  const isHeld = await holdsClaim(tx, message);\n  const now = await transactionTime(tx);\n  const context = await loadMessageContext(tx, message, now);\n",
      "  const now = await transactionTime(tx);\n  const context = await loadMessageContext(tx, message, now);\n  if (applicationId) await lockApplications(tx, [applicationId]);\n  const isHeld = await holdsClaim(tx, message);\n",
    ],
    [
      "a suspended worker sends a message that another worker has claimed",
      "count > 0;",
      "count >= 0;",
      "message.dueAt > now && ",
      "",
      "performance.now() < leaseEnds && Date.now() < leaseEndsAt;",
      "leaseEnds + leaseEndsAt > 0;",
    ],
    [
      "an attempt does not record that it contacts a provider",
      "await tx.messageAttempt.updateMany({ where: { id: message.attemptId }, data: { contactedAt: now } });",
      "",
    ],
    [
      "a confirmation carries a link although the links were revoked",
      "context && !context.isRevoked && ",
      "context && ",
    ],
  ]),
  ...faultsIn("lib/server/delivery/claim.ts", [
    ["a killed worker's SMS are never sent", ` AND t."contactedAt" IS NOT NULL`, ""],
    [
      "messages that are being sent do not count towards the cap",
      `"endedAt" IS NULL AND at > now()`,
      "false AND at > now()",
    ],
    [
      "workers do not wait for each other at the cap",
      "SELECT pg_advisory_xact_lock(${capLock}::bigint)",
      "SELECT ${capLock}::bigint",
    ],
  ]),
  ...faultsIn("lib/server/delivery/check-message.ts", [
    [
      "an invitation goes out after a stop",
      "if (context.isStopped) return { ...cancelled(stoppedError), ...(context.isDead ? { isDeadAddress: true } : {}) };",
      "",
    ],
    ["a reminder goes out after the submission", `if (context.status !== "draft") return cancelled("submitted");`, ""],
    [
      "a reminder goes out after the links have expired",
      `  if (context.liveUntil === null) return cancelled(context.isRevoked ? "revoked" : "expired");
`,
      `  if (context.isRevoked) return cancelled("revoked");
`,
    ],
    [
      "two reminders go out within a day",
      `  if (kind === "reminder" && context.hasOtherInvitation) return cancelled(supersededError);
`,
      "",
    ],
    ["a status email reports a later status", `if (status !== detail) return cancelled("the status has changed");`, ""],
    ["a reminder goes out at night", "if (isOpen(now, timeZone)) return null;", "if (timeZone) return null;"],
  ]),
  ...faultsIn("lib/server/channels/bounces/apply-report.ts", [
    [
      "a complaint stops nothing",
      `const { isNew } = await suppress("email", message.recipient, "a complaint", "");`,
      "const isNew = true;",
    ],
    [
      "a bounce does not stop the reminders",
      `if (outcome === "bounced") await suppressDeadAddress(tx, message, status);`,
      "",
      `if (isChanged && outcome === "bounced") await cancelSuppressed`,
      "if (!message) await cancelSuppressed",
    ],
  ]),
  ...faultsIn("lib/server/channels/email/send-email.ts", [
    [
      "an email is sent again after a lost answer",
      `if (isBegun) return { state: "unknown", error: name };`,
      `if (isBegun) return { state: "later", error: name };`,
    ],
  ]),
  ...faultsIn("lib/server/channels/sms/send-sms.ts", [
    [
      "an SMS is sent again after a lost answer",
      `isUnsent ? providerUnavailable(code) : { state: "unknown", error: code }`,
      "providerUnavailable(code)",
    ],
  ]),
];
