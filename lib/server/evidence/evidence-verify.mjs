// Checks a receipt of a rent advance application against a later receipt or an export of the lender's evidence log: offline,
// with nothing but this file. docs/evidence.md describes what is hashed and signed.
//
//   node evidence-verify.mjs receipt.json [later-receipt.json | evidence-log.json …]
//
// The page evidence-verify.html of an export holds the same lines for a browser.

const utf8 = new TextEncoder();
const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

/** JSON as RFC 8785 writes it: names sorted, no spaces. JSON.stringify writes texts and numbers as it wants them. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

async function sha256(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return new Uint8Array(await crypto.subtle.digest("SHA-256", whole));
}

/** RFC 9162, section 2.1.1: a leaf's hash begins with a byte 0, a node's with a byte 1. */
export const leafHash = async (entry) => toHex(await sha256(Uint8Array.of(0), utf8.encode(canonical(entry))));
const node = (left, right) => sha256(Uint8Array.of(1), left, right);

/** The root of a tree of leaves, in hex. */
export async function rootOf(leaves) {
  const complete = [];
  for (const leaf of leaves) {
    let tree = { root: fromHex(leaf), size: 1 };
    while (complete.at(-1)?.size === tree.size)
      tree = { root: await node(complete.pop().root, tree.root), size: 2 * tree.size };
    complete.push(tree);
  }
  let root = complete.pop()?.root ?? (await sha256());
  while (complete.length > 0) root = await node(complete.pop().root, root);
  return toHex(root);
}

/** Section 2.1.3.2: whether the leaf with this index is in the tree of this size and root. */
export async function isIncluded({ index, hash }, { size, root }, proof) {
  if (!(index >= 0 && index < size)) return false;
  let [fn, sn, found] = [index, size - 1, fromHex(hash)];
  for (const step of proof.map(fromHex)) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      found = await node(step, found);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)];
    } else found = await node(found, step);
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  return sn === 0 && toHex(found) === root;
}

/** Section 2.1.4.2: whether the first tree is the beginning of the second. */
export async function isConsistent(first, second, proof) {
  if (first.size === second.size) return proof.length === 0 && first.root === second.root;
  if (!(first.size > 0 && first.size < second.size)) return false;
  const steps = Number.isInteger(Math.log2(first.size)) ? [first.root, ...proof] : proof;
  if (steps.length === 0) return false;
  let [fn, sn] = [first.size - 1, second.size - 1];
  while (fn % 2 === 1) [fn, sn] = [(fn - 1) / 2, Math.floor(sn / 2)];
  let old = fromHex(steps[0]);
  let now = old;
  for (const step of steps.slice(1).map(fromHex)) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      [old, now] = [await node(step, old), await node(step, now)];
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)];
    } else now = await node(now, step);
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  return sn === 0 && toHex(old) === first.root && toHex(now) === second.root;
}

/** Whether the owner of an Ed25519 key (32 bytes in base64) has signed this JSON. */
async function isSigned(key, signed, signature) {
  try {
    const imported = await crypto.subtle.importKey("raw", fromBase64(key), "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", imported, fromBase64(signature), utf8.encode(canonical(signed)));
  } catch {
    return false;
  }
}

/** @param {any} signed @param {string} name @returns {Promise<string[]>} */
export async function headProblems(signed, name) {
  const { signature, ...head } = signed;
  if (head.key === undefined) return [];
  return (await isSigned(head.key, head, signature)) ? [] : [`${name} is not signed by the key that it names`];
}

/** Of the log's keys, in order: each but the first has to be signed by the one before it. */
export async function keyProblems(keys) {
  const problems = [];
  for (const [n, { signature, ...entry }] of keys.entries()) {
    const before = keys[n - 1]?.key;
    if (n === 0 && entry.previous === undefined) continue;
    const follows = n > 0 && entry.previous === before;
    if (!follows || !(await isSigned(before, entry, signature)))
      problems.push(`key ${n + 1} is not signed by the key before it`);
  }
  return problems;
}

/**
 * What is wrong with a receipt by itself: its record, leaf, proofs and signatures. That of an email has leaf and head alone.
 * @param {any} receipt @returns {Promise<string[]>}
 */
export async function receiptProblems(receipt) {
  const { record, leaf, inclusion, head, first, keys = [] } = receipt;
  const problems = [...(await headProblems(head, "the head")), ...(await keyProblems(keys))];
  if (record) {
    const hash = toHex(await sha256(utf8.encode(canonical(record))));
    if ((await leafHash({ kind: "consent", record: hash })) !== leaf.hash)
      problems.push("the record is not the one of its leaf");
  }
  if (inclusion && !(await isIncluded(leaf, head, inclusion))) problems.push("the leaf is not in the log of the head");
  if (first) {
    problems.push(...(await headProblems(first.head, "the first head")));
    if (!(await isConsistent(first.head, head, first.consistency)))
      problems.push("the log of the first head is not the beginning of the log of the head");
  }
  for (const one of [head, first?.head])
    if (one?.key && keys.length > 0 && !keys.some(({ key }) => key === one.key))
      problems.push("a head is signed by a key that the log does not name");
  return problems;
}

/** What is wrong with an export by itself. @param {any} log @returns {Promise<string[]>} */
export async function exportProblems(log) {
  const { leaves, head, keys } = log;
  const problems = [...(await headProblems(head, "the head")), ...(await keyProblems(keys.map(({ entry }) => entry)))];
  if (head.size > leaves.length || (await rootOf(leaves.slice(0, head.size))) !== head.root)
    problems.push("the leaves do not have the root of the head");
  for (const { index, entry } of keys)
    if ((await leafHash(entry)) !== leaves[index]) problems.push(`leaf ${index} is not that of its key`);
  if (head.key && !keys.some(({ entry }) => entry.key === head.key))
    problems.push("the head is signed by a key that the log does not name");
  return problems;
}

const headsOf = ({ head, first }) => [first?.head, head].filter(Boolean);

/**
 * What of a receipt does not fit an export of the log, which has every leaf.
 * @param {any} receipt
 * @param {any} log @returns {Promise<string[]>}
 */
export async function exportDifferences(receipt, log) {
  const { leaves, keys } = log;
  const problems = [];
  const { leaf } = receipt;
  if (leaf && leaves[leaf.index] !== leaf.hash) problems.push(`the log has another leaf ${leaf.index}`);
  for (const { size, root, key } of headsOf(receipt)) {
    if (size > leaves.length) problems.push(`the log has ${leaves.length} leaves, and had ${size} before`);
    else if ((await rootOf(leaves.slice(0, size))) !== root)
      problems.push(`the first ${size} leaves of the log have changed`);
    if (key && !keys.some(({ entry }) => entry.key === key))
      problems.push("the log does not name the key of the receipt");
  }
  return problems;
}

/** What of a receipt does not fit a later one of the same application. */
export async function receiptDifferences(receipt, later) {
  const problems = [];
  const { index, hash } = receipt.leaf;
  if (later.leaf.index !== index || later.leaf.hash !== hash) problems.push("they are not of the same leaf");
  for (const head of headsOf(receipt)) {
    const same = headsOf(later).find(({ size }) => size === head.size);
    if (same && same.root !== head.root) problems.push(`the first ${head.size} leaves of the log have changed`);
    if (head.size > later.head.size)
      problems.push(`the log has ${later.head.size} leaves, and had ${head.size} before`);
    const names = (later.keys ?? []).map(({ key }) => key);
    if (head.key && names.length > 0 && !names.includes(head.key)) problems.push("the later one does not name the key");
  }
  return problems;
}

/** An export has every leaf. What lies between the heads of two receipts is in neither. */
function agreement(receipt, other) {
  const sizes = headsOf(other).map(({ size }) => size);
  if (other.leaves || sizes.includes(receipt.head.size)) return "they agree";
  const shared = headsOf(receipt).filter(({ size }) => sizes.includes(size));
  const same = shared.length > 0 ? `the first ${shared[0].size} leaves` : "the leaf";
  return `they agree on ${same}; only an export shows whether the log of ${receipt.head.size} leaves has changed`;
}

/** Checks files given as [name, parsed JSON]: the first is the receipt. Returns what to print, and whether all is well. */
export async function report([[name, receipt], ...others]) {
  const lines = [];
  let isWell = true;
  const say = (subject, problems, otherwise) => {
    if (problems.length > 0) isWell = false;
    lines.push(...(problems.length > 0 ? problems : [otherwise]).map((text) => `${subject}: ${text}.`));
  };
  const isExport = (file) => Array.isArray(file.leaves);
  const own = (file) => (isExport(file) ? exportProblems(file) : receiptProblems(file));
  say(name, await own(receipt), inWords(receipt));
  for (const [other, file] of others) {
    say(other, await own(file), inWords(file));
    const compare = isExport(file) ? exportDifferences : receiptDifferences;
    say(`${name} and ${other}`, await compare(receipt, file), agreement(receipt, file));
  }
  if (others.length === 0)
    lines.push("Nothing was given to compare it with: a log that was forged as a whole would not show.");
  return { lines, isWell };
}

function inWords({ leaves, record, leaf, head }) {
  const signed = head.key ? `signed with key ${head.key}` : "not signed";
  const log = `the log of ${head.size} leaves at ${head.at} has root ${head.root}, ${signed}`;
  if (leaves) return log;
  const what = record ? `the consent of ${record.reference} at ${record.consentedAt}` : "it";
  return `${what} is leaf ${leaf.index}; ${log}`;
}

async function inNode(files) {
  const { readFile } = await import("node:fs/promises");
  const read = await Promise.all(files.map(async (file) => [file, JSON.parse(await readFile(file, "utf8"))]));
  const { lines, isWell } = await report(read);
  process.stdout.write(`${lines.join("\n")}\n`);
  if (!isWell) process.exitCode = 1;
}

function onPage(input, output) {
  input.addEventListener("change", async () => {
    output.textContent = "…";
    const files = await Promise.all(
      Array.from(input.files, async (file) => [file.name, JSON.parse(await file.text())]),
    );
    // A receipt before what it is compared with, and of two receipts the earlier one.
    files.sort(
      ([, one], [, other]) => Number("leaves" in one) - Number("leaves" in other) || one.head.size - other.head.size,
    );
    const { lines, isWell } = await report(files);
    output.textContent = [isWell ? "Everything agrees." : "Something does not agree.", ...lines].join("\n");
  });
}

function unreadable({ message }) {
  process.stderr.write(`A file could not be read: ${message}\n`);
  process.exitCode = 2;
}

if (globalThis.process?.argv?.[1]?.endsWith("evidence-verify.mjs")) inNode(process.argv.slice(2)).catch(unreadable);
else if (globalThis.document) onPage(document.querySelector("input"), document.querySelector("output"));
