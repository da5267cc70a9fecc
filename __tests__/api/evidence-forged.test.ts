import { createHash } from "node:crypto";
import { freshDatabase } from "@/__tests__/support/database";
import { evidenceKeys, reportOf, verified } from "@/__tests__/support/evidence";
import { invited } from "@/__tests__/support/invited";
import { setStatus } from "@/__tests__/support/set-status";
import { reportFigure, size } from "@/__tests__/support/size";
import { fillInAndSubmit, submitted } from "@/__tests__/support/submitted";
import { eraseApplication } from "@/lib/server/applications/erase";
import { versionOf } from "@/lib/server/db/application-row";
import { prisma } from "@/lib/server/db/client";
import { appendAll } from "@/lib/server/evidence/append";
import { type EvidenceReceipt, evidenceReceipt } from "@/lib/server/evidence/receipt";
import { recordHashOf } from "@/lib/server/evidence/record-hash";
import { verifyConsents } from "@/lib/server/evidence/verify-consents";
import { differencesFrom } from "@/lib/server/evidence/verify-log";
import { reissueLink } from "@/lib/server/invitations/links";

jest.setTimeout(300_000);

/**
 * An attacker with every privilege on the database and with the key forges it and recomputes every hash. The tables are
 * restored from a copy before each forgery.
 */
const { sql, tamper: execute } = freshDatabase();
const keys = evidenceKeys();
const first = keys.make();

const tables = "applications links link_tokens consent_records events evidence_log evidence_pending".split(" ");

/** Copies the tables to another schema, as a snapshot of their current content. */
async function copyTo(schema: string): Promise<void> {
  await sql(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await sql(`CREATE SCHEMA ${schema}`);
  for (const table of tables) await sql(`CREATE TABLE ${schema}.${table} AS TABLE public.${table}`);
}

const tamper = (...statements: string[]) => execute(statements.join(";\n"));

async function restoreFrom(schema: string): Promise<void> {
  for (const table of tables) {
    const [columns] = await sql<{ names: string }>(
      `SELECT string_agg(quote_ident(attname), ', ') AS names FROM pg_attribute
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
      [table],
    );
    const copy = `INSERT INTO ${table} (${columns?.names}) SELECT ${columns?.names} FROM ${schema}.${table}`;
    await tamper(`DELETE FROM ${table}`, copy);
  }
}

/** Recomputes the hashes as the app and the commands do, so that the forged database is consistent. */
async function rehash(): Promise<void> {
  const records = await prisma().consentRecord.findMany({ include: { application: true } });
  for (const { application, ...record } of records) {
    const { reference } = application;
    const answersHash = record.answers ? versionOf(record.answers as Record<string, string>) : record.answersHash;
    const recordHash = record.answers ? recordHashOf({ ...record, answersHash, reference }) : record.recordHash;
    const change = `UPDATE consent_records SET "answersHash" = $1, "recordHash" = $2 WHERE id = $3`;
    await execute(change, answersHash, recordHash, record.id);
  }
  await tamper(
    `UPDATE events SET "reasonHash" = encode(sha256(convert_to(salt || reason, 'UTF8')), 'hex') WHERE salt IS NOT NULL`,
  );
}

/** Rebuilds the log from a leaf on, from the tables' current content, and signs it. */
async function rebuildLog(from = 0): Promise<void> {
  await tamper(
    `DELETE FROM evidence_log WHERE index >= ${from}`,
    "DELETE FROM evidence_pending",
    `INSERT INTO evidence_pending SELECT id FROM events e
     WHERE kind IN ('submitted', 'status_changed', 'erased', 'link_reissued')
       AND NOT EXISTS (SELECT FROM evidence_log l WHERE l."eventId" = e.id)`,
  );
  await rehash();
  await appendAll(prisma());
}

let victim: Awaited<ReturnType<typeof submitted>>;
let other: Awaited<ReturnType<typeof submitted>>;
/** The receipt of another applicant, downloaded after the events that are forged. */
let receipt: EvidenceReceipt;
/** The SQL condition that selects the victim's rows. */
let where: string;
/** The index of the victim's leaf. */
let victimLeaf: number;

beforeAll(async () => {
  keys.signWith(first.file);
  await submitted();
  await appendAll(prisma());
  await copyTo("long_ago");
  victim = await submitted({ email: "ada@landlord.example" });
  await setStatus(victim.reference, "approved", { by: "Ines", reason: "All is well" });
  await reissueLink(victim.reference, { expiresDays: 30, by: "Ines" });
  const gone = await submitted();
  await eraseApplication(gone.reference, "Vera");
  await appendAll(prisma());
  other = await submitted();
  await appendAll(prisma());
  receipt = await receiptOf(other.id);
  victimLeaf = (await receiptOf(victim.id)).leaf.index;
  where = `WHERE "applicationId" = '${victim.id}'`;
  await copyTo("before");
});

async function receiptOf(id: string): Promise<EvidenceReceipt> {
  const found = await evidenceReceipt(prisma(), id);
  if (!found) throw new Error("There is no receipt");
  return found;
}

const answer = (name: string, value: string) => [
  `UPDATE consent_records SET answers = jsonb_set(answers, '{${name}}', '"${value}"') ${where}`,
  `UPDATE applications SET "${name}" = '${value}' WHERE id = '${victim.id}'`,
];
const record = (change: string) => [`UPDATE consent_records SET ${change} ${where}`];
const event = (kind: string, change: string) => [`UPDATE events SET ${change} ${where} AND kind = '${kind}'`];
/** Statements that change the record and the event of the submission. */
const both = (change: string) => [...record(change), ...event("submitted", change)];
/** Statements that change the time of the submission in the record, the event and the application. */
const time = (change: string) => [
  ...record(`"consentedAt" = "consentedAt" ${change}`),
  ...event("submitted", `at = at ${change}`),
  `UPDATE applications SET "submittedAt" = "submittedAt" ${change} WHERE id = '${victim.id}'`,
];
const status = (name: string) => `UPDATE applications SET status = '${name}' WHERE id = '${victim.id}'`;
const withoutEvent = (kind: string) => [
  `DELETE FROM evidence_log l USING events e ${where.replace("WHERE", "WHERE e.")} AND e.kind = '${kind}' AND l."eventId" = e.id`,
  `DELETE FROM events ${where} AND kind = '${kind}'`,
];
const added = (kind: string, at: string) => [
  `INSERT INTO events (id, "applicationId", kind, detail, at, by, salt)
   SELECT ${at}, "applicationId", '${kind}', detail, at - interval '1 minute', by, salt FROM events ${where} AND kind = 'status_changed'`,
];
const deleted = () => [
  `DELETE FROM consent_records ${where}`,
  `DELETE FROM events ${where}`,
  `DELETE FROM applications WHERE id = '${victim.id}'`,
];
const earliest = "(SELECT min(id) - 1 FROM events)";

/** What is forged, the statements that forge it, and any further step before the log is rebuilt. */
type Forgery = [what: string, statements: () => string[], then?: () => Promise<unknown>];

/** The record has one hash of all answers, so each of these is detected in the same way. */
const answerForgeries: Forgery[] = [
  ["the amount", () => answer("loanAmount", "1")],
  ["the rent", () => answer("currentRent", "1")],
  ["the invoice", () => answer("invoiceAmount", "1")],
  ["the first name", () => answer("firstName", "Eve")],
  ["the last name", () => answer("lastName", "Eve")],
  ["the mobile", () => answer("mobile", "61400000000")],
  ["the email address", () => answer("email", "eve@example.com")],
  ["the property", () => answer("propertyAddress", "Elsewhere")],
  ["the agency", () => answer("agencyName", "Another")],
  ["the agent's number", () => answer("contactNumber", "61200000000")],
  ["the start of the lease", () => answer("leaseStartDate", "2020-01-01")],
  ["the end of the lease", () => answer("leaseEndDate", "2040-01-01")],
];

const inPlace: Forgery[] = [
  ...answerForgeries.slice(0, size(1, 12)),
  ["an answer added", () => record(`answers = answers || '{"once": "asked"}'`)],
  ["an answer removed", () => record(`answers = answers - 'approval'`)],
  ["the box of the agent", () => record(`"authoriseAgent" = NOT "authoriseAgent", "provideSelf" = NOT "provideSelf"`)],
  ["the box that confirms", () => record(`"confirmLoan" = NOT "confirmLoan"`)],
  ["whether it was reviewed", () => record("reviewed = NOT reviewed")],
  ["the time of the consent", () => time("- interval '1 day'")],
  ["the time by a millisecond", () => time("+ interval '1 millisecond'")],
  ["the address it came from", () => both("address = '198.51.100.7'")],
  ["the browser", () => record(`"userAgent" = 'Lynx/2.8'`)],
  ["the link", () => both(`"linkId" = NULL`)],
  ["the version of the text", () => record("version = 'another'")],
  [
    "the text",
    () => record(`document = document || '.', "documentHash" = encode(sha256((document || '.')::bytea), 'hex')`),
  ],
  ["the salt", () => record("salt = repeat('0', 64)")],
  ["the reference", () => [`UPDATE applications SET reference = 'XXXX-XXXX' WHERE id = '${victim.id}'`]],
  ["the decision", () => [...event("status_changed", "detail = 'declined'"), status("declined")]],
  ["who decided", () => event("status_changed", "by = 'Eve'")],
  ["why it was decided", () => event("status_changed", "reason = 'Another'")],
  ["when it was decided", () => event("status_changed", "at = at - interval '1 hour'")],
  ["who reissued the link", () => event("link_reissued", "by = 'Eve'")],
  ["a decision removed", () => [...withoutEvent("status_changed"), status("submitted")]],
  ["a reissue removed", () => withoutEvent("link_reissued")],
  ["a decision put before everything", () => added("status_changed", earliest)],
  ["the whole record deleted", deleted],
  ["an erasure that nobody asked for", () => [], () => eraseApplication(victim.reference, "Eve")],
];

/** Forgeries of the log itself, each of which includes any rebuild that it needs. */
const logForgeries: Record<string, () => Promise<void>> = {
  async "an older dump restored and continued"() {
    await restoreFrom("long_ago");
    for (let n = 0; n < 3; n += 1) await submitted();
    await appendAll(prisma());
  },
  async "the log cut off and grown again with another record"() {
    await tamper(...deleted());
    await rebuildLog(victimLeaf);
  },
  "the log cut off": () =>
    tamper(
      status("submitted"),
      `DELETE FROM evidence_log WHERE index > ${victimLeaf}`,
      'DELETE FROM events WHERE id > (SELECT max("eventId") FROM evidence_log)',
      `DELETE FROM consent_records WHERE "applicationId" NOT IN (SELECT "applicationId" FROM events WHERE kind = 'submitted')`,
      `UPDATE applications SET status = 'draft' WHERE id NOT IN (SELECT "applicationId" FROM consent_records)`,
      `UPDATE applications SET "erasedAt" = NULL WHERE id NOT IN (SELECT "applicationId" FROM events WHERE kind = 'erased')`,
    ),
  async "the log made anew with another key"() {
    keys.signWith(keys.make().file);
    await rebuildLog();
    keys.signWith(first.file);
  },
};

/** What `npm run evidence -- verify` finds without and with the receipt, and the result of evidence-verify.mjs. */
async function verificationResults() {
  const { log, problems } = await verified();
  for await (const { problems: own } of verifyConsents()) problems.push(...own);
  const { result } = await reportOf({ "receipt.json": receipt, "evidence-log.json": log });
  return { alone: problems, against: await differencesFrom(log, receipt), offline: result };
}

const forgeries = [
  ...inPlace.map(([what, statements, then]) => ({
    what,
    forge: async () => {
      await tamper(...statements());
      await then?.();
      await rebuildLog();
    },
  })),
  ...Object.entries(logForgeries).map(([what, forge]) => ({ what, forge })),
];

let detected = 0;
beforeEach(() => restoreFrom("before"));
afterAll(() =>
  reportFigure(
    67,
    `${detected} of ${forgeries.length} forgeries by the superuser with the key, every hash recomputed, found by the holder of one later receipt, by the command and by evidence-verify.mjs`,
  ),
);

test("the log agrees with the receipt before any forgery", async () => {
  expect(await verificationResults()).toEqual({ alone: [], against: [], offline: "agrees" });
});

test("no forgery is missing", () => expect(forgeries).toHaveLength(size(29, 40)));

test.each(forgeries)("the forgery is detected: $what", async ({ forge }) => {
  await forge();
  const { alone, against, offline } = await verificationResults();
  // The forged database is consistent on its own, so only the receipt reveals the forgery.
  expect(alone).toEqual([]);
  expect(against).not.toEqual([]);
  expect(offline).toBe("differs");
  detected += 1;
});

/** Rewrites the head that was sent with the receipt's submission. */
async function rewriteFirstHead(signature: (head: object) => string): Promise<void> {
  const { signature: _, ...head } = receipt.first.head;
  const at = new Date(Date.parse(head.at) - 30 * 86_400_000).toISOString();
  await tamper(
    `UPDATE evidence_log SET at = '${at}', signature = '${signature({ ...head, at })}' WHERE index = ${head.size - 1}`,
  );
}

async function backdatedConsent() {
  const late = await submitted();
  const record = `WHERE "applicationId" = '${late.id}'`;
  await tamper(
    `UPDATE consent_records SET "consentedAt" = "consentedAt" - interval '30 days' ${record}`,
    `UPDATE events SET at = at - interval '30 days' ${record}`,
    `UPDATE applications SET "submittedAt" = "submittedAt" - interval '30 days' WHERE id = '${late.id}'`,
  );
  await rehash();
  await appendAll(prisma());
  return late;
}

async function backdatedDecision() {
  await setStatus(other.reference, "approved", { by: "Eve" });
  await tamper(`UPDATE events SET at = at - interval '30 days' WHERE kind = 'status_changed' AND by = 'Eve'`);
  await appendAll(prisma());
}

async function approvedDraft() {
  const { reference } = await invited();
  await tamper(`UPDATE applications SET status = 'approved', "submittedAt" = now() WHERE reference = '${reference}'`);
}

/** Exchanges the numbers of two decisions, so that the first seems to be the last. The leaves keep their places. */
async function exchangedDecisions() {
  for (const decision of ["declined", "approved"] as const) await setStatus(other.reference, decision, { by: "Ines" });
  await appendAll(prisma());
  const [decided, approved] = await sql<{ id: string }>(
    "SELECT id FROM events WHERE \"applicationId\" = $1 AND kind = 'status_changed' ORDER BY id",
    [other.id],
  );
  const renumbered = (from: unknown, to: unknown) => [
    `UPDATE events SET id = ${to} WHERE id = ${from}`,
    `UPDATE evidence_log SET "eventId" = ${to} WHERE "eventId" = ${from}`,
  ];
  await tamper(
    ...[...renumbered(decided?.id, 0), ...renumbered(approved?.id, decided?.id), ...renumbered(0, approved?.id)],
    `UPDATE applications SET status = 'declined' WHERE id = '${other.id}'`,
  );
}

/** An erasure from before the submission moves behind it, so that the removal of the answers seems to follow from it. */
async function movedErasure() {
  const { reference, id } = await invited();
  await eraseApplication(reference, "Vera");
  await fillInAndSubmit((await reissueLink(reference, { expiresDays: 30, by: "Ines" })).token);
  await appendAll(prisma());
  await tamper(
    `UPDATE evidence_log SET "eventId" = 900000 WHERE "eventId" = (SELECT id FROM events WHERE "applicationId" = '${id}' AND kind = 'erased')`,
    `UPDATE events SET id = 900000 WHERE "applicationId" = '${id}' AND kind = 'erased'`,
    `UPDATE consent_records SET answers = NULL, "answersHash" = NULL, salt = NULL, reviewed = NOT reviewed WHERE "applicationId" = '${id}'`,
  );
}

/** A decision becomes an event without a leaf of an application that was erased, so that nothing seems to be left of it. */
async function hiddenDecision() {
  const { id, reference } = await invited();
  await setStatus(other.reference, "approved", { by: "Ines" });
  await appendAll(prisma());
  await eraseApplication(reference, "Eve");
  await appendAll(prisma());
  await tamper(
    `UPDATE events SET "applicationId" = '${id}', kind = 'step_saved', by = '', reason = '', salt = NULL
     WHERE "applicationId" = '${other.id}' AND kind = 'status_changed'`,
    `UPDATE applications SET status = 'submitted' WHERE id = '${other.id}'`,
  );
}

/** An application with a decision that was erased, and whose erasure has a leaf. */
async function erasedDecision() {
  const gone = await submitted();
  await setStatus(gone.reference, "declined", { by: "Ines" });
  await eraseApplication(gone.reference, "Vera");
  await appendAll(prisma());
  return gone.id;
}

/** A decision moves to another application that was erased, as if the erasure had removed its reason. */
async function movedDecision() {
  await setStatus(other.reference, "approved", { by: "Ines", reason: "All is well" });
  await appendAll(prisma());
  const id = await erasedDecision();
  await tamper(
    `UPDATE events SET "applicationId" = '${id}', reason = '', salt = NULL
     WHERE "applicationId" = '${other.id}' AND kind = 'status_changed'`,
    `UPDATE applications SET status = 'submitted' WHERE id = '${other.id}'`,
  );
}

/** As before, and the decision loses the hash of its reason, like one from before there were such hashes. */
async function movedDecisionWithoutHash() {
  await movedDecision();
  await tamper(`UPDATE events SET "reasonHash" = NULL WHERE by = 'Ines' AND salt IS NULL AND kind = 'status_changed'`);
}

async function decisionOfErased() {
  const id = await erasedDecision();
  await tamper(
    `UPDATE events SET detail = 'approved' WHERE "applicationId" = '${id}' AND kind = 'status_changed'`,
    `UPDATE applications SET status = 'approved' WHERE id = '${id}'`,
  );
}

/** As if the leaf of the first decision, which is on an erased application, were older than the hashes of reasons. */
async function firstDecisionOfErased() {
  await eraseApplication(victim.reference, "Vera");
  await appendAll(prisma());
  await tamper(
    `UPDATE events SET detail = 'declined', "reasonHash" = NULL ${where} AND kind = 'status_changed'`,
    status("declined"),
  );
}

/** The first words of a reason move to the salt, which is hashed before it. */
async function shortenedReason() {
  await tamper(...event("status_changed", "salt = salt || 'All is ', reason = 'well'"));
}

const removeAnswers = `UPDATE consent_records SET answers = NULL, "answersHash" = NULL, salt = NULL, address = ''`;

/** The record is emptied as if by an erasure, and the application keeps another amount. */
async function erasedRecord() {
  await tamper(
    `${removeAnswers} ${where}`,
    ...event("submitted", "address = ''"),
    `UPDATE applications SET "loanAmount" = 50000 WHERE id = '${victim.id}'`,
  );
  await sql(`INSERT INTO events ("applicationId", kind, by) VALUES ($1, 'erased', 'Eve')`, [victim.id]);
  await appendAll(prisma());
}

async function refilledApplication() {
  await eraseApplication(victim.reference, "Vera");
  await appendAll(prisma());
  await tamper(`UPDATE applications SET "loanAmount" = 50000 WHERE id = '${victim.id}'`);
}

/** Another person's consent seems to be that of a draft that was erased later, so that nothing is left of it. */
async function movedConsent() {
  const { id, reference } = await invited();
  await eraseApplication(reference, "Eve");
  await appendAll(prisma());
  await tamper(
    `${removeAnswers}, "userAgent" = '', "linkId" = NULL, "applicationId" = '${id}' WHERE "applicationId" = '${other.id}'`,
    `UPDATE events SET "applicationId" = '${id}', address = '', salt = NULL WHERE "applicationId" = '${other.id}' AND kind = 'submitted'`,
    `UPDATE applications SET status = 'submitted', "submittedAt" = (SELECT "submittedAt" FROM applications WHERE id = '${other.id}') WHERE id = '${id}'`,
    `UPDATE applications SET status = 'draft', "submittedAt" = NULL WHERE id = '${other.id}'`,
  );
}

async function erasedAndThen(statements: string[]) {
  await eraseApplication(victim.reference, "Vera");
  await appendAll(prisma());
  await tamper(...statements);
}

/** The rows from before an erasure are written back, as from a dump. */
const refilledRecord = () =>
  erasedAndThen(
    ["consent_records", "events"].flatMap((table) => {
      const kept =
        table === "events"
          ? "(address, reason, salt)"
          : `(answers, "answersHash", address, "userAgent", "linkId", salt)`;
      return `UPDATE ${table} AS t SET ${kept} = (SELECT ${kept.slice(1, -1)} FROM before.${table} AS b WHERE b.id = t.id)
        WHERE t."applicationId" = '${victim.id}' AND t.id IN (SELECT id FROM before.${table})`;
    }),
  );

async function movedLink() {
  const link = `(SELECT "linkId" FROM events ${where} AND kind = 'submitted')`;
  await tamper(`UPDATE links SET "applicationId" = '${other.id}' WHERE id = ${link}`);
}

/** The consent and its leaf are dated long after the head that covers them. */
async function postdatedConsent() {
  const late = await submitted();
  await tamper(
    ...["consent_records:consentedAt", "events:at", "applications:submittedAt"].map((column) => {
      const [table, name] = column.split(":");
      return `UPDATE ${table} SET "${name}" = "${name}" + interval '30 days' WHERE '${late.id}' IN (${table === "applications" ? "id" : '"applicationId"'})`;
    }),
  );
  await rehash();
  await appendAll(prisma());
  return late;
}

/** An event that stays in the queue and is dated in the future, so that it never seems late. */
async function postdatedDecision() {
  await setStatus(other.reference, "approved", { by: "Eve" });
  await tamper(`UPDATE events SET at = at + interval '30 days' WHERE kind = 'status_changed' AND by = 'Eve'`);
}

async function secondSubmission() {
  await tamper(
    `INSERT INTO events ("applicationId", kind, at) SELECT "applicationId", kind, at FROM events
     WHERE "applicationId" = '${other.id}' AND kind = 'submitted'`,
  );
}

/** A leaf of neither an event nor a key. */
async function emptyLeaf() {
  await setStatus(other.reference, "approved", { by: "Ines" });
  await appendAll(prisma());
  const { log } = await verified();
  const hash = createHash("sha256").update("\0").digest("hex");
  await tamper(`UPDATE evidence_log SET "eventId" = NULL, hash = '${hash}' WHERE index = ${log.leaves.length - 1}`);
}

/** An event that stays in the queue gets no leaf, as if no worker were running. */
async function queuedDecision() {
  await setStatus(other.reference, "approved", { by: "Eve" });
  await tamper(`UPDATE events SET at = at - interval '30 days' WHERE kind = 'status_changed' AND by = 'Eve'`);
}

async function headOfReplacedKey() {
  keys.signWith(keys.make(first.key).file);
  await submitted();
  await appendAll(prisma());
  keys.signWith(first.file);
  const { log } = await verified();
  const { signature: _, ...head } = { ...log.head, key: first.key.entry.key };
  await tamper(
    `UPDATE evidence_log SET key = '${head.key}', signature = '${first.key.sign(head)}' WHERE index = ${head.size - 1}`,
  );
}

const signedAgain = () => rewriteFirstHead(first.key.sign);
const unsigned = () => rewriteFirstHead(() => "AAAA");
const timeOfRow = () => tamper(time("- interval '1 day'")[2] ?? "");
const timeOfEvent = () => tamper(...event("submitted", "at = at - interval '1 day'"));
const otherTime = "the time of the submission is not that of the consent";

/** Forgeries in a log that keeps growing normally, the problem that the command reports, and the offline result. */
test.each<[what: string, forge: () => Promise<unknown>, problem: string, offline: string]>([
  ["a backdated consent", backdatedConsent, "is dated before the head of", "agrees"],
  ["a backdated decision", backdatedDecision, "(status changed), is dated before the head of", "agrees"],
  ["the time of a head, signed again", signedAgain, "is out of order, or dated before the head of", "differs"],
  ["the time of a head, without the key", unsigned, "is not signed by the key that it names", "differs"],
  ["two decisions exchanged", exchangedDecisions, "its leaves and its events are in different orders", "agrees"],
  ["an erasure moved behind a submission", movedErasure, "its leaves and its events are in different orders", "agrees"],
  ["a backdated decision that is still queued", queuedDecision, "status changed has no leaf", "agrees"],
  ["a decision hidden among the events of an erased one", hiddenDecision, "(step saved)", "agrees"],
  ["a decision moved to an erased application", movedDecision, "(status changed)", "agrees"],
  ["a decision moved there, without its reason's hash", movedDecisionWithoutHash, "(status changed)", "agrees"],
  ["the decision on an erased application", decisionOfErased, "(status changed)", "agrees"],
  ["the first decision, on an erased application", firstDecisionOfErased, "(status changed)", "agrees"],
  ["the first words of a reason", shortenedReason, "(status changed)", "agrees"],
  ["a record emptied without an erasure", erasedRecord, "the time of the erasure is not that", "agrees"],
  ["an answer of an erased application", refilledApplication, "has answers although they were erased", "agrees"],
  ["the submission's event", () => tamper(...event("submitted", "by = 'Eve'")), "(submitted)", "agrees"],
  ["the application of a link", movedLink, "submitted has no link of this application", "agrees"],
  ["a consent moved to an erased draft", movedConsent, "(submitted)", "agrees"],
  ["the boxes of an erased record", () => erasedAndThen(record("reviewed = NOT reviewed")), "(submitted)", "agrees"],
  [
    "an erased record whose answers are written back",
    refilledRecord,
    "has answers although they were erased",
    "agrees",
  ],
  ["a consent dated in the future", postdatedConsent, "(submitted), is dated after the head of", "agrees"],
  ["a queued decision dated in the future", postdatedDecision, "status changed has no leaf", "agrees"],
  ["a second submission", secondSubmission, "there are several submissions", "agrees"],
  ["a leaf of nothing", emptyLeaf, "is not that of its key", "differs"],
  ["a head signed with a replaced key", headOfReplacedKey, "is signed by a key that had been replaced", "differs"],
  ["the status", () => tamper(status("declined")), "the status is not that of the last decision", "agrees"],
  ["an approval of a draft", approvedDraft, "there is no consent record", "agrees"],
  ["the time of a submission, except in the record", timeOfRow, otherTime, "agrees"],
  ["the time of a submission's event", timeOfEvent, otherTime, "agrees"],
])("a forgery in a log that keeps growing is reported: %s", async (_, forge, problem, offline) => {
  await forge();
  const result = await verificationResults();
  expect(result.alone.join("\n")).toContain(problem);
  expect(result.offline).toBe(offline);
});

test("the time of a submission may differ from that of its consent by the millisecond that an earlier release cut off", async () => {
  await tamper(...event("submitted", "at = at + interval '1 millisecond'"));
  expect((await verificationResults()).alone).toEqual([]);
});

test("the time of a head that was changed and signed again differs from the receipt", async () => {
  await signedAgain();
  expect((await verificationResults()).against).toContain(`the head of ${receipt.first.head.size} leaves has changed`);
  const later = await receiptOf(other.id);
  const { lines, result } = await reportOf({ "receipt.json": receipt, "later.json": later });
  expect([lines[0], result]).toEqual(["Something does not agree.", "differs"]);
});

test("a wrong signature on a head that is not its key's last is found offline, and by the command with a receipt", async () => {
  await submitted();
  await appendAll(prisma());
  const index = receipt.first.head.size - 1;
  await tamper(`UPDATE evidence_log SET at = at + interval '1 millisecond' WHERE index = ${index}`);
  const { alone, against, offline } = await verificationResults();
  expect([alone, against, offline]).toEqual([
    [],
    [`the head of ${receipt.first.head.size} leaves has changed`],
    "differs",
  ]);
});

test("the holder of a receipt finds that its head was removed from the log", async () => {
  await tamper(
    `UPDATE evidence_log SET root = NULL, key = NULL, signature = NULL WHERE index = ${receipt.first.head.size - 1}`,
  );
  await submitted();
  await appendAll(prisma());
  const { against, offline } = await verificationResults();
  expect([against, offline]).toEqual([[`the log has no head of ${receipt.first.head.size} leaves`], "differs"]);
});

test("the receipt of a backdated consent does not agree with the log", async () => {
  const late = await backdatedConsent();
  const { log } = await verified();
  const { lines, result } = await reportOf({ "late.json": await receiptOf(late.id), "evidence-log.json": log });
  expect([lines.at(-1), result]).toEqual([
    `late.json and evidence-log.json: the consent is dated before the head of ${receipt.head.size} leaves, which does not cover it.`,
    "differs",
  ]);
});

test("the receipt of a consent dated in the future is refused by itself", async () => {
  const { id } = await postdatedConsent();
  expect((await reportOf({ "receipt.json": await receiptOf(id) })).lines).toContain(
    "receipt.json: the consent is dated after the first head that covers it.",
  );
});

test("a consent that was deleted from an unsigned log does not pass as a key", async () => {
  keys.signWith(undefined);
  await rebuildLog();
  const receiptThen = await receiptOf(other.id);
  const [{ recordHash = "" } = {}] = await sql<{ recordHash: string }>(
    `SELECT "recordHash" FROM consent_records ${where}`,
  );
  const entry = JSON.stringify({ kind: "consent", record: recordHash });
  await tamper(
    `UPDATE evidence_log SET "eventId" = NULL, entry = '${entry}'
     WHERE "eventId" = (SELECT id FROM events ${where} AND kind = 'submitted')`,
    ...deleted(),
  );
  const { log, problems } = await verified();
  keys.signWith(first.file);
  const { result } = await reportOf({ "receipt.json": receiptThen, "evidence-log.json": log });
  expect(problems).toContain("entry 1 of the log's keys is not a key");
  expect(result).toBe("differs");
});

test("an event's leaf is not read as a key's", async () => {
  await tamper(
    `UPDATE evidence_log SET entry = '{"kind":"key"}' WHERE "eventId" = (SELECT id FROM events ${where} AND kind = 'submitted')`,
  );
  expect((await verified()).problems).toContain(`leaf ${victimLeaf} is not that of ${victim.reference} (submitted)`);
});
