import { hash } from "node:crypto";

/** The Merkle tree of RFC 9162, section 2.1. Hashes are in hex. A range of leaves is [first, end). */
export type Range = readonly [first: number, end: number];

/** What the log stores for a leaf: its hash, and the roots of the complete subtrees that end with it, of 2, 4, 8 … leaves. */
export interface StoredLeaf {
  hash: string;
  subtrees: string[];
}

type Lookup = (index: number) => StoredLeaf;

export const leafHash = (entry: string) => hash("sha256", `\0${entry}`);
const nodeHash = (left: string, right: string) => hash("sha256", Buffer.from(`01${left}${right}`, "hex"));

/** The leaf at an index, with the subtrees that it completes. */
export function completed(index: number, leaf: string, lookup: Lookup): StoredLeaf {
  const subtrees: string[] = [];
  let right = leaf;
  for (let size = 1; (index + 1) % (2 * size) === 0; size *= 2) {
    right = nodeHash(subtreeEndingAt(index - size, size, lookup), right);
    subtrees.push(right);
  }
  return { hash: leaf, subtrees };
}

function subtreeEndingAt(index: number, size: number, lookup: Lookup): string {
  const leaf = lookup(index);
  const root = size === 1 ? leaf.hash : leaf.subtrees[Math.log2(size) - 1];
  if (root === undefined) throw new Error(`Leaf ${index} lacks a subtree`);
  return root;
}

/** The complete subtrees into which the RFC divides a range: [last leaf, number of leaves]. */
function subtreesOf([first, end]: Range): [last: number, size: number][] {
  const parts: [number, number][] = [];
  for (let start = first; start < end; ) {
    const size = 2 ** Math.floor(Math.log2(end - start));
    start += size;
    parts.push([start - 1, size]);
  }
  return parts;
}

export function leavesFor(ranges: Range[]): number[] {
  return ranges.flatMap((range) => subtreesOf(range).map(([last]) => last));
}

/** The Merkle tree hash (MTH) of a range that begins where a subtree does. */
export function rangeHash(range: Range, lookup: Lookup): string {
  const roots = subtreesOf(range).map(([last, size]) => subtreeEndingAt(last, size, lookup));
  return roots.reduceRight((right, left) => nodeHash(left, right));
}

/** The largest power of two below `size`. */
const half = (size: number) => 2 ** Math.ceil(Math.log2(size) - 1);

/** PATH of section 2.1.3.1: the ranges whose hashes prove that a leaf is in the tree of a range. */
export function inclusionRanges(index: number, [first, end]: Range): Range[] {
  if (end - first === 1) return [];
  const middle = first + half(end - first);
  return index < middle
    ? [...inclusionRanges(index, [first, middle]), [middle, end]]
    : [...inclusionRanges(index, [middle, end]), [first, middle]];
}

/** PROOF of section 2.1.4.1: the ranges whose hashes prove that the tree of the first leaves is the beginning of a range's. */
export function consistencyRanges(firstSize: number, [first, end]: Range, isWhole = true): Range[] {
  if (firstSize === end) return isWhole ? [] : [[first, end]];
  const middle = first + half(end - first);
  return firstSize <= middle
    ? [...consistencyRanges(firstSize, [first, middle], isWhole), [middle, end]]
    : [...consistencyRanges(firstSize, [middle, end], false), [first, middle]];
}
