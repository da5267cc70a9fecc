import { freshDatabase } from "@/__tests__/support/database";
import { evidenceKeys, verified } from "@/__tests__/support/evidence";
import { reportFigure } from "@/__tests__/support/size";
import { submitted } from "@/__tests__/support/submitted";
import { eraseApplication } from "@/lib/server/applications/erase";
import { setStatus } from "@/lib/server/applications/set-status";
import { versionOf } from "@/lib/server/db/application-row";
import { prisma } from "@/lib/server/db/client";
import { appendAll } from "@/lib/server/evidence/append";
import { report } from "@/lib/server/evidence/evidence-verify.mjs";
import { type EvidenceReceipt, evidenceReceipt } from "@/lib/server/evidence/receipt";
import { recordHashOf } from "@/lib/server/evidence/record-hash";
import { verifyConsents } from "@/lib/server/evidence/verify-consents";
import { differencesFrom } from "@/lib/server/evidence/verify-log";
import { reissueLink } from "@/lib/server/invitations/links";

jest.setTimeout(300_000);

/**
 * Somebody with every right on the database, and with the key, forges it and recomputes every hash. The database is brought
 * back after each forgery from a copy of its tables.
 */
const { sql } = freshDatabase();
const keys = evidenceKeys();
const first = keys.make();

const tables = [
  "applications",
  "links",
  "link_tokens",
  "consent_records",
  "events",
  "evidence_log",
  "evidence_pending",
];

/** Of a schema beside the tables: what was there at some time. */
async function copyTo(schema: string): Promise<void> {
  await sql(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await sql(`CREATE SCHEMA ${schema}`);
  for (const table of tables) await sql(`CREATE TABLE ${schema}.${table} AS TABLE public.${table}`);
}

/** With no trigger and no foreign key in the way. */
async function bringBack(schema: string): Promise<void> {
  await sql("SET session_replication_role = replica");
  for (const table of tables) {
    await sql(`DELETE FROM ${table}`);
    await sql(`INSERT INTO ${table} SELECT * FROM ${schema}.${table}`);
  }
  await sql("SET session_replication_role = origin");
}

async function past(...statements: string[]): Promise<void> {
  await sql("SET session_replication_role = replica");
  for (const statement of statements) await sql(statement);
  await sql("SET session_replication_role = origin");
}

/** As the app and the commands make them, so that the forged database fits together. */
async function rehashRecords(): Promise<void> {
  const records = await prisma().consentRecord.findMany({ include: { application: true } });
  await sql("SET session_replication_role = replica");
  for (const { application, ...record } of records) {
    const { reference } = application;
    const answersHash = record.answers ? versionOf(record.answers as Record<string, string>) : record.answersHash;
    const recordHash = record.answers ? recordHashOf({ ...record, answersHash, reference }) : record.recordHash;
    await sql(`UPDATE consent_records SET "answersHash" = $1, "recordHash" = $2 WHERE id = $3`, [
      answersHash,
      recordHash,
      record.id,
    ]);
  }
  await sql("SET session_replication_role = origin");
}

/** Makes the log anew from what the tables now say, from a leaf on, and signs it. */
async function regrow(from = 0): Promise<void> {
  await past(
    `DELETE FROM evidence_log WHERE index >= ${from}`,
    "DELETE FROM evidence_pending",
    `INSERT INTO evidence_pending SELECT id FROM events e
     WHERE kind IN ('submitted', 'status_changed', 'erased', 'link_reissued')
       AND NOT EXISTS (SELECT FROM evidence_log l WHERE l."eventId" = e.id)`,
  );
  await rehashRecords();
  await appendAll(prisma());
}

let victim: Awaited<ReturnType<typeof submitted>>;
let other: Awaited<ReturnType<typeof submitted>>;
/** The receipt of somebody else, who has downloaded it after all that is forged. */
let held: EvidenceReceipt;
let its: string;
/** Where the victim's leaf is. */
let leaf: number;

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
  held = await receiptOf(other.id);
  leaf = (await receiptOf(victim.id)).leaf.index;
  its = `WHERE "applicationId" = '${victim.id}'`;
  await copyTo("before");
});

async function receiptOf(id: string): Promise<EvidenceReceipt> {
  const receipt = await evidenceReceipt(prisma(), id);
  if (!receipt) throw new Error("There is no receipt");
  return receipt;
}

const answer = (name: string, value: string) => [
  `UPDATE consent_records SET answers = jsonb_set(answers, '{${name}}', '"${value}"') ${its}`,
  `UPDATE applications SET "${name}" = '${value}' WHERE id = '${victim.id}'`,
];
const record = (change: string) => [`UPDATE consent_records SET ${change} ${its}`];
const event = (kind: string, change: string) => [`UPDATE events SET ${change} ${its} AND kind = '${kind}'`];
const withoutEvent = (kind: string) => [
  `DELETE FROM evidence_log l USING events e ${its.replace("WHERE", "WHERE e.")} AND e.kind = '${kind}' AND l."eventId" = e.id`,
  `DELETE FROM events ${its} AND kind = '${kind}'`,
];
const added = (kind: string, at: string) => [
  `INSERT INTO events (id, "applicationId", kind, detail, at, by, salt)
   SELECT ${at}, "applicationId", '${kind}', detail, at - interval '1 minute', by, salt FROM events ${its} AND kind = 'status_changed'`,
];
const deleted = () => [
  `DELETE FROM consent_records ${its}`,
  `DELETE FROM events ${its}`,
  `DELETE FROM applications WHERE id = '${victim.id}'`,
];
const earliest = "(SELECT min(id) - 1 FROM events)";

/** What is forged, with statements; what else is done before the log is made anew. */
type Forgery = [what: string, statements: () => string[], then?: () => Promise<void>];

const inPlace: Forgery[] = [
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
  ["an answer added", () => record(`answers = answers || '{"once": "asked"}'`)],
  ["an answer removed", () => record(`answers = answers - 'approval'`)],
  ["the box of the agent", () => record(`"authoriseAgent" = NOT "authoriseAgent", "provideSelf" = NOT "provideSelf"`)],
  ["the box that confirms", () => record(`"confirmLoan" = NOT "confirmLoan"`)],
  ["whether it was reviewed", () => record("reviewed = NOT reviewed")],
  ["the time of the consent", () => record(`"consentedAt" = "consentedAt" - interval '1 day'`)],
  ["the time by a millisecond", () => record(`"consentedAt" = "consentedAt" + interval '1 millisecond'`)],
  ["the address it came from", () => record("address = '198.51.100.7'")],
  ["the browser", () => record(`"userAgent" = 'Lynx/2.8'`)],
  ["the link", () => record(`"linkId" = gen_random_uuid()`)],
  ["the version of the text", () => record("version = 'another'")],
  [
    "the text",
    () => record(`document = document || '.', "documentHash" = encode(sha256((document || '.')::bytea), 'hex')`),
  ],
  ["the salt", () => record("salt = repeat('0', 64)")],
  ["the reference", () => [`UPDATE applications SET reference = 'XXXX-XXXX' WHERE id = '${victim.id}'`]],
  ["the decision", () => event("status_changed", "detail = 'declined'")],
  ["who decided", () => event("status_changed", "by = 'Eve'")],
  ["why it was decided", () => event("status_changed", "reason = 'Another'")],
  ["when it was decided", () => event("status_changed", "at = at - interval '1 hour'")],
  ["who reissued the link", () => event("link_reissued", "by = 'Eve'")],
  ["a decision removed", () => withoutEvent("status_changed")],
  ["a reissue removed", () => withoutEvent("link_reissued")],
  ["a decision put before everything", () => added("status_changed", earliest)],
  ["the whole record deleted", deleted],
  [
    "an erasure that nobody asked for",
    () => [],
    async () => {
      await eraseApplication(victim.reference, "Eve");
    },
  ],
];

/** Those of the log itself, each done in full. */
const ofTheLog: [what: string, forge: () => Promise<void>][] = [
  [
    "an older dump restored and continued",
    async () => {
      await bringBack("long_ago");
      for (let n = 0; n < 3; n += 1) await submitted();
      await appendAll(prisma());
    },
  ],
  [
    "the log cut off and grown again with another record",
    async () => {
      await past(...deleted());
      await regrow(leaf);
    },
  ],
  [
    "the log cut off",
    () =>
      past(
        `DELETE FROM evidence_log WHERE index > ${leaf}`,
        'DELETE FROM events WHERE id > (SELECT max("eventId") FROM evidence_log)',
        `DELETE FROM consent_records WHERE "applicationId" NOT IN (SELECT "applicationId" FROM events WHERE kind = 'submitted')`,
      ),
  ],
  [
    "the log made anew with another key",
    async () => {
      keys.signWith(keys.make().file);
      await regrow();
      keys.signWith(first.file);
    },
  ],
];

/** What `npm run evidence -- verify` finds, without and with what somebody holds. */
async function found() {
  const { log, problems } = await verified();
  for await (const { problems: own } of verifyConsents()) problems.push(...own);
  const { isWell } = await report([
    ["receipt.json", held],
    ["evidence-log.json", log],
  ]);
  return { alone: problems, held: await differencesFrom(log, { name: "held", content: held }), isWell };
}

const forgeries = [
  ...inPlace.map(([what, statements, then]) => ({
    what,
    forge: async () => {
      await past(...statements());
      await then?.();
      await regrow();
    },
  })),
  ...ofTheLog.map(([what, forge]) => ({ what, forge })),
];

let detected = 0;
beforeEach(() => bringBack("before"));
afterAll(() =>
  reportFigure(
    67,
    `${detected} of ${forgeries.length} forgeries by the superuser with the key, every hash recomputed, found by the holder of one later receipt, by the command and by evidence-verify.mjs`,
  ),
);

test("as it was, the log agrees with what is held", async () => {
  expect(await found()).toEqual({ alone: [], held: [], isWell: true });
});

test("there are forty forgeries", () => expect(forgeries).toHaveLength(40));

test.each(forgeries)("forged: $what", async ({ forge }) => {
  await forge();
  const { alone, held: differences, isWell } = await found();
  // The forgery is a good one: by itself the database fits together.
  expect(alone).toEqual([]);
  expect(differences).not.toEqual([]);
  expect(isWell).toBe(false);
  detected += 1;
});
