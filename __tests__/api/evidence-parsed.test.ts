import { freshDatabase } from "@/__tests__/support/database";
import { evidenceKeys, receiptOf, reportOf, submittedWithLeaf, verified } from "@/__tests__/support/evidence";
import { parsed } from "@/lib/server/evidence/evidence-verify.mjs";
import type { EvidenceReceipt } from "@/lib/server/evidence/receipt";

freshDatabase();
const keys = evidenceKeys();

let receipt: EvidenceReceipt;
let text: string;
beforeAll(async () => {
  keys.signWith(keys.make().file);
  receipt = await receiptOf((await submittedWithLeaf()).id);
  text = JSON.stringify(receipt);
});

/** Puts a member into the JSON before another one. */
const before = (member: string, added: string) => text.replace(`"${member}":`, `${added},"${member}":`);

test("a receipt and an export are read as they were written", async () => {
  const { log } = await verified();
  for (const file of [text, JSON.stringify(receipt, null, 2), JSON.stringify(log)])
    expect(parsed(file)).toEqual(JSON.parse(file));
});

test("colons, quotes and backslashes in answers are not read as members", () => {
  const answers = { ...(receipt.record.answers as object), firstName: '"a\\":{"b":"c\\', "la:st": "::" };
  const spoken = JSON.stringify({ ...receipt, record: { ...receipt.record, answers } });
  expect(parsed(spoken)).toEqual(JSON.parse(spoken));
});

test.each([
  ["record", () => before("record", `"record":${JSON.stringify({ ...receipt.record, confirmLoan: false })}`)],
  ["record, spelled with an escape", () => before("record", '"rec\\u006frd":{}')],
  ["answer", () => before("firstName", '"firstName":"Eve"')],
  ["hash of a leaf", () => before("hash", '"hash" : "0"')],
  ["__proto__", () => before("record", '"__proto__":1,"__proto__":2')],
])("a file with two members of one name, as with two of %s, is refused", (_, forged) => {
  expect(() => parsed(forged())).toThrow("it names a member twice");
});

test.each([
  ["file", "record", '"note":"paid"'],
  ["file", "record", '"__proto__":{"record":{}}'],
  ["record", "reference", '"status":"approved"'],
  ["head", "size", '"toString":1'],
  ["leaf", "hash", '"amount":1'],
  ["keys", "kind", '"owner":"x"'],
])("an unknown member of %s is refused", (name, member, added) => {
  expect(() => parsed(before(member, added))).toThrow(`${name} has an unknown member`);
});

test.each(["4.5", '"4"', "-1", "9007199254740993", "null", "[0]", "1e400"])(
  "a leaf with the number %s is refused",
  (index) => {
    expect(() => parsed(text.replace(/"index":\d+/, `"index":${index}`))).toThrow("index is not a whole number");
  },
);

test("the answers and boxes of a record that agrees are printed, and those of another are not", async () => {
  const { log } = await verified();
  const { lines } = await reportOf({ receipt, log });
  const { firstName } = receipt.record.answers as Record<string, string>;
  expect(lines).toEqual(expect.arrayContaining([`  firstName: "${firstName}"`, "  confirmLoan: ticked"]));
  const forged = { ...receipt, record: { ...receipt.record, confirmLoan: false } };
  expect((await reportOf({ forged, log })).lines.join()).not.toMatch(/ticked|firstName/);
});
