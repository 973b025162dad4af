import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkpointText, encodeProof, parseCheckpoint, parseProof } from '../src/checkpoint.ts';
import {
  BadNote,
  encodeSigner,
  encodeVerifier,
  newSigner,
  parseNote,
  parseSigner,
  parseVerifier,
  signNote,
  verifiedKeys,
} from '../src/note.ts';
import { parseTilePath, TILE_WIDTH, tilePath } from '../src/tiles.ts';
import { leafHash } from '../src/tree.ts';

// The example of Go's package for notes, whose format this is.
const known = {
  signer: 'PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz',
  verifier: 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  text: "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n",
  signature:
    '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n',
};

describe('a signed note', () => {
  it('is signed and verified as by others', () => {
    const signer = parseSigner(known.signer);
    expect(encodeSigner(signer)).toBe(known.signer);
    expect(encodeVerifier(signer)).toBe(known.verifier);
    const note = signNote(known.text, [signer]);
    expect(note).toBe(`${known.text}\n${known.signature}`);
    expect(verifiedKeys(parseNote(note), [parseVerifier(known.verifier)])).toHaveLength(1);
  });

  it('is refused after any change of one byte, and not taken for signed by a key that did not', () => {
    const [own, other] = [newSigner('site.example'), newSigner('site.example')];
    const note = Buffer.from(signNote('site.example\n1\nAAAA\n', [own]));
    expect(verifiedKeys(parseNote(note.toString()), [other])).toEqual([]);
    const property = fc.property(fc.nat(note.length - 1), fc.integer({ min: 1, max: 255 }), (place, change) => {
      const bytes = Buffer.from(note);
      bytes[place] = (bytes[place] ?? 0) ^ change;
      let signed = 0;
      try {
        signed = verifiedKeys(parseNote(bytes.toString()), [own]).length;
      } catch (error) {
        expect(error).toBeInstanceOf(BadNote);
      }
      expect(signed).toBe(0);
    });
    fc.assert(property, { numRuns: 500 });
  });

  it('ignores signatures of unknown keys, and refuses two of the same', () => {
    const [log, witness] = [newSigner('log.example'), newSigner('witness.example')];
    const note = signNote('Text\n', [log, witness]);
    expect(verifiedKeys(parseNote(note), [witness])).toEqual([witness]);
    expect(verifiedKeys(parseNote(note), [log, witness])).toEqual([log, witness]);
    expect(() => verifiedKeys(parseNote(signNote('Text\n', [log, log])), [log])).toThrow(BadNote);
  });

  it.each([
    ['nothing', ''],
    ['no signature', 'Text\n\n'],
    ['no empty line', 'Text\n— a AAAAAAAA\n'],
    ['a control character', 'Te\tt\n\n— a AAAAAAAA\n'],
    ['another dash', 'Text\n\n- a AAAAAAAA\n'],
    ['base64 that is not canonical', 'Text\n\n— a AAAAAAB=\n'],
    ['a signature without bytes', 'Text\n\n— a AAAAAA==\n'],
  ])('with %s is refused', (_, note) => {
    expect(() => parseNote(note)).toThrow(BadNote);
  });
});

describe('a checkpoint', () => {
  const root = leafHash(Buffer.of());

  it('has one text', () => {
    const checkpoint = { origin: 'site.example/cms-json', size: 12, root };
    const text = checkpointText(checkpoint);
    expect(text).toMatch(/^site\.example\/cms-json\n12\n[\w+/]{43}=\n$/);
    expect(parseCheckpoint(text)).toEqual(checkpoint);
    for (const wrong of [text.slice(0, -1), `${text}more\n`, text.replace('12', '012'), text.replace('12', '-1')]) {
      expect(() => parseCheckpoint(wrong)).toThrow(BadNote);
    }
  });

  it('stands in a proof as it was published', () => {
    const checkpoint = signNote(checkpointText({ origin: 'site.example', size: 1, root }), [newSigner('site.example')]);
    const proof = { index: 3, hashes: [root, root], checkpoint };
    expect(parseProof(encodeProof(proof))).toEqual(proof);
    const more = { ...proof, extra: Buffer.from('about it'), hashes: [] };
    expect(parseProof(encodeProof(more))).toEqual(more);
    for (const wrong of [/@v1/, /index 3/, /=\n\n/]) {
      expect(() => parseProof(encodeProof(proof).replace(wrong, 'x'))).toThrow(BadNote);
    }
  });
});

describe('the path of a tile', () => {
  it('is as specified, and has one spelling', () => {
    expect(tilePath({ level: 0, index: 1_234_067, width: TILE_WIDTH })).toBe('0/x001/x234/067');
    expect(parseTilePath('entries/005.p/112')).toEqual({ level: 'entries', index: 5, width: 112 });
    for (const wrong of ['00/000', '64/000', '0/00', '0/x000/005', '0/000.p/0', '0/000.p/256', '0/000/', 'x/000', '']) {
      expect(parseTilePath(wrong)).toBeNull();
    }
    const place = fc.record({
      level: fc.oneof(fc.nat(63), fc.constant('entries' as const)),
      index: fc.nat(),
      width: fc.integer({ min: 1, max: TILE_WIDTH }),
    });
    const property = fc.property(place, (tile) => {
      expect(parseTilePath(tilePath(tile))).toEqual(tile);
    });
    fc.assert(property);
  });
});
