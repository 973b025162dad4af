import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  consistencyProof,
  type Digest,
  EMPTY_ROOT,
  GrowingRoot,
  inclusionProof,
  isConsistent,
  leafHash,
  nodeHash,
  rootByInclusion,
  rootOf,
  type Subtrees,
} from '../src/tree.ts';

/** Roots of the trees of the first 1 to 8 of these leaves, as the tests of certificate logs have them. */
const leaves = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const roots = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

/** The definition of RFC 9162, section 2.1.1, word for word. */
function mth(entries: readonly Uint8Array[]): Digest {
  const [first] = entries;
  if (first === undefined) return hash('sha256', '', 'buffer');
  if (entries.length === 1) return leafHash(first);
  const k = 2 ** Math.floor(Math.log2(entries.length - 1));
  return nodeHash(mth(entries.slice(0, k)), mth(entries.slice(k)));
}

function treeOf(entries: readonly Uint8Array[]): Subtrees {
  const known = new Map<string, Digest>();
  return {
    hash(level, index) {
      const name = `${level}/${index}`;
      const made = known.get(name) ?? mth(entries.slice(index * 2 ** level, (index + 1) * 2 ** level));
      known.set(name, made);
      return made;
    },
  };
}

const many = Array.from({ length: 300 }, (_, i) => Buffer.from(`entry ${i}`));
const tree = treeOf(many);
const size = fc.integer({ min: 1, max: many.length });
const flipped = (digest: Digest, bit: number): Digest => {
  const bytes = Buffer.from(digest);
  bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return bytes;
};
const bit = fc.nat(255);

describe('a Merkle tree', () => {
  it('has the roots that certificate logs have', () => {
    const entries = leaves.map((leaf) => Buffer.from(leaf, 'hex'));
    expect(Buffer.from(EMPTY_ROOT).toString('hex')).toMatch(/^e3b0c44298fc1c14/);
    const found = roots.map((_, i) => Buffer.from(rootOf(i + 1, treeOf(entries))).toString('hex'));
    expect(found).toEqual(roots);
  });

  it('has the root of its definition at every size', () => {
    const growing = new GrowingRoot();
    for (let count = 0; count <= many.length; count++) {
      const expected = mth(many.slice(0, count));
      expect(rootOf(count, tree)).toEqual(expected);
      expect(growing.root).toEqual(expected);
      growing.append(leafHash(many[count] ?? Buffer.of()));
    }
  });

  it('proves each leaf of trees of every size, and no other leaf, place, size or root', () => {
    const property = fc.property(size, fc.nat(), fc.nat(), bit, (count, any, other, flip) => {
      const index = any % count;
      const leaf = leafHash(many[index] ?? Buffer.of());
      const proof = inclusionProof(index, count, tree);
      const root = rootOf(count, tree);
      const by = (changes: object) => rootByInclusion({ leaf, index, size: count, proof, ...changes });
      expect(by({})).toEqual(root);
      expect(by({ leaf: flipped(leaf, flip) })).not.toEqual(root);
      if (other % count !== index) expect(by({ index: other % count })).not.toEqual(root);
      expect(by({ index: count })).toBeNull();
      expect(by({ proof: [...proof, leaf] })).not.toEqual(root);
      if (proof.length === 0) return;
      expect(by({ proof: proof.slice(1) })).not.toEqual(root);
      const place = other % proof.length;
      expect(by({ proof: proof.with(place, flipped(proof[place] ?? leaf, flip)) })).not.toEqual(root);
    });
    fc.assert(property, { numRuns: 400 });
  });

  it('proves that each tree continues each earlier one, and no other', () => {
    const property = fc.property(size, fc.nat(), fc.nat(), bit, (count, any, other, flip) => {
      const earlier = any % (count + 1);
      const before = { size: earlier, root: rootOf(earlier, tree) };
      const after = { size: count, root: rootOf(count, tree) };
      const proof = consistencyProof(earlier, count, tree);
      expect(isConsistent({ before, after, proof })).toBe(true);
      expect(isConsistent({ before: { ...before, root: flipped(before.root, flip) }, after, proof })).toBe(false);
      expect(isConsistent({ before, after, proof: [...proof, after.root] })).toBe(false);
      if (earlier > 0) {
        expect(isConsistent({ before, after: { ...after, root: flipped(after.root, flip) }, proof })).toBe(false);
      }
      if (earlier < count) expect(isConsistent({ before: after, after: before, proof })).toBe(false);
      if (proof.length === 0) return;
      expect(isConsistent({ before, after, proof: proof.slice(1) })).toBe(false);
      const place = other % proof.length;
      const forged = proof.with(place, flipped(proof[place] ?? after.root, flip));
      expect(isConsistent({ before, after, proof: forged })).toBe(false);
    });
    fc.assert(property, { numRuns: 400 });
  });

  it('refuses degenerate sizes', () => {
    const [one, two] = [rootOf(1, tree), rootOf(2, tree)];
    for (const wrong of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(rootByInclusion({ leaf: one, index: 0, size: wrong, proof: [] })).toBeNull();
      expect(isConsistent({ before: { size: wrong, root: one }, after: { size: 2, root: two }, proof: [] })).toBe(
        false,
      );
    }
    expect(isConsistent({ before: { size: 0, root: one }, after: { size: 2, root: two }, proof: [] })).toBe(false);
    expect(isConsistent({ before: { size: 2, root: one }, after: { size: 2, root: two }, proof: [] })).toBe(false);
    expect(() => inclusionProof(3, 3, tree)).toThrow(RangeError);
    expect(() => consistencyProof(4, 3, tree)).toThrow(RangeError);
  });
});
