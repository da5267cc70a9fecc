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
};

test("it is the SHA-256 of JSON that anybody can write: names sorted, no spaces, the time with milliseconds", () => {
  const json =
    '{"address":"203.0.113.9","answers":{"name":"Ada","rent":"450"},"answersHash":"a0","authoriseAgent":true,"confirmLoan":true,' +
    '"consentedAt":"2026-11-22T13:30:05.070Z","document":"Said \\"so\\"\\nand ü","documentHash":"d0","provideSelf":false,' +
    '"reference":"K7QM-4XRT","reviewed":true,"userAgent":"Mozilla/5.0","version":"2026-11"}';
  expect(recordHashOf(record)).toBe(createHash("sha256").update(json).digest("hex"));
});

test("the order of names does not matter, and what stands beside the record neither", () => {
  const reversed = Object.fromEntries(Object.entries(record).reverse()) as unknown as HashedRecord;
  const row = { ...reversed, answers: { name: "Ada", rent: "450" }, id: "1", recordHash: "x", held: {} };
  expect(recordHashOf(row)).toBe(recordHashOf(record));
});

test("every column of a record but its ids and the hash is in it, and changes it", async () => {
  const rows = await sql<{ name: string }>(
    "SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'consent_records'",
  );
  const columns = rows.map(({ name }) => name).filter((name) => !["id", "applicationId", "recordHash"].includes(name));
  expect(["reference", ...columns].toSorted()).toEqual(Object.keys(record).toSorted());
  for (const name of Object.keys(record))
    expect(recordHashOf({ ...record, [name]: null })).not.toBe(recordHashOf(record));
});
