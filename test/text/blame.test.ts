import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Blaming, type TextVersion } from '#text/blame.ts';

function blamed<W>(versions: readonly TextVersion<W>[]) {
  const blaming = new Blaming<W>();
  for (const version of versions) blaming.take(version);
  return blaming.sentences();
}

const writers = (...texts: readonly string[]) =>
  blamed(texts.map((text, i) => ({ text, by: i + 1 }))).map(({ text, by }) => `${by} ${text}`);

describe('the writer of a sentence', () => {
  it('is whoever wrote it first, while others change other sentences', () => {
    expect(
      writers('One is here. Two is here.', 'One is here. Two was here.', 'One is here. Two was here. Three came.'),
    ).toEqual(['1 One is here.', '2 Two was here.', '3 Three came.']);
  });

  it('stays the same when it is moved, or deleted and brought back', () => {
    const [first, second] = ['This one came first.', 'This one came later.'];
    expect(writers(`${first} ${second}`, `${second} ${first}`)).toEqual([`1 ${second}`, `1 ${first}`]);
    expect(writers(`${first} ${second}`, second, `${first} ${second}`)).toEqual([`1 ${first}`, `1 ${second}`]);
  });

  it('does not depend on markup, and paragraphs are counted', () => {
    const marked = '<!-- wp:paragraph -->\n<p>It <b>began</b> well.</p>\n<!-- /wp:paragraph -->\n\n<p>It ended.</p>';
    const found = blamed([
      { text: '<p>It began well.</p>', by: 'ada' },
      { text: marked, by: 'grace' },
    ]);
    expect(found).toEqual([
      { text: 'It began well.', paragraph: 1, by: 'ada' },
      { text: 'It ended.', paragraph: 2, by: 'grace' },
    ]);
  });

  it('is found for exactly the sentences of the last version, and each is one who brought it', () => {
    const sentence = fc.constantFrom(
      'The cat sat down.',
      'A dog came in.',
      'Nobody spoke.',
      'It rained all day.',
      'No.',
    );
    const version = fc.array(sentence, { maxLength: 6 });
    fc.assert(
      fc.property(fc.array(version, { minLength: 1, maxLength: 6 }), (versions) => {
        const found = blamed(versions.map((own, i) => ({ text: own.join(' '), by: i })));
        expect(found.map(({ text }) => text)).toEqual(versions.at(-1));
        for (const { text, by } of found) expect(versions[by]).toContain(text);
      }),
    );
  });
});
