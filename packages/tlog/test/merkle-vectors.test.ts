import { describe, expect, it } from 'vitest';
import { isConsistent, rootByInclusion, sameDigest } from '../src/tree.ts';
import { continuations, inclusions, wanted } from './merkle-vectors.ts';

const bytes = (text: string) => Buffer.from(text, 'hex');

describe('the vectors of transparency-dev/merkle', () => {
  it('are those of the library, each once', () => {
    // Five valid proofs of inclusion and what is made of them, 4 of a single entry, 12 without a proof; five of consistency, and 13.
    expect([[...inclusions()].length, [...continuations()].length]).toEqual([98, 98]);
    expect(wanted.filter(({ holds }) => holds)).toHaveLength(13);
  });

  it('hold as they should', () => {
    const included = [...inclusions()].map(({ name, leaf, index, size, root, proof }) => {
      const found = rootByInclusion({ leaf: bytes(leaf), index, size, proof: proof.map(bytes) });
      return { name, holds: found !== null && found.length === 32 && sameDigest(found, bytes(root)) };
    });
    const continued = [...continuations()].map(({ name, from, to, before, after, proof }) => {
      const roots = { before: { size: from, root: bytes(before) }, after: { size: to, root: bytes(after) } };
      return { name, holds: isConsistent({ ...roots, proof: proof.map(bytes) }) };
    });
    expect([...included, ...continued]).toEqual(wanted);
  });
});
