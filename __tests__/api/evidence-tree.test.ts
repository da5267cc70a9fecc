import fc from "fast-check";
import { canonicalize } from "json-canonicalize";
import {
  canonical,
  isConsistent,
  isIncluded,
  leafHash as leafOf,
  rootOf,
} from "@/lib/server/evidence/evidence-verify.mjs";
import {
  completed,
  consistencyRanges,
  inclusionRanges,
  leafHash,
  leavesFor,
  type Range,
  rangeHash,
  type StoredLeaf,
} from "@/lib/server/evidence/tree";

/** The leaves and roots that implementations of RFC 6962 and 9162 are commonly tested with, in hex. */
const inputs = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"];
const roots = [
  "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
  "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
  "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
  "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
  "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
  "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
  "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
  "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
];

function treeOf(hashes: string[]) {
  const leaves: StoredLeaf[] = [];
  const lookup = (index: number) => leaves[index] ?? { hash: "", subtrees: [] };
  for (const [index, hash] of hashes.entries()) leaves.push(completed(index, hash, lookup));
  return { leaves, hashOf: (range: Range) => rangeHash(range, lookup) };
}

const leafHashes = (size: number) => Array.from({ length: size }, (_, n) => leafHash(`leaf ${n}`));

test("the roots are those of the RFC's reference tree, also in the verifier of receipts", async () => {
  // These leaves have no byte above 0x7f, so their text has the same bytes in UTF-8.
  const hashes = inputs.map((hex) => leafHash(Buffer.from(hex, "hex").toString("latin1")));
  const { hashOf } = treeOf(hashes);
  for (const [n, root] of roots.entries()) {
    expect(hashOf([0, n + 1])).toBe(root);
    expect(await rootOf(hashes.slice(0, n + 1))).toBe(root);
  }
});

test("every leaf of a tree of up to 20 leaves proves its inclusion, and no other hash does", async () => {
  for (let size = 1; size <= 20; size += 1) {
    const hashes = leafHashes(size);
    const { hashOf } = treeOf(hashes);
    const head = { size, root: hashOf([0, size]) };
    for (const [index, hash] of hashes.entries()) {
      const proof = inclusionRanges(index, [0, size]).map(hashOf);
      expect(await isIncluded({ index, hash }, head, proof)).toBe(true);
      expect(await isIncluded({ index, hash: leafHash("another") }, head, proof)).toBe(false);
      if (size > 1) expect(await isIncluded({ index: (index + 1) % size, hash }, head, proof)).toBe(false);
      expect(await isIncluded({ index, hash }, head, [...proof, hash])).toBe(false);
    }
  }
});

test("every tree of up to 20 leaves proves that it is a prefix of each larger one, and no other does", async () => {
  const { hashOf } = treeOf(leafHashes(20));
  const head = (size: number) => ({ size, root: hashOf([0, size]) });
  for (let second = 1; second <= 20; second += 1)
    for (let first = 1; first <= second; first += 1) {
      const proof = consistencyRanges(first, [0, second]).map(hashOf);
      expect(await isConsistent(head(first), head(second), proof)).toBe(true);
      expect(await isConsistent({ size: first, root: leafHash("another") }, head(second), proof)).toBe(false);
      expect(await isConsistent(head(first), { size: second, root: leafHash("another") }, proof)).toBe(false);
    }
});

test("a proof about a million leaves needs some forty rows", () => {
  const million: Range = [0, 1_000_003];
  expect(leavesFor(inclusionRanges(777_777, million)).length).toBeLessThan(45);
  expect(leavesFor(consistencyRanges(777_777, million)).length).toBeLessThan(45);
});

test("the verifier of receipts writes JSON as RFC 8785 does, and hashes the same leaves", async () => {
  const json = fc.jsonValue({ maxDepth: 3 }).filter((value) => value !== null && typeof value === "object");
  await fc.assert(
    fc.asyncProperty(json, async (value) => {
      expect(canonical(value)).toBe(canonicalize(value));
      expect(await leafOf(value)).toBe(leafHash(canonicalize(value)));
    }),
  );
});
