import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Edits } from '../src/edits.ts';

// Long parts are copied whole, and characters beyond Latin-1 need wider buffers.
const part = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
  fc.tuple(fc.constantFrom('a', 'ÿ', 'Ā', '😀'), fc.integer({ min: 1, max: 9000 })).map(([text, n]) => text.repeat(n)),
);
const change = fc.record({ kept: part, dropped: part, put: part });

describe('a text with parts of it replaced', () => {
  it('consists of the text between the parts and the replacements', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 20 }), part, (changes, rest) => {
        const edits = new Edits(changes.map(({ kept, dropped }) => kept + dropped).join('') + rest);
        let at = 0;
        for (const { kept, dropped, put } of changes) {
          edits.replace(at + kept.length, at + kept.length + dropped.length, put);
          at += kept.length + dropped.length;
        }
        expect(edits.finish()).toBe(changes.map(({ kept, put }) => kept + put).join('') + rest);
      }),
    );
  });
});
