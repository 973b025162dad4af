import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkpointText, parseCheckpoint } from '../src/checkpoint.ts';
import { encodeMlDsaSigner, newMlDsaSigner, parseMlDsaSigner, signWithMlDsa, verifiedMlDsa } from '../src/ml-dsa.ts';
import { BadNote, newSigner, parseNote, type SignerKey, signNote, toBase64 } from '../src/note.ts';
import { consistencyProof, type Digest, leafHash, nodeHash, rootOf, type Subtrees } from '../src/tree.ts';
import { encodeSubmission, judgeSubmission, parseSubmission, type WitnessedLog } from '../src/witness.ts';

/** The tree of the leaves `0`, `1` and so on; `other` from a leaf on: a fork. */
function treeOf(other = Number.POSITIVE_INFINITY): Subtrees {
  const hash = (level: number, index: number): Digest =>
    level === 0
      ? leafHash(Buffer.from(index < other ? `${index}` : `other ${index}`))
      : nodeHash(hash(level - 1, 2 * index), hash(level - 1, 2 * index + 1));
  return { hash };
}

const origin = 'log.example';
const key = newSigner(origin);
const signed = (size: number, { tree = treeOf(), by = key, name = origin }: Signing = {}) =>
  signNote(checkpointText({ origin: name, size, root: rootOf(size, tree) }), [by]);
interface Signing {
  readonly tree?: Subtrees;
  readonly by?: SignerKey;
  readonly name?: string;
}
const knowing = (size: number | null, tree = treeOf()) => {
  const log: WitnessedLog = { keys: [key], latest: size === null ? null : { size, root: rootOf(size, tree) } };
  return (asked: string) => (asked === origin ? log : undefined);
};
const submission = (before: number, size: number, how: Signing = {}) =>
  encodeSubmission({
    before,
    proof: consistencyProof(before, size, how.tree ?? treeOf()),
    checkpoint: signed(size, how),
  });

describe('a submission', () => {
  it('is accepted, from any checkpoint to any later one', () => {
    const sizes = fc.tuple(fc.nat(70), fc.nat(70)).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const);
    fc.assert(
      fc.property(sizes, ([before, size]) => {
        expect(judgeSubmission(submission(before, size), knowing(before))).toMatchObject({
          status: 200,
          checkpoint: { origin, size },
        });
      }),
    );
    expect(judgeSubmission(submission(0, 7), knowing(null))).toMatchObject({ status: 200 });
  });

  it('of a log that has forked is refused, whatever it proves', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(40), fc.nat(39), (before, more, place) => {
        const forked = treeOf(Math.min(place, before - 1));
        const { status } = judgeSubmission(submission(before, before + more, { tree: forked }), knowing(before));
        expect(status).toBe(more === 0 ? 409 : 422);
      }),
    );
    expect(judgeSubmission(submission(7, 7, { tree: treeOf(3) }), knowing(7))).toEqual({
      status: 409,
      size: 7,
      fork: expect.stringMatching(/^log\.example\n7\n/),
    });
  });

  it.each([
    ['of an unknown log', submission(0, 5, { name: 'other.example', by: newSigner('other.example') }), 404],
    ['signed by another key', submission(0, 5, { by: newSigner(origin) }), 403],
    ['without a signature that is known', submission(0, 5, { by: newSigner('witness.example') }), 403],
    ['with an old size above the new one', submission(0, 5).replace('old 0', 'old 6'), 400],
    ['with a size with leading zeros', submission(0, 5).replace('old 0', 'old 00'), 400],
    ['without a size', submission(0, 5).slice(6), 400],
    ['with a proof that is no base64', `old 3\n!\n\n${signed(5)}`, 400],
    ['with a proof of 64 hashes', `old 3\n${`${toBase64(Buffer.alloc(32))}\n`.repeat(64)}\n${signed(5)}`, 400],
    ['with an extension line', submission(0, 5).replace('\n5\n', '\n5\nmore\n'), 400],
    ['that is empty', '', 400],
  ])('%s is refused', (_, body, status) => expect(judgeSubmission(body, knowing(null)).status).toBe(status));

  it('that begins elsewhere is told where the witness is', () => {
    expect(judgeSubmission(submission(0, 5), knowing(3))).toEqual({ status: 409, size: 3, fork: null });
    expect(judgeSubmission(submission(3, 5), knowing(null))).toEqual({ status: 409, size: 0, fork: null });
  });

  it('that proves too much is refused', () => {
    const [hash] = consistencyProof(3, 5, treeOf());
    const body = `old 0\n${toBase64(hash ?? Buffer.of())}\n\n${signed(5)}`;
    expect(judgeSubmission(body, knowing(null)).status).toBe(422);
  });

  it('with a changed byte is refused, or says the same', () => {
    const body = Buffer.from(submission(11, 37));
    const meant = parseSubmission(body.toString());
    fc.assert(
      fc.property(fc.nat(body.length - 1), fc.integer({ min: 1, max: 255 }), (place, change) => {
        const changed = Buffer.from(body);
        changed[place] = (changed[place] ?? 0) ^ change;
        const judged = judgeSubmission(changed.toString(), knowing(11));
        if (judged.status === 200) expect(judged.text).toBe(parseNote(meant.checkpoint).text);
      }),
    );
  });
});

describe('a signature of ML-DSA-44', () => {
  const checkpoint = { origin, size: 7, root: rootOf(7, treeOf()) };
  const signer = newMlDsaSigner(origin);
  const note = () =>
    parseNote(signNote(checkpointText(checkpoint), [key]) + signWithMlDsa(checkpoint, signer, 1_800_000_000));

  it('is verified by the public key, beside others, also after its key was stored', () => {
    expect(verifiedMlDsa(note(), [signer])).toEqual([{ key: signer, time: 1_800_000_000 }]);
    expect(parseMlDsaSigner(encodeMlDsaSigner(signer)).publicKey).toEqual(signer.publicKey);
    expect(verifiedMlDsa(note(), [newMlDsaSigner('other.example')])).toEqual([]);
  });

  it('is of this checkpoint, this time and this name alone', () => {
    const { text, signatures } = note();
    const [first, second] = signatures;
    if (first === undefined || second === undefined) throw new Error('there are two');
    const other = checkpointText({ ...parseCheckpoint(text), size: 8 });
    expect(() => verifiedMlDsa({ text: other, signatures }, [signer])).toThrow(BadNote);
    for (const place of [0, 7, 8, 1000, second.bytes.length - 1]) {
      const bytes = Buffer.from(second.bytes);
      bytes[place] = (bytes[place] ?? 0) ^ 1;
      expect(() => verifiedMlDsa({ text, signatures: [{ ...second, bytes }] }, [signer])).toThrow(BadNote);
    }
    expect(() => verifiedMlDsa({ text, signatures: [second, second] }, [signer])).toThrow(BadNote);
  });
});
