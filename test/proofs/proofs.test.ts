import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkProof, encodeBundle, tlogProofsIn } from '#proofs/bundle.ts';
import { historiesIn } from '#proofs/histories.ts';
import { BadProof } from '#proofs/opened.ts';
import { parseCheckpoint, parseProof } from '#tlog/checkpoint.ts';
import { parseNote } from '#tlog/note.ts';
import { parsePolicy } from '#tlog/policy.ts';
import { leafHash, rootByInclusion } from '#tlog/tree.ts';
import { trueFieldProofs } from './field-proofs.ts';
import { forgeries, writeCorpus } from './forgeries.ts';
import { cosignedBy, item, keys, policyText, sampleLog, trueProofs } from './sample-log.ts';

const policy = parsePolicy(Buffer.from(policyText));
const refused = (file: Uint8Array) => {
  try {
    checkProof(file, policy);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(BadProof);
    return (error as BadProof).message;
  }
};
const corpus = join(import.meta.dirname, 'bundles');
/** Some of each kind. The others are made when they are needed. */
const kept =
  /^(?:proofs?-(?:empty|swapped)|salts|sealed-changed|row-position-huge|events-without|checkpoint-(?:with-ext|of-an)|signature-(?:twice|of-an-impostor$)|cosignature-missing|before-of-another-h|log-data-names-a-member-twice$|text-(?:member-twice|no-utf8))/;

describe('a proof', () => {
  it.each([...trueProofs(), ...trueFieldProofs()])('of $name holds', ({ text }) => {
    const { log, cosigned, organisations, unchecked } = checkProof(Buffer.from(text), policy);
    expect(log.origin).toBe('cms.example.org');
    expect(cosigned.map(({ witness }) => witness)).toEqual(['one', 'two']);
    expect({ organisations, unchecked }).toEqual({ organisations: ['first-office', 'second-office'], unchecked: [] });
  });

  it('shows of fields with seals of their own only those that it opens', () => {
    const [one, none] = trueFieldProofs().map(({ text }) => ({ text, ...checkProof(Buffer.from(text), policy) }));
    expect(one?.text).not.toMatch(/strangers|vellum/);
    const names = ['title', 'content', 'excerpt', 'password'];
    expect(one?.events[0]).toMatchObject({ opened: { title: 'Größe “1”' }, names });
    expect(none?.events[0]).toMatchObject({ opened: null, names, isSealed: true });
  });

  it('is refused when it is forged, however', () => {
    const taken = [...forgeries()].filter(({ file }) => refused(file) === null);
    expect(taken.map(({ name }) => name)).toEqual([]);
  });

  it('is refused after any change of one bit', () => {
    const files = [...trueProofs(), ...trueFieldProofs()].map(({ text }) => Buffer.from(text));
    const place = fc
      .constantFrom(...files)
      .chain((file) => fc.tuple(fc.constant(file), fc.nat(file.length - 1), fc.nat(7)));
    const property = fc.property(place, ([file, at, bit]) => {
      const bytes = Buffer.from(file);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
      expect(refused(bytes)).not.toBeNull();
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it('is refused after any change of one character, even if its checksum is made anew', () => {
    const bundles = [...trueProofs(), ...trueFieldProofs()].map(({ text }) => JSON.parse(text));
    const change = fc.record({
      bundle: fc.constantFrom(...bundles),
      of: fc.nat(),
      at: fc.nat(),
      by: fc.integer({ min: 1, max: 127 }),
    });
    const property = fc.property(change, ({ bundle, of, at, by }) => {
      const { format: _, sha256: __, ...copy } = structuredClone(bundle);
      const strings = stringsIn(copy);
      const { holder, key } = strings[of % strings.length] ?? { holder: {}, key: '' };
      const text = String(holder[key]);
      const place = at % text.length;
      const changed = String.fromCharCode(text.charCodeAt(place) ^ by);
      holder[key] = text.slice(0, place) + changed + text.slice(place + 1);
      expect(refused(Buffer.from(encodeBundle(copy)))).not.toBeNull();
    });
    fc.assert(property, { numRuns: 1000 });
  });

  it('holds whatever the texts are', () => {
    const members = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ stringUnit: 'binary' }));
    const property = fc.property(members, members, (data, sealed) => {
      const made = sampleLog([item(1, 'EntryRevised', data, sealed)]);
      const { events } = checkProof(Buffer.from(encodeBundle(made.bundle(1, [1], [1]))), policy);
      expect(JSON.stringify(events[0]?.opened)).toBe(JSON.stringify(sealed));
    });
    fc.assert(property, { numRuns: 300 });
  });

  it('names signatures that were not checked, and counts them for nothing', () => {
    const bundle = sampleLog().bundle(14, [3]);
    const { text } = parseNote(bundle.checkpoint);
    const more = { ...bundle, checkpoint: bundle.checkpoint + cosignedBy(keys.stranger, text) };
    const { unchecked, cosigned } = checkProof(Buffer.from(encodeBundle(more)), policy);
    expect({ unchecked, cosigned: cosigned.length }).toEqual({ unchecked: ['elsewhere.example'], cosigned: 2 });
  });

  it('is refused by a policy that does not name its log, or asks for another witness', () => {
    const [{ text } = { text: '' }] = trueProofs();
    const without = (line: RegExp) => parsePolicy(Buffer.from(policyText.replace(line, '')));
    expect(checkProof(Buffer.from(text), without(/^#.*/)).events).toHaveLength(7);
    const [vkey = ''] = /cms\S+/.exec(policyText) ?? [];
    const other = policyText.replace(vkey, 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW');
    expect(() => checkProof(Buffer.from(text), parsePolicy(Buffer.from(other)))).toThrow('does not name the log');
  });

  it('has proofs in the form of C2SP, for each event', () => {
    const log = sampleLog();
    const bundle = log.bundle(14, [3, 5], [3]);
    const files = tlogProofsIn(Buffer.from(encodeBundle(bundle)));
    expect(files.map(({ position }) => position)).toEqual([3, 5]);
    for (const { position, text } of files) {
      const { index, hashes, checkpoint } = parseProof(text);
      expect(checkpoint).toBe(bundle.checkpoint);
      const { size, root } = parseCheckpoint(parseNote(checkpoint).text);
      const leaf = leafHash(Buffer.from(entryOf(log.rows[position - 1] ?? '')));
      expect(rootByInclusion({ leaf, index, size, proof: hashes })).toEqual(root);
    }
  });

  it('stays as it is kept beside this test', () => {
    if (process.env['UPDATE_BUNDLES'] === '1') writeCorpus(corpus, (name) => kept.test(name));
    const made = [
      ...[...trueProofs(), ...trueFieldProofs()].map(({ name, text }) => ({
        path: `true/${name}.proof.json`,
        file: Buffer.from(text),
      })),
      ...[...forgeries()]
        .filter(({ name }) => kept.test(name))
        .map(({ name, file }) => ({ path: `forged/${name}.proof.json`, file })),
    ];
    for (const { path, file } of made) expect(readFileSync(join(corpus, path)).equals(file), path).toBe(true);
    const stored = ['true', 'forged'].flatMap((name) =>
      readdirSync(join(corpus, name)).map((file) => `${name}/${file}`),
    );
    expect(stored.toSorted()).toEqual(made.map(({ path }) => path).toSorted());
    expect(readFileSync(join(corpus, 'policy.txt'), 'utf8')).toBe(policyText);
  });
});

describe('what proved events say', () => {
  const log = sampleLog();
  const fieldsOf = (positions: readonly number[], opened: readonly number[]) => {
    const file = Buffer.from(encodeBundle(log.bundle(17, positions, opened)));
    const [history] = historiesIn(checkProof(file, policy).events);
    const spans = [...(history?.fields ?? [])].map(([name, all]) => [
      name,
      all.map(({ value, from, until, last }) => [value, from.position, until?.position ?? null, last.position]),
    ]);
    return Object.fromEntries(spans);
  };

  it('is each value from the event that set it to the next that set another', () => {
    const { title, content, status, date } = fieldsOf([3, 5, 6, 8, 9, 11, 13], [3, 6, 9]);
    expect(title).toEqual([
      ['Größe “1”', 3, 6, 5],
      ['Second thoughts', 6, null, 13],
    ]);
    expect(content).toEqual([
      ['A\nB', 3, 9, 8],
      ['D', 9, null, 13],
    ]);
    expect(status).toEqual([
      ['draft', 3, 5, 3],
      ['publish', 5, 13, 11],
      ['trash', 13, null, 13],
    ]);
    expect(date).toEqual([['2026-03-01T08:00:00', 3, null, 13]]);
  });

  it('is not shown from an event that is not opened, if that could have set it', () => {
    expect(fieldsOf([6, 8, 9, 11], [6])['title']).toEqual([
      ['Second thoughts', 6, 9, 8],
      [undefined, 9, null, 11],
    ]);
    expect(fieldsOf([5, 6, 8], [])).toEqual({ status: [['publish', 5, null, 8]] });
  });

  it('is not shown after the account of an author was deleted, if the file says so', () => {
    expect(fieldsOf([13, 14, 15], [])['status']).toEqual([
      ['trash', 13, 14, 13],
      [undefined, 14, 15, 14],
      ['deleted', 15, null, 15],
    ]);
  });
});

function entryOf(row: string): Uint8Array {
  return hash('sha256', row, 'buffer');
}

interface Place {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

/** All strings of a value that are not empty, as places that can be written. */
function stringsIn(value: Record<string, unknown>): Place[] {
  return Object.entries(value).flatMap(([key, inner]): Place[] => {
    if (typeof inner === 'string') return inner === '' ? [] : [{ holder: value, key }];
    return typeof inner === 'object' && inner !== null ? stringsIn(inner as Record<string, unknown>) : [];
  });
}
