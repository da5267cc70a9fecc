// Checks a receipt of a rental advance application against a later receipt or an export of the lender's evidence log. It works
// offline and needs only this file. docs/evidence.md describes what is hashed and signed.
//
//   node evidence-verify.mjs receipt.json [later-receipt.json | evidence-log.json …]
//
// It exits with 0 if everything agrees, 1 if something does not, 2 if a file cannot be read, 3 if something could not be
// checked. The page evidence-verify.html of an export contains the same code for a browser.

const utf8 = new TextEncoder();
const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
/** Escapes what a terminal would interpret: a forged file could rewrite the result on the screen. */
const printable = (text) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, encodeURIComponent);

/** JSON in the form of RFC 8785: names sorted, no spaces. JSON.stringify already writes strings and numbers in that form. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value).sort();
  return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(bytes)));

/** RFC 9162, section 2.1.1: the hashed bytes of a leaf begin with a byte 0, those of a node with a byte 1. */
export const leafHash = async (entry) => toHex(await sha256([0, ...utf8.encode(canonical(entry))]));
const node = (left, right) => sha256([1, ...left, ...right]);

/** The root of a tree of leaves, in hex. */
export async function rootOf(leaves) {
  const complete = [];
  for (const leaf of leaves) {
    let tree = { root: fromHex(leaf), size: 1 };
    while (complete.at(-1)?.size === tree.size)
      tree = { root: await node(complete.pop().root, tree.root), size: 2 * tree.size };
    complete.push(tree);
  }
  let root = complete.pop()?.root ?? (await sha256([]));
  while (complete.length > 0) root = await node(complete.pop().root, root);
  return toHex(root);
}

/** What both proofs compute from the hash of a subtree: the root of the tree that ends with it, and that of the whole tree. */
async function climb(fn, sn, hash, steps) {
  let [old, now] = [fromHex(hash), fromHex(hash)];
  for (const step of steps.map(fromHex)) {
    if (sn === 0) return null;
    if (fn % 2 === 1 || fn === sn) {
      [old, now] = [await node(step, old), await node(step, now)];
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [fn / 2, Math.floor(sn / 2)];
    } else now = await node(now, step);
    [fn, sn] = [Math.floor(fn / 2), Math.floor(sn / 2)];
  }
  return sn === 0 ? { old: toHex(old), now: toHex(now) } : null;
}

/** RFC 9162, section 2.1.3.2: whether the leaf with this index is in the tree of this size and root. */
export async function isIncluded({ index, hash }, { size, root }, proof) {
  const roots = index >= 0 && index < size ? await climb(index, size - 1, hash, proof) : null;
  return roots !== null && roots.now === root;
}

/** RFC 9162, section 2.1.4.2: whether the first tree is the beginning of the second. */
export async function isConsistent(first, second, proof) {
  if (first.size === second.size) return proof.length === 0 && first.root === second.root;
  if (!(first.size > 0 && first.size < second.size)) return false;
  const [hash, ...steps] = Number.isInteger(Math.log2(first.size)) ? [first.root, ...proof] : proof;
  let [fn, sn] = [first.size - 1, second.size - 1];
  while (fn % 2 === 1) [fn, sn] = [(fn - 1) / 2, Math.floor(sn / 2)];
  const roots = hash === undefined ? null : await climb(fn, sn, hash, steps);
  return roots !== null && roots.old === first.root && roots.now === second.root;
}

const imported = new Map();

/** Whether the owner of an Ed25519 key (32 bytes in base64) has signed this JSON. */
async function isSigned(key, signed, signature) {
  try {
    if (!imported.has(key))
      imported.set(key, await crypto.subtle.importKey("raw", fromBase64(key), "Ed25519", false, ["verify"]));
    const text = utf8.encode(canonical(signed));
    return await crypto.subtle.verify("Ed25519", imported.get(key), fromBase64(signature), text);
  } catch (error) {
    // A genuine signature must not look forged in a browser that is too old.
    if (error.name === "NotSupportedError")
      throw new Error("this browser does not support Ed25519 signatures; try a newer one");
    return false;
  }
}

/** Checks the log's keys, in order: every key except the first must be signed by the key before it. */
export async function keyProblems(keys) {
  const problems = [];
  for (const [n, { signature, ...entry }] of keys.entries()) {
    const before = keys[n - 1]?.key;
    const follows = entry.previous === before && (n === 0 || (await isSigned(before, entry, signature)));
    if (entry.kind !== "key") problems.push(`entry ${n + 1} of the log's keys is not a key`);
    else if (!follows) problems.push(`key ${n + 1} is not signed by the key before it`);
  }
  return problems;
}

/**
 * Checks heads, the smallest log first: the log's last key at that size must have signed each of `checked`, and all be in order of
 * time. `keys` are those of a file.
 */
export async function headProblems(heads, keys, checked = heads) {
  const [problems, wrong] = [[], new Set()];
  const check = async (head) => {
    const { signature, ...signed } = head;
    if (head.key && !(await isSigned(head.key, signed, signature))) wrong.add(head);
  };
  // Batches, because 100,000 heads at once would take hundreds of megabytes.
  for (let from = 0; from < checked.length; from += 1000)
    await Promise.all(checked.slice(from, from + 1000).map(check));
  for (const [n, head] of heads.entries()) {
    const name = `the head of ${head.size} leaves`;
    const before = heads[n - 1];
    if (wrong.has(head)) problems.push(`${name} is not signed by the key that it names`);
    const signer = head.key && keys && signerProblem(head, keys, head === heads.at(-1));
    if (signer) problems.push(`${name} is signed by a key ${signer}`);
    const isLater = before && head.size > before.size && Date.parse(head.at) >= Date.parse(before.at);
    if (before && !isLater && canonical(head) !== canonical(before))
      problems.push(`${name} is out of order, or dated before the head of ${before.size} leaves`);
  }
  return problems;
}

/** A receipt has the keys of the log of its last head. Only an export says which leaf each key has. */
function signerProblem(head, keys, isLast) {
  const named = keys.filter(({ index = 0 }) => index < head.size).map(entryOf);
  const isSigner = ({ key }) => key === head.key;
  if (!named.some(isSigner)) return "that the log does not name";
  return (isLast || keys[0].index !== undefined) && !isSigner(named.at(-1)) ? "that had been replaced" : "";
}

const headsOf = ({ first, earlierHeads = [], head }) => [...(first ? [first.head] : []), ...earlierHeads, head];
/** A key of a file. In an export, the index of its leaf accompanies it. */
const entryOf = (key) => key.entry ?? key;
const keysOf = (file) => file.keys?.map(entryOf);

/**
 * What is wrong with a receipt by itself: its record, leaf, proofs and signatures. One from an email has only leaf and head.
 * @param {any} receipt @returns {Promise<string[]>}
 */
export async function receiptProblems(receipt) {
  const { record, leaf, inclusion, head, first } = receipt;
  const keys = keysOf(receipt);
  // If a forger could omit one of these, there would be nothing to prove.
  if (record && !(inclusion && first && keys)) return ["a receipt with a record needs inclusion, first and keys"];
  const problems = [...(await headProblems(headsOf(receipt), receipt.keys)), ...(await keyProblems(keys ?? []))];
  if (record) {
    const hash = toHex(await sha256(utf8.encode(canonical(record))));
    if ((await leafHash({ kind: "consent", record: hash })) !== leaf.hash)
      problems.push("the record does not match its leaf");
  }
  if (leaf && !(inclusion ? await isIncluded(leaf, head, inclusion) : leaf.index < head.size))
    problems.push("the leaf is not in the log of the head");
  if (first && !(leaf.index < first.head.size)) problems.push("the leaf is not in the log of the first head");
  if (record && isDatedAfter(record.consentedAt, first.head))
    problems.push("the consent is dated after the first head that covers it");
  if (first && !(await isConsistent(first.head, head, first.consistency)))
    problems.push("the log of the first head is not a prefix of the log of the head");
  return problems;
}

/** What is wrong with an export by itself. @param {any} log @returns {Promise<string[]>} */
export async function exportProblems(log) {
  const { leaves, head } = log;
  const problems = [...(await headProblems(headsOf(log), log.keys)), ...(await keyProblems(keysOf(log)))];
  if (head.size !== leaves.length || (await rootOf(leaves)) !== head.root)
    problems.push("the leaves do not give the root of the head");
  for (const { index, entry } of log.keys)
    if ((await leafHash(entry)) !== leaves[index]) problems.push(`leaf ${index} does not match its key`);
  return problems;
}

/**
 * How much older than the preceding head a leaf's event may be, because its transaction may have committed after that head, and
 * how much later than the head that covers it, because the clock of another server may have dated that.
 */
export const slackMs = 600_000;

export const headBefore = (index, heads) => heads.findLast(({ size }) => size <= index);

/** The last head before a leaf, if the leaf's event is dated before that head. */
export function laterHead(index, at, heads) {
  const before = headBefore(index, heads);
  return before && !(Date.parse(at) >= Date.parse(before.at) - slackMs) ? before : undefined;
}

/** Whether an event is dated after a head that covers its leaf. */
export const isDatedAfter = (at, head) => !(Date.parse(at) <= Date.parse(head.at) + slackMs);

/**
 * What in a receipt or an earlier export contradicts an export of the log or a later receipt of the same application, and what
 * remains open: a later receipt contains none of the leaves between its heads and those of the receipt. A smaller export has
 * neither the later leaves nor the later keys, whether it is older or was cut off.
 * @param {any} file @param {any} other @returns {Promise<{ problems: string[], open: string }>}
 */
export async function differences(file, other, name = "this file") {
  const { leaf, record, first } = file;
  const [otherKeys, otherHeads] = [keysOf(other), headsOf(other)];
  const isSmaller = other.head.size < file.head.size;
  const keys = (keysOf(file) ?? []).slice(0, isSmaller ? otherKeys?.length : undefined);
  const problems = [];
  if (leaf && other.leaves && !(isSmaller && leaf.index >= other.head.size) && other.leaves[leaf.index] !== leaf.hash)
    problems.push(`leaf ${leaf.index} of the log differs`);
  // The first head that covers a leaf never changes.
  const isSameLeaf = leaf?.hash === other.leaf?.hash && headsOf(file)[0].size === otherHeads[0].size;
  const isSameSubject = leaf?.index === other.leaf?.index || (record && record.reference === other.record?.reference);
  if (leaf && other.leaf && isSameSubject && !isSameLeaf)
    problems.push("they do not have the same leaf under the same first head");
  const bySize = new Map(otherHeads.map((head) => [head.size, head]));
  const fewer = `the log has ${other.head.size} leaves, fewer than the ${file.head.size} of ${name}`;
  for (const head of headsOf(file)) {
    const { size, root, key } = head;
    const same = bySize.get(size);
    const isProven = other.leaves && (head === file.head || head === first?.head);
    if (size > other.head.size) problems.push(`${fewer}: it is older, or was cut off`);
    else if ((same && same.root !== root) || (isProven && (await rootOf(other.leaves.slice(0, size))) !== root))
      problems.push(`the first ${size} leaves of the log have changed`);
    else if (same && canonical(same) !== canonical(head)) problems.push(`the head of ${size} leaves has changed`);
    else if (!same && other.earlierHeads) problems.push(`the log has no head of ${size} leaves`);
    if (key && size <= other.head.size && otherKeys?.every((named) => named.key !== key))
      problems.push("the log does not name the key of the receipt");
  }
  if (otherKeys && canonical(otherKeys.slice(0, keys.length)) !== canonical(keys))
    problems.push("the log has other keys");
  const later = record && laterHead(leaf.index, record.consentedAt, otherHeads);
  if (later) problems.push(`the consent is dated before the head of ${later.size} leaves, which does not cover it`);
  const common = headsOf(file).filter(({ size }) => bySize.has(size));
  const agreed = common.length > 0 ? `they agree on the first ${common[0].size} leaves` : "they have no head in common";
  const areProven = isProven(file, other) && isProven(other, file);
  const question = areProven ? `the log of ${file.head.size} leaves has changed` : "both leaves are in the log";
  const isOpen = common.length < headsOf(file).length || !areProven;
  const open = isOpen ? `${agreed}; only an export shows whether ${question}` : "";
  return { problems: [...new Set(problems)], open };
}

/** The leaf of an email has no proof of its own. */
const isProven = ({ leaf, inclusion }, other) =>
  !leaf || inclusion || other.leaves || (other.inclusion && other.leaf.index === leaf.index);

const headings = {
  agrees: "Everything agrees.",
  differs: "Something does not agree.",
  incomplete: "Nothing disagrees, but not everything could be checked.",
};

const [head, key] = ["size root at key signature", "kind key format previous signature"];
const boxes = "reviewed authoriseAgent provideSelf confirmLoan".split(" ");

/** The members that each object may have. Nothing proves another one, and a reader could take it for proven. */
const members = {
  file: "record leaf inclusion head first keys leaves earlierHeads",
  record: `reference version document documentHash answers answersHash receipt ${boxes.join(" ")} consentedAt address userAgent linkId salt`,
  receipt: "title rows notes",
  rows: "label text note",
  leaf: "index hash",
  first: "head consistency",
  head,
  earlierHeads: head,
  keys: `${key} index entry`,
  entry: key,
};

/** Throws if the value of the member `name` has an unknown member, or a number that is not whole. */
function requireKnown(value, name) {
  const isNumber = typeof value === "number" || name === "index" || name === "size";
  if (isNumber && !(Number.isSafeInteger(value) && value >= 0)) throw new Error(`${name} is not a whole number`);
  if (Array.isArray(value)) for (const item of value) requireKnown(item, name);
  else if (typeof value === "object" && value !== null)
    for (const [member, content] of Object.entries(value)) {
      if (!members[name]?.split(" ").includes(member)) throw new Error(`${name} has an unknown member ${member}`);
      if (member !== "answers") requireKnown(content, member);
    }
}

const countMembers = (value) =>
  typeof value === "object" && value !== null
    ? Object.values(value).reduce(
        (count, item) => count + countMembers(item),
        Array.isArray(value) ? 0 : Object.keys(value).length,
      )
    : 0;

/**
 * Parses a receipt, a head or an export. Refuses what a person could read differently than the checks do: a name that occurs twice,
 * an unknown member, a number that is not whole, a receipt that is an export as well, or whose record has no leaf, because its
 * record would not be checked. @param {string} text
 */
export function parsed(text) {
  // An editor may have put a byte order mark at the beginning.
  const json = text.replace(/^\uFEFF/, "");
  const value = JSON.parse(json);
  const file = value?.root ? { head: value } : value;
  // JSON.parse keeps the last of two members with one name. Outside texts, each member has one colon.
  const colons = json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, "").split(":").length - 1;
  if (colons !== countMembers(value)) throw new Error("it names a member twice");
  if (!file?.head?.root || ("leaves" in file ? file.leaf || file.record : !file.leaf && file.record))
    throw new Error("it is not a receipt, a head or an export");
  requireKnown(file, "file");
  return file;
}

/**
 * Checks files as [name, parsed JSON], in any order. Each receipt is compared with each export or, if there is none, with each
 * later receipt, but not with an older export if a later one covers it. Returns the lines to print, a heading first, and the result.
 */
export async function report(files) {
  const isExport = (file) => "leaves" in file;
  // A copy of a file proves nothing about it.
  const distinct = [...new Map(files.map((named) => [canonical(named[1]), named])).values()];
  const inOrder = distinct.toSorted(([, a], [, b]) => isExport(a) - isExport(b) || a.head.size - b.head.size);
  const pairs = inOrder.flatMap((file, n) => inOrder.slice(n + 1).map((other) => [file, other]));
  const lines = [];
  let result = pairs.length > 0 ? "agrees" : "incomplete";
  const add = (subject, problems, otherwise) => {
    if (problems.length > 0) result = "differs";
    lines.push(...(problems.length > 0 ? problems : [otherwise]).map((text) => printable(`${subject}: ${text}.`)));
  };
  for (const [name, file] of inOrder) {
    const problems = await (isExport(file) ? exportProblems(file) : receiptProblems(file));
    add(name, problems, inWords(file));
    if (file.record && problems.length === 0)
      lines.push(...agreedIn(file.record).map((text) => printable(`  ${text}`)));
  }
  for (const [[name, file], [otherName, other]] of pairs) {
    const largest = inOrder.at(-1)[1];
    const isOlder = other.head.size < file.head.size && file.head.size <= largest.head.size;
    if (isExport(largest) && (isOlder || !isExport(other))) continue;
    const { problems, open } = await differences(file, other, name);
    if (open && result === "agrees") result = "incomplete";
    add(`${name} and ${otherName}`, problems, open || "they agree");
  }
  if (pairs.length === 0)
    lines.push("There is no other file to compare with: this cannot detect a log that was forged entirely.");
  return { lines: [headings[result], ...lines], result };
}

function inWords({ leaves, record, leaf, head }) {
  const signed = head.key ? `signed with key ${head.key}` : "not signed";
  const log = `the log of ${head.size} leaves at ${head.at} has root ${head.root}, ${signed}`;
  if (leaves || !leaf) return log;
  const what = record ? `the consent of ${record.reference} at ${record.consentedAt}` : "it";
  return `${what} is leaf ${leaf.index}; ${log}`;
}

/** What was agreed: each answer, and each box. */
function agreedIn(record) {
  const answers = Object.entries(record.answers ?? {}).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return [...answers, ...boxes.map((box) => `${box}: ${record[box] === true ? "ticked" : "not ticked"}`)];
}

async function inNode(files) {
  if (!files[0] || files[0] === "--help") throw new Error("use node evidence-verify.mjs receipt.json [log.json …]");
  const { readFile } = await import("node:fs/promises");
  const read = await Promise.all(files.map(async (file) => [file, parsed(await readFile(file, "utf8"))]));
  const { lines, result } = await report(read);
  process.stdout.write(`${lines.join("\n")}\n`);
  process.exitCode = { agrees: 0, differs: 1, incomplete: 3 }[result];
}

function onPage(input, output) {
  const named = async (file) => [file.name, parsed(await file.text())];
  const check = async () => (await report(await Promise.all(Array.from(input.files, named)))).lines.join("\n");
  input.addEventListener("change", async () => {
    output.textContent = "…";
    output.textContent = await check().catch(unreadable);
  });
}

const unreadable = ({ message }) => `The files could not be checked: ${printable(message)}`;

if (globalThis.document) onPage(document.querySelector("input"), document.querySelector("output"));
// A browser names a second download 'evidence-verify (1).mjs'.
else if (/evidence-verify[^/\\]*\.mjs$/.test(globalThis.process?.argv?.[1] ?? ""))
  inNode(process.argv.slice(2)).catch((error) => {
    process.stderr.write(`${unreadable(error)}\n`);
    process.exitCode = 2;
  });
