import { createHash } from "node:crypto";
import { changeOf } from "@/__tests__/support/answers";
import { freshDatabase } from "@/__tests__/support/database";
import { append, evidenceKeys, receiptOf, reportOf, submittedWithLeaf, verified } from "@/__tests__/support/evidence";
import { invited } from "@/__tests__/support/invited";
import { setStatus } from "@/__tests__/support/set-status";
import { reportFigure, size } from "@/__tests__/support/size";
import { fillInAndSubmit, submitted } from "@/__tests__/support/submitted";
import { savedAnswers } from "@/lib/domain/application";
import type { StatusAfterSubmission } from "@/lib/domain/statuses";
import { eraseApplication } from "@/lib/server/applications/erase";
import { versionOf } from "@/lib/server/db/application-row";
import { prisma } from "@/lib/server/db/client";
import { evidenceKey } from "@/lib/server/evidence/key";
import type { EvidenceReceipt } from "@/lib/server/evidence/receipt";
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
  await sql(`CREATE SCHEMA ${schema}`);
  for (const table of tables) await sql(`CREATE TABLE ${schema}.${table} AS TABLE public.${table}`);
}

const tamper = (...statements: (string | string[])[]) => execute(statements.flat().join(";\n"));

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
  await append();
  await backdateHead();
}

/** Gives the head of a log of the same size its former time, because a new time alone would reveal any rebuilt log. */
async function backdateHead(): Promise<void> {
  const { log } = await verified();
  const { signature: _, ...head } = { ...log.head, at: receipt.head.at };
  const key = evidenceKey();
  if (!key || head.size !== receipt.head.size) return;
  await tamper(
    `UPDATE evidence_log SET at = '${head.at}', signature = '${key.sign(head)}' WHERE index = ${head.size - 1}`,
  );
}

let victim: Awaited<ReturnType<typeof submitted>>;
let other: typeof victim;
/** The receipt of another applicant, downloaded after the events that are forged. */
let receipt: EvidenceReceipt;
/** The index of the victim's leaf. */
let victimLeaf: number;

beforeAll(async () => {
  keys.signWith(first.file);
  await submittedWithLeaf();
  await copyTo("long_ago");
  victim = await submitted({ email: "ada@landlord.example" });
  await setStatus(victim.reference, "approved", { by: "Ines", reason: "All is well" });
  await reissueLink(victim.reference, { expiresDays: 30, by: "Ines" });
  const gone = await submitted();
  await eraseApplication(gone.reference, "Vera");
  await append();
  other = await submittedWithLeaf();
  receipt = await receiptOf(other.id);
  victimLeaf = (await receiptOf(victim.id)).leaf.index;
  await copyTo("before");
});

/** Statements about the rows of one application, which is the victim's by default. */
const where = ({ id } = victim) => `WHERE "applicationId" = '${id}'`;
const application = (change: string, { id } = victim) => `UPDATE applications SET ${change} WHERE id = '${id}'`;
const record = (change: string, of = victim) => `UPDATE consent_records SET ${change} ${where(of)}`;
const event = (kind: string, change: string, of = victim) =>
  `UPDATE events SET ${change} ${where(of)} AND kind = '${kind}'`;
const eventId = (kind: string, of = victim) => `(SELECT id FROM events ${where(of)} AND kind = '${kind}')`;
const status = (name: string, of = victim) => application(`status = '${name}'`, of);
const answer = (name: string, value: string) => [
  record(`answers = jsonb_set(answers, '{${name}}', '"${value}"')`),
  application(`"${name}" = '${value}'`),
];
/** Statements that change the record and the event of the submission. */
const both = (change: string) => [record(change), event("submitted", change)];
/** Statements that change the time of the submission in the record, the event and the application. */
const time = (change: string, of = victim) => [
  record(`"consentedAt" = "consentedAt" ${change}`, of),
  event("submitted", `at = at ${change}`, of),
  application(`"submittedAt" = "submittedAt" ${change}`, of),
];
const withoutEvent = (kind: string) => [
  `DELETE FROM evidence_log WHERE "eventId" = ${eventId(kind)}`,
  `DELETE FROM events ${where()} AND kind = '${kind}'`,
];
const added = (kind: string, at: string) =>
  `INSERT INTO events (id, "applicationId", kind, detail, at, by, salt)
   SELECT ${at}, "applicationId", '${kind}', detail, at - interval '1 minute', by, salt FROM events ${where()} AND kind = 'status_changed'`;
const deleted = () => [
  `DELETE FROM consent_records ${where()}`,
  `DELETE FROM events ${where()}`,
  `DELETE FROM applications WHERE id = '${victim.id}'`,
];
const earliest = "(SELECT min(id) - 1 FROM events)";

/** What is forged, the statements that forge it, and any further step before the log is rebuilt. */
type Forgery = [what: string, statements: () => string | string[], then?: () => Promise<unknown>];

/** The record has one hash of all answers, so each answer is detected in the same way. */
const answerForgeries = savedAnswers.map(
  (name): Forgery => [name, () => answer(name, changeOf(name).data[name] ?? "")],
);

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
  ["the reference", () => application("reference = 'XXXX-XXXX'")],
  ["the decision", () => [event("status_changed", "detail = 'declined'"), status("declined")]],
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
    await append();
  },
  async "the log cut off and grown again with another record"() {
    await tamper(deleted());
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
      await tamper(statements());
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

test("a log rebuilt without a forgery agrees with the receipt", async () => {
  await rebuildLog();
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

/** A consent whose time was changed before it got its leaf. */
async function datedConsent(days: number) {
  const late = await submitted();
  await tamper(time(`+ interval '${days} days'`, late));
  await rehash();
  await append();
  return late;
}

/** A decision whose time was changed before it got a leaf. */
async function datedDecision(days: number) {
  await setStatus(other.reference, "approved", { by: "Eve" });
  await tamper(event("status_changed", `at = at + interval '${days} days'`, other));
}

/** An application with a decision that was erased, and whose erasure has a leaf. */
async function erasedDecision() {
  const gone = await submitted();
  await setStatus(gone.reference, "declined", { by: "Ines" });
  await eraseApplication(gone.reference, "Vera");
  await append();
  return gone;
}

async function erasedDraft() {
  const draft = await invited();
  await eraseApplication(draft.reference, "Eve");
  await append();
  return draft;
}

async function decide(...statuses: StatusAfterSubmission[]) {
  for (const decision of statuses) await setStatus(other.reference, decision, { by: "Ines", reason: "All is well" });
  await append();
}

/** A decision moves to another application that was erased, as if the erasure had removed its reason. */
async function movedDecision() {
  await decide("approved");
  const { id } = await erasedDecision();
  await tamper(
    event("status_changed", `"applicationId" = '${id}', reason = '', salt = NULL`, other),
    status("submitted", other),
  );
}

async function erasedAndThen(...statements: string[]) {
  await eraseApplication(victim.reference, "Vera");
  await append();
  await tamper(statements);
}

const removeAnswers = `answers = NULL, "answersHash" = NULL, salt = NULL`;
const signedAgain = () => rewriteFirstHead(first.key.sign);

async function backdatedDecision() {
  await datedDecision(-30);
  await append();
}

/** Exchanges the numbers of two decisions, so that the first seems to be the last. The leaves keep their places. */
async function exchangedDecisions() {
  await decide("declined", "approved");
  const [decided, approved] = await sql<{ id: string }>(
    `SELECT id FROM events ${where(other)} AND kind = 'status_changed' ORDER BY id`,
  );
  const renumbered = (from: unknown, to: unknown) => [
    `UPDATE events SET id = ${to} WHERE id = ${from}`,
    `UPDATE evidence_log SET "eventId" = ${to} WHERE "eventId" = ${from}`,
  ];
  await tamper(
    ...[renumbered(decided?.id, 0), renumbered(approved?.id, decided?.id), renumbered(0, approved?.id)],
    status("declined", other),
  );
}

/** An erasure from before the submission moves behind it, so that the removal of the answers seems to follow from it. */
async function movedErasure() {
  const draft = await erasedDraft();
  await fillInAndSubmit((await reissueLink(draft.reference, { expiresDays: 30, by: "Ines" })).token);
  await append();
  await tamper(
    `UPDATE evidence_log SET "eventId" = 900000 WHERE "eventId" = ${eventId("erased", draft)}`,
    event("erased", "id = 900000", draft),
    record(`${removeAnswers}, reviewed = NOT reviewed`, draft),
  );
}

/** A decision becomes an event without a leaf of an application that was erased, so that nothing seems to be left of it. */
async function hiddenDecision() {
  await decide("approved");
  const { id } = await erasedDraft();
  await tamper(
    event("status_changed", `"applicationId" = '${id}', kind = 'step_saved', by = '', reason = '', salt = NULL`, other),
    status("submitted", other),
  );
}

async function decisionOfErased() {
  const gone = await erasedDecision();
  await tamper(event("status_changed", "detail = 'approved'", gone), status("approved", gone));
}

/** The record is emptied as if by an erasure, and the application keeps another amount. */
async function erasedRecord() {
  await tamper(
    record(`${removeAnswers}, address = ''`),
    event("submitted", "address = ''"),
    application(`"loanAmount" = 50000`),
  );
  await sql(`INSERT INTO events ("applicationId", kind, by) VALUES ($1, 'erased', 'Eve')`, [victim.id]);
  await append();
}

async function movedLink() {
  const link = `(SELECT "linkId" FROM events ${where()} AND kind = 'submitted')`;
  await tamper(`UPDATE links SET "applicationId" = '${other.id}' WHERE id = ${link}`);
}

/** Another person's consent seems to be that of a draft that was erased later, so that nothing is left of it. */
async function movedConsent() {
  const draft = await erasedDraft();
  const toDraft = `"applicationId" = '${draft.id}', address = ''`;
  const submittedAt = `(SELECT "submittedAt" FROM applications WHERE id = '${other.id}')`;
  await tamper(
    record(`${removeAnswers}, "userAgent" = '', "linkId" = NULL, ${toDraft}`, other),
    event("submitted", `${toDraft}, salt = NULL`, other),
    application(`status = 'submitted', "submittedAt" = ${submittedAt}`, draft),
    application(`status = 'draft', "submittedAt" = NULL`, other),
  );
}

/** The rows from before an erasure are written back, as from a dump. */
async function refilledRecord() {
  const writeBack = (table: string, columns: string) =>
    `UPDATE ${table} AS t SET (${columns}) = (SELECT ${columns} FROM before.${table} AS b WHERE b.id = t.id)
     ${where()} AND t.id IN (SELECT id FROM before.${table})`;
  await erasedAndThen(
    writeBack("consent_records", `answers, "answersHash", address, "userAgent", "linkId", salt`),
    writeBack("events", "address, reason, salt"),
  );
}

async function secondSubmission() {
  await tamper(
    `INSERT INTO events ("applicationId", kind, at) SELECT "applicationId", kind, at FROM events ${where(other)} AND kind = 'submitted'`,
  );
}

/** A leaf of neither an event nor a key. */
async function emptyLeaf() {
  await decide("approved");
  const { log } = await verified();
  const hash = createHash("sha256").update("\0").digest("hex");
  await tamper(`UPDATE evidence_log SET "eventId" = NULL, hash = '${hash}' WHERE index = ${log.leaves.length - 1}`);
}

async function headOfReplacedKey() {
  keys.signWith(keys.make(first.key).file);
  await submittedWithLeaf();
  keys.signWith(first.file);
  const { log } = await verified();
  const { signature: _, ...head } = { ...log.head, key: first.key.entry.key };
  await tamper(
    `UPDATE evidence_log SET key = '${head.key}', signature = '${first.key.sign(head)}' WHERE index = ${head.size - 1}`,
  );
}

const approvedDraft = async () => tamper(application(`status = 'approved', "submittedAt" = now()`, await invited()));

/** Forgeries in a log that keeps growing normally, the problem that the command reports, and the offline result. */
test.each<[what: string, forge: () => Promise<unknown>, problem: string, offline?: string]>([
  ["a backdated consent", () => datedConsent(-30), "is dated before the head of"],
  ["a consent dated in the future", () => datedConsent(30), "(submitted), is dated after the head of"],
  ["a backdated decision", backdatedDecision, "(status changed), is dated before the head of"],
  // A queued event gets no leaf, as if no worker were running.
  ["a backdated decision that is still queued", () => datedDecision(-30), "status changed has no leaf"],
  // It never seems late.
  ["a queued decision dated in the future", () => datedDecision(30), "status changed has no leaf"],
  ["the time of a head, signed again", signedAgain, "is out of order, or dated before the head of", "differs"],
  [
    "the time of a head, without the key",
    () => rewriteFirstHead(() => "AAAA"),
    "is not signed by the key that it names",
    "differs",
  ],
  ["two decisions exchanged", exchangedDecisions, "its leaves and its events are in different orders"],
  ["an erasure moved behind a submission", movedErasure, "its leaves and its events are in different orders"],
  ["a decision hidden among the events of an erased one", hiddenDecision, "(step saved)"],
  ["a decision moved to an erased application", movedDecision, "(status changed)"],
  ["the decision on an erased application", decisionOfErased, "(status changed)"],
  // They move to the salt, which is hashed before the reason.
  [
    "the first words of a reason",
    () => tamper(event("status_changed", "salt = salt || 'All is ', reason = 'well'")),
    "(status changed)",
  ],
  ["a record emptied without an erasure", erasedRecord, "the time of the erasure is not that"],
  [
    "an answer of an erased application",
    () => erasedAndThen(application(`"loanAmount" = 50000`)),
    "has answers although they were erased",
  ],
  ["the submission's event", () => tamper(event("submitted", "by = 'Eve'")), "(submitted)"],
  ["the application of a link", movedLink, "submitted has no link of this application"],
  ["a consent moved to an erased draft", movedConsent, "(submitted)"],
  ["the boxes of an erased record", () => erasedAndThen(record("reviewed = NOT reviewed")), "(submitted)"],
  ["an erased record whose answers are written back", refilledRecord, "has answers although they were erased"],
  ["a second submission", secondSubmission, "there are several submissions"],
  ["a leaf of nothing", emptyLeaf, "is not that of its key", "differs"],
  ["a head signed with a replaced key", headOfReplacedKey, "is signed by a key that had been replaced", "differs"],
  ["the status", () => tamper(status("declined")), "the status is not that of the last decision"],
  ["an approval of a draft", approvedDraft, "there is no consent record"],
  [
    "the time of a submission, except in the record",
    () => tamper(application(`"submittedAt" = "submittedAt" - interval '1 day'`)),
    "the time of the submission is not that of the consent",
  ],
  [
    "the time of a submission's event",
    () => tamper(event("submitted", "at = at - interval '1 day'")),
    "the time of the submission is not that of the consent",
  ],
])("a forgery in a log that keeps growing is reported: %s", async (...forgery) => {
  const [, forge, problem, offline = "agrees"] = forgery;
  await forge();
  const result = await verificationResults();
  expect(result.alone.join("\n")).toContain(problem);
  expect(result.offline).toBe(offline);
});

test("the time of a head that was changed and signed again differs from the receipt", async () => {
  await signedAgain();
  expect((await verificationResults()).against).toContain(`the head of ${receipt.first.head.size} leaves has changed`);
  const later = await receiptOf(other.id);
  const { lines, result } = await reportOf({ "receipt.json": receipt, "later.json": later });
  expect([lines[0], result]).toEqual(["Something does not agree.", "differs"]);
});

test("a wrong signature on a head that is not its key's last is found offline, and by the command with a receipt", async () => {
  await submittedWithLeaf();
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
  await submittedWithLeaf();
  const { against, offline } = await verificationResults();
  expect([against, offline]).toEqual([[`the log has no head of ${receipt.first.head.size} leaves`], "differs"]);
});

test("the receipt of a backdated consent does not agree with the log", async () => {
  const { id } = await datedConsent(-30);
  const { log } = await verified();
  const { lines, result } = await reportOf({ "late.json": await receiptOf(id), "evidence-log.json": log });
  expect([lines.at(-1), result]).toEqual([
    `late.json and evidence-log.json: the consent is dated before the head of ${receipt.head.size} leaves, which does not cover it.`,
    "differs",
  ]);
});

test("the receipt of a consent dated in the future is refused by itself", async () => {
  const { id } = await datedConsent(30);
  expect((await reportOf({ "receipt.json": await receiptOf(id) })).lines).toContain(
    "receipt.json: the consent is dated after the first head that covers it.",
  );
});

test("a consent that was deleted from an unsigned log does not pass as a key", async () => {
  keys.signWith(undefined);
  await rebuildLog();
  const receiptThen = await receiptOf(other.id);
  const [consent] = await sql(`SELECT "recordHash" FROM consent_records ${where()}`);
  const entry = JSON.stringify({ kind: "consent", record: consent?.recordHash });
  await tamper(
    `UPDATE evidence_log SET "eventId" = NULL, entry = '${entry}' WHERE "eventId" = ${eventId("submitted")}`,
    deleted(),
  );
  const { log, problems } = await verified();
  keys.signWith(first.file);
  const { result } = await reportOf({ "receipt.json": receiptThen, "evidence-log.json": log });
  expect(problems).toContain("entry 1 of the log's keys is not a key");
  expect(result).toBe("differs");
});

test("an event's leaf is not read as a key's", async () => {
  await tamper(`UPDATE evidence_log SET entry = '{"kind":"key"}' WHERE "eventId" = ${eventId("submitted")}`);
  expect((await verified()).problems).toContain(`leaf ${victimLeaf} is not that of ${victim.reference} (submitted)`);
});
