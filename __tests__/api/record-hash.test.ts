import { createHash } from "node:crypto";
import { freshDatabase } from "@/__tests__/support/database";
import { type HashedRecord, recordHashOf } from "@/lib/server/evidence/record-hash";

const { sql } = freshDatabase();

const record: HashedRecord = {
  reference: "K7QM-4XRT",
  version: "2026-11",
  document: 'Said "so"\nand ü',
  documentHash: "d0",
  answers: { rent: "450", name: "Ada" },
  answersHash: "a0",
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
    '"linkId":"0b7e2a52-5c3c-4d0e-9c41-6a3f5f1f2c11","provideSelf":false,"reference":"K7QM-4XRT","reviewed":true,' +
    '"salt":"5a17","userAgent":"Mozilla/5.0","version":"2026-11"}';
  expect(recordHashOf(record)).toBe(sha256(start + rest));
});

test("a record from before links and salts were recorded keeps its hash", () => {
  const rest =
    '"provideSelf":false,"reference":"K7QM-4XRT","reviewed":true,"userAgent":"Mozilla/5.0","version":"2026-11"}';
  expect(recordHashOf({ ...record, linkId: null, salt: null })).toBe(sha256(start + rest));
});

test("the hash depends neither on the order of names nor on columns outside the record", () => {
  const reversed = Object.fromEntries(Object.entries(record).reverse()) as unknown as HashedRecord;
  const row = { ...reversed, answers: { name: "Ada", rent: "450" }, id: "1", recordHash: "x", held: {} };
  expect(recordHashOf(row)).toBe(recordHashOf(record));
});

test("the hash covers every column of a record but its ids and the hash itself", async () => {
  const rows = await sql<{ name: string }>(
    "SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'consent_records'",
  );
  const columns = rows.map(({ name }) => name).filter((name) => !["id", "applicationId", "recordHash"].includes(name));
  expect(["reference", ...columns].toSorted()).toEqual(Object.keys(record).toSorted());
  for (const name of Object.keys(record)) {
    const other = name === "consentedAt" ? new Date(0) : null;
    expect(recordHashOf({ ...record, [name]: other })).not.toBe(recordHashOf(record));
  }
});
