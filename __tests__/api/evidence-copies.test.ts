import { receipt } from "@/__tests__/support/calls";
import { freshDatabase } from "@/__tests__/support/database";
import { evidenceKeys, reportOf, verified } from "@/__tests__/support/evidence";
import { invited } from "@/__tests__/support/invited";
import { post } from "@/__tests__/support/post";
import { ownProviders } from "@/__tests__/support/providers";
import { claim, deliver } from "@/__tests__/support/sending";
import { submitted } from "@/__tests__/support/submitted";
import { withSettings } from "@/__tests__/support/with-settings";
import { eraseApplication } from "@/lib/server/applications/erase";
import { prisma } from "@/lib/server/db/client";
import { enqueueDailyHead } from "@/lib/server/evidence/append";
import { differences, parsed, receiptProblems } from "@/lib/server/evidence/evidence-verify.mjs";
import type { EvidenceKey } from "@/lib/server/evidence/key";
import type { EvidenceReceipt } from "@/lib/server/evidence/receipt";
import {
  completed,
  consistencyRanges,
  inclusionRanges,
  leafHash,
  type Range,
  rangeHash,
  type StoredLeaf,
} from "@/lib/server/evidence/tree";
import type { MessageChannel } from "@/prisma/generated/client";

const { sql } = freshDatabase();
const keys = evidenceKeys();

const providers = ownProviders({ EVIDENCE_EMAIL: "arbiter@example.com" });
beforeAll(() => keys.signWith(keys.make().file));
beforeEach(async () => {
  await sql("DELETE FROM message_attempts; DELETE FROM messages");
  providers.mail.raw.length = 0;
  providers.receiver.requests.length = 0;
});

const ada = { email: "ada@landlord.example" };

const receiptOf = async (token: string) => (await post(receipt, { token })).body.data as unknown as EvidenceReceipt;

/** Submits an application, sends its confirmation, and returns its receipt. */
async function submittedReceipt() {
  const { token } = await submitted(ada);
  await sendAll("email");
  return receiptOf(token);
}

/** Sends the messages that may be claimed on a channel, one after another. */
async function sendAll(channel: MessageChannel): Promise<void> {
  for (const claimed of await claim(channel, 10)) await deliver(claimed);
}

/** Returns the JSON line of an email, which holds the leaf and the head. */
async function proofLine(n = 0) {
  const { text = "" } = await providers.mail.read(n);
  return JSON.parse(text.split("\n").find((line) => line.startsWith('{"leaf"')) ?? "null");
}

test("the email that confirms a submission and the webhook carry its leaf and a signed head, at once", async () => {
  const { token } = await submitted(ada);
  await sendAll("email");
  await sendAll("webhook");
  const { data: webhookData } = JSON.parse(
    providers.receiver.requests.find(({ body }) => body.includes("application.submitted"))?.body ?? "",
  );
  const mailed = await proofLine();
  const current = await receiptOf(token);
  expect(mailed).toEqual(webhookData.evidence);
  expect(mailed).toEqual({ leaf: current.leaf, head: current.first.head });
  expect(mailed.head.signature).toMatch(/^[\w+/]{86}==$/);
  expect(await receiptProblems(mailed)).toEqual([]);
  expect((await providers.mail.read()).html).toContain(mailed.head.root);
  await submitted(ada);
  const later = await receiptOf(token);
  expect([await receiptProblems(later), (await differences(mailed, later)).problems]).toEqual([[], []]);
});

test("the check of two receipts says how much of the log they share", async () => {
  const { token } = await submitted(ada);
  const later = async () => {
    await sendAll("email");
    const found = await receiptOf(token);
    await submitted(ada);
    return found;
  };
  const [first, second, third] = [await later(), await later(), await later()];
  const compared = async (earlier: EvidenceReceipt) => {
    const { lines } = await reportOf({ "a.json": earlier, "b.json": third });
    return [lines[0], lines.at(-1)];
  };
  expect(await compared(first)).toEqual(["Everything agrees.", "a.json and b.json: they agree."]);
  expect(await compared(second)).toEqual([
    "Nothing disagrees, but not everything could be checked.",
    `a.json and b.json: they agree on the first ${first.head.size} leaves; only an export shows whether the log of ${second.head.size} leaves has changed.`,
  ]);
});

test("receipts of two applicants agree only if each is in the same log", async () => {
  const [one, other] = [await submittedReceipt(), await submittedReceipt()];
  expect((await reportOf({ one, other })).result).toBe("incomplete");
  const { log } = await verified();
  for (const files of [
    { one, other, log },
    { log, other, one },
  ])
    expect((await reportOf(files)).result).toBe("agrees");
  const { lines } = await reportOf({ one, moved: { ...other, record: one.record } });
  expect(lines.join("\n")).toContain("they do not have the same leaf under the same first head");
});

test("a head by itself is compared with a receipt of the same log", async () => {
  const kept = await submittedReceipt();
  const head = parsed(JSON.stringify(kept.head));
  expect(await reportOf({ "receipt.json": kept, "head.json": head })).toMatchObject({ result: "agrees" });
  const other = parsed(JSON.stringify({ ...kept.head, size: kept.head.size + 30 }));
  expect((await reportOf({ "receipt.json": kept, "other.json": other })).result).not.toBe("agrees");
  const forged = parsed(JSON.stringify({ ...kept.head, root: "0".repeat(64) }));
  const { lines, result } = await reportOf({ "head.json": forged, "receipt.json": kept });
  expect([result, lines]).toEqual([
    "differs",
    expect.arrayContaining([`head.json and receipt.json: the first ${kept.head.size} leaves of the log have changed.`]),
  ]);
});

test("a file cannot rewrite the result on a terminal", async () => {
  const at = "\u001b[2J\u001b[HEverything agrees.\r\n\u202e";
  const { lines } = await reportOf({ "head.json": parsed(JSON.stringify({ size: 1, root: "0", at })) });
  expect(lines[0]).toBe("Nothing disagrees, but not everything could be checked.");
  expect(lines[1]).toContain("at %1B[2J%1B[HEverything agrees.%0D%0A%E2%80%AE has root");
});

test("a file that is both a receipt and an export, or whose record has no leaf, is not read", async () => {
  const { leaf, head } = { leaf: { index: 0, hash: "0" }, head: { size: 1, root: "0" } };
  const files = [...[[], "", null, 0].map((leaves) => ({ leaves, leaf, head })), { record: { reference: "x" }, head }];
  for (const file of files)
    expect(() => parsed(JSON.stringify(file))).toThrow("it is not a receipt, a head or an export");
});

test("a receipt that an editor saved with a byte order mark is read", async () => {
  const receipt = { leaf: { index: 0, hash: "0" }, head: { size: 1, root: "0" } };
  expect(parsed(`\uFEFF${JSON.stringify(receipt)}`)).toEqual(receipt);
});

test("a later receipt forged with another key does not agree, whatever it leaves out", async () => {
  const kept = await submittedReceipt();
  const forger = keys.make().key;
  // The forged log keeps only the receipt's leaf and replaces all others.
  const size = kept.head.size + 30;
  const leaves: StoredLeaf[] = [];
  const lookup = (index: number) => leaves[index] ?? { hash: "", subtrees: [] };
  for (let n = 0; n < size; n += 1)
    leaves.push(completed(n, n === kept.leaf.index ? kept.leaf.hash : leafHash(`forged ${n}`), lookup));
  const hashes = (ranges: Range[]) => ranges.map((range) => rangeHash(range, lookup));
  const headOf = (count: number, key: EvidenceKey) => {
    const head = { size: count, root: rangeHash([0, count], lookup), at: kept.first.head.at, key: key.entry.key };
    return { ...head, signature: key.sign(head) };
  };
  const fullForgery = {
    record: kept.record,
    leaf: kept.leaf,
    inclusion: hashes(inclusionRanges(kept.leaf.index, [0, size])),
    head: headOf(size, forger),
    first: {
      head: headOf(kept.first.head.size, forger),
      consistency: hashes(consistencyRanges(kept.first.head.size, [0, size])),
    },
    keys: [forger.entry],
  };
  // The forged receipt is consistent on its own.
  expect(await receiptProblems(fullForgery)).toEqual([]);
  const { first, keys: _, ...partial } = fullForgery;
  const forged: object[] = [
    partial,
    { ...partial, first },
    { ...partial, first: { head: fullForgery.head, consistency: [] }, keys: [forger.entry] },
    { ...fullForgery, keys: [] },
    { ...fullForgery, keys: kept.keys },
    fullForgery,
    { leaf: fullForgery.leaf, head: fullForgery.head },
  ];
  for (const later of forged) {
    const { lines, result } = await reportOf({ "receipt.json": kept, "later.json": later });
    expect([lines[0], result]).toEqual(["Something does not agree.", "differs"]);
  }
  expect((await reportOf({ "receipt.json": kept })).result).toBe("incomplete");
});

test("only the applicant gets the receipt; it is null before submission, and after an erasure the link is refused", async () => {
  const { token, reference } = await invited();
  expect((await post(receipt, { token })).body).toEqual({ success: true, data: null });
  expect((await post(receipt, { token: "x".repeat(43) })).status).toBe(401);
  const other = await submitted(ada);
  await sendAll("email");
  expect((await post(receipt, { token: other.token })).body.data?.record).toMatchObject({ reference: other.reference });
  expect(other.reference).not.toBe(reference);
  await eraseApplication(other.reference, "Vera");
  expect((await post(receipt, { token: other.token })).status).toBe(401);
});

test("EVIDENCE_EMAIL gets the head once a day, however many workers there are", async () => {
  await submitted(ada);
  await sendAll("email");
  const [day] = await Promise.all([enqueueDailyHead(prisma(), ""), enqueueDailyHead(prisma(), "")]);
  expect(await enqueueDailyHead(prisma(), day)).toBe(day);
  expect(await sql("SELECT recipient FROM messages WHERE kind = 'evidence-head'")).toEqual([
    { recipient: "arbiter@example.com" },
  ]);
  providers.mail.raw.length = 0;
  await sendAll("email");
  expect(providers.mail.envelopes.at(-1)).toEqual(["arbiter@example.com"]);
  const { leaf, head } = await proofLine();
  expect(leaf.index).toBe(head.size - 1);
  expect(await receiptProblems({ leaf, head })).toEqual([]);
});

test("without EVIDENCE_EMAIL no email with the head is sent", async () => {
  expect(await withSettings({ EVIDENCE_EMAIL: undefined }, () => enqueueDailyHead(prisma(), ""))).toBe("");
  expect(await sql("SELECT FROM messages WHERE kind = 'evidence-head'")).toEqual([]);
});
