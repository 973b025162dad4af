import { hash } from 'node:crypto';

/** A SHA-256 digest: 32 bytes. */
export type Digest = Uint8Array;

/**
 * Hashes of the complete subtrees of a growing tree: that of 2^`level` leaves, the `index`th of its level. All of them must exist that
 * lie within the size asked about.
 */
export interface Subtrees {
  hash(level: number, index: number): Digest;
}

const LEAF = Uint8Array.of(0);
const DIGEST_BYTES = 32;
/** The bytes of an inner node, which is hashed at once: joining buffers takes half as long as the hash. */
const node = Buffer.alloc(1 + 2 * DIGEST_BYTES, 1);

/** Hash of the tree without leaves (RFC 9162, section 2.1.1). */
export const EMPTY_ROOT: Digest = sha256(new Uint8Array());

/** Hash of a leaf (RFC 9162, section 2.1.1). */
export function leafHash(entry: Uint8Array): Digest {
  return sha256(Buffer.concat([LEAF, entry]));
}

/** Hash of an inner node (RFC 9162, section 2.1.1). */
export function nodeHash(left: Digest, right: Digest): Digest {
  node.set(left, 1);
  node.set(right, 1 + DIGEST_BYTES);
  return sha256(node);
}

/** Root of the tree of the first `size` leaves. */
export function rootOf(size: number, tree: Subtrees): Digest {
  return size === 0 ? EMPTY_ROOT : hashOf({ from: 0, to: size }, tree);
}

/** Proof that a leaf is in the tree of the first `size` leaves (RFC 9162, section 2.1.3). Throws `RangeError` if it is not. */
export function inclusionProof(index: number, size: number, tree: Subtrees): Digest[] {
  if (index < 0 || index >= size) throw new RangeError(`a tree of ${size} leaves has no leaf ${index}`);
  const proof: Digest[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const middle = from + splitOf(to - from);
    const [next, sibling] =
      index < middle
        ? ([[from, middle], { from: middle, to }] as const)
        : ([[middle, to], { from, to: middle }] as const);
    proof.push(hashOf(sibling, tree));
    [from, to] = next;
  }
  return proof.reverse();
}

/** Proof that the tree of the first `size` leaves continues that of the first `before` (RFC 9162, section 2.1.4). */
export function consistencyProof(before: number, size: number, tree: Subtrees): Digest[] {
  if (before < 0 || before > size) throw new RangeError(`a tree of ${size} leaves has not been one of ${before}`);
  if (before === 0 || before === size) return [];
  const proof: Digest[] = [];
  let [from, to] = [0, size];
  while (to !== before) {
    const middle = from + splitOf(to - from);
    if (before <= middle) {
      proof.push(hashOf({ from: middle, to }, tree));
      to = middle;
    } else {
      proof.push(hashOf({ from, to: middle }, tree));
      from = middle;
    }
  }
  // A complete subtree from the first leaf on is the earlier root itself.
  if (from > 0) proof.push(hashOf({ from, to }, tree));
  return proof.reverse();
}

export interface Inclusion {
  readonly leaf: Digest;
  readonly index: number;
  readonly size: number;
  readonly proof: readonly Digest[];
}

/** The root that a proof of inclusion leads to (RFC 9162, section 2.1.3.2); null if it cannot be one. */
export function rootByInclusion({ leaf, index, size, proof }: Inclusion): Digest | null {
  if (!isSize(size) || !isSize(index) || index >= size) return null;
  let [place, last, root] = [index, size - 1, leaf];
  for (const sibling of proof) {
    if (last === 0) return null;
    if (place % 2 === 1 || place === last) {
      root = nodeHash(sibling, root);
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)];
    } else {
      root = nodeHash(root, sibling);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 ? root : null;
}

export interface Consistency {
  readonly before: { readonly size: number; readonly root: Digest };
  readonly after: { readonly size: number; readonly root: Digest };
  readonly proof: readonly Digest[];
}

/** Whether a proof shows that one tree continues another (RFC 9162, section 2.1.4.2). */
export function isConsistent({ before, after, proof }: Consistency): boolean {
  if (!isSize(before.size) || !isSize(after.size) || before.size > after.size) return false;
  if (before.size === 0 && !sameDigest(before.root, EMPTY_ROOT)) return false;
  if (before.size === 0 && after.size > 0) return proof.length === 0;
  if (before.size === after.size) return proof.length === 0 && sameDigest(before.root, after.root);
  const isComplete = Number.isInteger(Math.log2(before.size));
  const [first, ...rest] = isComplete ? [before.root, ...proof] : proof;
  if (first === undefined) return false;
  let [place, last] = [before.size - 1, after.size - 1];
  while (place % 2 === 1) [place, last] = [half(place), half(last)];
  let [earlier, later] = [first, first];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      [earlier, later] = [nodeHash(sibling, earlier), nodeHash(sibling, later)];
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)];
    } else {
      later = nodeHash(later, sibling);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && sameDigest(earlier, before.root) && sameDigest(later, after.root);
}

/** The root after each leaf of a tree that is not kept: some 20 hashes for a million leaves. */
export class GrowingRoot {
  /** Hashes of complete subtrees from left to right, with their levels. */
  readonly #edge: { readonly level: number; readonly hash: Digest }[] = [];
  size = 0;

  append(leaf: Digest): void {
    let [level, hash] = [0, leaf];
    for (let left = this.#edge.at(-1); left?.level === level; left = this.#edge.at(-1)) {
      hash = nodeHash(left.hash, hash);
      level += 1;
      this.#edge.pop();
    }
    this.#edge.push({ level, hash });
    this.size += 1;
  }

  get root(): Digest {
    const [last, ...others] = this.#edge.map(({ hash }) => hash).reverse();
    return last === undefined ? EMPTY_ROOT : others.reduce((right, left) => nodeHash(left, right), last);
  }
}

export function sameDigest(a: Digest, b: Digest): boolean {
  return Buffer.compare(a, b) === 0;
}

interface Range {
  /** First leaf. */
  readonly from: number;
  /** The leaf after the last. */
  readonly to: number;
}

/** Hash of a range whose beginning is a multiple of the largest power of two below its length, as in every tree. */
function hashOf({ from, to }: Range, tree: Subtrees): Digest {
  const length = to - from;
  const level = Math.log2(length);
  if (Number.isInteger(level)) return tree.hash(level, from / length);
  const middle = from + splitOf(length);
  return nodeHash(hashOf({ from, to: middle }, tree), hashOf({ from: middle, to }, tree));
}

/** The largest power of two below a number of at least 2. */
function splitOf(length: number): number {
  return 2 ** Math.floor(Math.log2(length - 1));
}

const half = (value: number): number => Math.floor(value / 2);

function isSize(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function sha256(bytes: Uint8Array): Digest {
  return hash('sha256', bytes, 'buffer');
}
