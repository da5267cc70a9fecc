import { createHash } from "node:crypto";
import fc from "fast-check";
import { wholeApplication } from "@/__tests__/support/answers";
import { callCommand } from "@/__tests__/support/call-command";
import { verify as open, submitWhole } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { readAll } from "@/__tests__/support/read-all";
import { reportFigure, size } from "@/__tests__/support/size";
import { submitted } from "@/__tests__/support/submitted";
import { maximumAdvance } from "@/lib/domain/advance";
import { answers, savedAnswers } from "@/lib/domain/application";
import { writeCents } from "@/lib/domain/money";
import { eraseApplication } from "@/lib/server/applications/erase";
import { type HashedRecord, recordHashOf } from "@/lib/server/evidence/record-hash";
import { verifyConsents } from "@/lib/server/evidence/verify-consents";
import { reissueLink } from "@/lib/server/invitations/links";

const { sql, blockedBy, tamper, operationsUrl } = freshDatabase();
const verify = (...args: string[]) => callCommand("consent", ["verify", ...args], { DATABASE_URL: operationsUrl });

test("before anything is submitted there is nothing to verify", async () => {
  expect(await verify()).toMatchObject({ code: 0, out: "Nothing has been submitted yet.\n" });
  const { reference } = await invited();
  expect(await verify(reference)).toMatchObject({ code: 1, err: `${reference} has not been submitted.\n` });
});

test("unchanged records verify, all of them and by reference", async () => {
  const { reference } = await submitted();
  await submitted();
  expect(await verify()).toEqual({ code: 0, out: "2 of 2 consent records verified.\n", err: "" });
  expect(await verify(reference)).toMatchObject({ code: 0, out: "1 of 1 consent record verified.\n" });
});

const problemsOf = async (id: string) => (await readAll(verifyConsents(id))).map(({ problems }) => problems);

test("an answer that was changed in the record or in the application is named", async () => {
  const { id } = await submitted();
  await tamper(`UPDATE applications SET "firstName" = 'Eve', "currentRent" = 1 WHERE id = $1`, id);
  expect(await problemsOf(id)).toEqual([["the application has a different firstName, currentRent"]]);
  const change = `UPDATE consent_records SET answers = jsonb_set(answers, '{loanAmount}', '"1"') WHERE "applicationId" = $1`;
  await tamper(change, id);
  const differs = "the application has a different firstName, loanAmount, currentRent";
  expect(await problemsOf(id)).toEqual([["the answers are not those that were submitted", differs]]);
});

const name = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }).map((text) => `${text} "quoted" \\ é 漢`);
const randomAnswers = fc.record({
  firstName: name,
  propertyAddress: name,
  agencyName: name,
  currentRent: fc.integer({ min: 1, max: 9_999_999_99 }).map(writeCents),
  invoiceAmount: fc.integer({ min: 0, max: 9_999_999_99 }).map(writeCents),
  loanAmount: fc.integer({ min: 1, max: maximumAdvance }).map(writeCents),
});
const rewritten: Record<string, string> = { date: "'1999-01-01'", money: "1", source: "'zz'" };

test("the record alone rebuilds the receipt, byte for byte, where the application holds other answers", async () => {
  const changes = savedAnswers.map((field) => `"${field}" = ${rewritten[answers[field].kind] ?? "'Eve'"}`);
  // The version is computed from the row of the application, so it differs here.
  const receiptOf = async (token: string) => {
    const { version, ...receipt } = (await post(open, { token })).body.data ?? {};
    return JSON.stringify(receipt);
  };
  const drawn = fc.sample(randomAnswers, { numRuns: size(5, 100), seed: 29 });
  for (const drawnAnswers of drawn) {
    const { id, token } = await invited();
    expect((await post(submitWhole, { token, data: { ...wholeApplication, ...drawnAnswers } })).status).toBe(200);
    const before = await receiptOf(token);
    expect(await problemsOf(id)).toEqual([[]]);
    await tamper(`UPDATE applications SET ${changes.join(", ")} WHERE id = $1`, id);
    expect(await receiptOf(token)).toBe(before);
    expect(await problemsOf(id)).toEqual([[expect.stringMatching(/^the application has a different /)]]);
  }
  const found = "each receipt as before, and each one named";
  reportFigure(29, `${drawn.length} applications with every answer rewritten: ${found}`);
}, 300_000);

const severalChanges = "the record was changed: the user agent, or more than one field";
test.each([
  [`document = document || '.'`, "the text is not the one that was agreed to"],
  [`answers = answers || '{"once": "asked"}'`, "the answers are not those that were submitted"],
  [`"authoriseAgent" = false, "provideSelf" = true`, "the boxes are not those that were ticked"],
  [`"confirmLoan" = false`, "the boxes are not those that were ticked"],
  [`reviewed = NOT reviewed`, "'reviewed' is not what was recorded"],
  [`"consentedAt" = "consentedAt" - interval '1 day'`, "the time is not that of the submission"],
  [`address = '198.51.100.7'`, "the address is not that of the submission"],
  [`"userAgent" = 'Lynx/2.8'`, severalChanges],
  [`version = 'another'`, "the version is not that of the text"],
  [`reviewed = NOT reviewed, address = ''`, severalChanges],
  [`"recordHash" = repeat('0', 64)`, severalChanges],
  [`"recordHash" = NULL, "confirmLoan" = false`, "the hash of the whole record was removed"],
  [`"answersHash" = repeat('0', 64)`, "the answers are not those that were submitted"],
])("after the change of a record by %s, the verification says what is wrong", async (change, problem) => {
  const { id } = await submitted();
  expect(await problemsOf(id)).toEqual([[]]);
  await tamper(`UPDATE consent_records SET ${change} WHERE "applicationId" = $1`, id);
  expect(await problemsOf(id)).toEqual([[problem]]);
});

test("a record whose answers were removed says so, and fails, unless the person was erased", async () => {
  const { id, reference } = await submitted();
  await tamper(
    `UPDATE consent_records SET answers = NULL, "confirmLoan" = false, "userAgent" = 'Lynx/2.8',
     "consentedAt" = "consentedAt" - interval '1 day' WHERE "applicationId" = $1`,
    id,
  );
  expect(await verify(reference)).toMatchObject({
    code: 1,
    out: `${reference}  the answers were removed\n0 of 1 consent record verified.\n`,
  });
  // The time of an erasure proves nothing without its event.
  await tamper(`UPDATE applications SET "erasedAt" = now() WHERE id = $1`, id);
  expect(await problemsOf(id)).toEqual([["the answers were removed"]]);
});

test("an erasure from before the submission does not account for answers that were removed", async () => {
  const { id, reference } = await invited();
  await eraseApplication(reference, "Vera");
  const { token } = await reissueLink(reference, { expiresDays: 30, by: "Vera" });
  await post(submitWhole, { token, data: wholeApplication });
  expect(await problemsOf(id)).toEqual([[]]);
  await tamper(`UPDATE consent_records SET answers = NULL WHERE "applicationId" = $1`, id);
  expect(await problemsOf(id)).toEqual([["the answers were removed"]]);
});

test("an erasure during the verification is not reported as a change", async () => {
  const { id } = await submitted();
  const lock = "LOCK TABLE applications IN ACCESS EXCLUSIVE MODE";
  const erase = () => sql("SELECT erase_applications(ARRAY[$1::uuid], 'Vera')", [id]);
  expect(await blockedBy(lock, [], () => problemsOf(id), erase)).toEqual([[]]);
});

test("the record of a person who was erased verifies by its text, and keeps no hash that the answers could be guessed from", async () => {
  const { id, reference } = await submitted();
  await eraseApplication(reference, "Vera");
  expect(await problemsOf(id)).toEqual([[]]);
  expect(await verify(reference)).toMatchObject({
    code: 0,
    out: "1 of 1 consent record verified.\n1 verified by text only, after an erasure. The evidence log has the hash of the whole record.\n",
  });
  const kept = `SELECT answers, "answersHash", salt, "recordHash" FROM consent_records WHERE "applicationId" = $1`;
  const removed = { answers: null, answersHash: null, salt: null };
  expect(await sql(kept, [id])).toEqual([{ ...removed, recordHash: expect.any(String) }]);
});

test("more records than are read at once are each verified once", async () => {
  const { id } = await submitted();
  await sql(`WITH more AS (INSERT INTO applications (reference) SELECT 'N' || lpad(n::text, 7, '0')
      FROM generate_series(1, 1200) AS n RETURNING id)
    INSERT INTO consent_records ("applicationId", version, document, "documentHash", "authoriseAgent", "provideSelf",
      "confirmLoan", "consentedAt", address, "userAgent")
    SELECT more.id, c.version, c.document, c."documentHash", true, false, true, now(), '', ''
    FROM more, consent_records c WHERE c."applicationId" = '${id}'`);
  const verified = (await readAll(verifyConsents())).map(({ reference }) => reference);
  expect(verified.length).toBeGreaterThan(1_200);
  expect(new Set(verified).size).toBe(verified.length);
});

const record: HashedRecord = {
  reference: "K7QM-4XRT",
  version: "2026-11",
  document: 'Said "so"\nand ü',
  documentHash: "d0",
  answers: { rent: "450", name: "Ada" },
  answersHash: "a0",
  receipt: [{ title: "T" }],
  reviewed: true,
  authoriseAgent: true,
  provideSelf: false,
  confirmLoan: true,
  consentedAt: new Date("2026-11-22T13:30:05.070Z"),
  address: "203.0.113.9",
  userAgent: "Mozilla/5.0",
  linkId: "0b7e2a52-5c3c-4d0e-9c41-6a3f5f1f2c11",
  salt: "5a17",
};

const start =
  '{"address":"203.0.113.9","answers":{"name":"Ada","rent":"450"},"answersHash":"a0","authoriseAgent":true,"confirmLoan":true,' +
  '"consentedAt":"2026-11-22T13:30:05.070Z","document":"Said \\"so\\"\\nand ü","documentHash":"d0",';
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

test("the hash is the SHA-256 of canonical JSON: names sorted, no spaces, the time with milliseconds", () => {
  const rest =
    '"linkId":"0b7e2a52-5c3c-4d0e-9c41-6a3f5f1f2c11","provideSelf":false,"receipt":[{"title":"T"}],"reference":"K7QM-4XRT",' +
    '"reviewed":true,"salt":"5a17","userAgent":"Mozilla/5.0","version":"2026-11"}';
  expect(recordHashOf(record)).toBe(sha256(start + rest));
});

test("a record without a receipt, a link and a salt keeps its hash", () => {
  const rest =
    '"provideSelf":false,"reference":"K7QM-4XRT","reviewed":true,"userAgent":"Mozilla/5.0","version":"2026-11"}';
  expect(recordHashOf({ ...record, receipt: null, linkId: null, salt: null })).toBe(sha256(start + rest));
});

test("the hash covers every column of a record but its ids and the hash itself", async () => {
  const rows = await sql("SELECT column_name FROM information_schema.columns WHERE table_name = 'consent_records'");
  const names = rows.map(({ column_name: name }) => name);
  const columns = names.filter((name) => !["id", "applicationId", "recordHash"].includes(name));
  expect(["reference", ...columns].toSorted()).toEqual(Object.keys(record).toSorted());
  for (const name of Object.keys(record)) {
    const other = name === "consentedAt" ? new Date(0) : null;
    expect(recordHashOf({ ...record, [name]: other })).not.toBe(recordHashOf(record));
  }
});
