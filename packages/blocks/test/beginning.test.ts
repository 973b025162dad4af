import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beginning } from '../src/excerpt.ts';
import { paragraphs } from '../src/paragraphs.ts';
import { smileys } from '../src/smileys.ts';
import { stripMarkup } from '../src/strip.ts';
import { typography } from '../src/typography.ts';

/** The words that readers see of a markup. */
const read = (html: string): string[] =>
  stripMarkup(smileys(paragraphs(typography(html))))
    .split(/\s+/)
    .filter((word) => word !== '');

const word = fc.constantFrom(
  'a',
  '"b',
  'c"',
  "d's",
  '<em>e</em>',
  '<a href="#" title="f">g</a>',
  '<b>',
  '&',
  ':)',
  '-',
);
const text = fc.array(word, { maxLength: 8 }).map((words) => words.join(' '));
const odd = fc.constantFrom(
  '<pre>',
  '</pre>',
  '</p>',
  '<p>',
  '<li>',
  '<',
  '>',
  '<!--',
  '-->',
  '<script>',
  '</div>',
  '"',
);
const html = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: text.map((words) => `<p>${words}</p>`) },
      { weight: 1, arbitrary: text.map((words) => `<h2 class="x">${words}</h2>`) },
      { weight: 2, arbitrary: text },
      { weight: 1, arbitrary: fc.tuple(text, odd, text).map((parts) => parts.join('')) },
    ),
    { maxLength: 8 },
  )
  .chain((parts) => fc.constantFrom('\n\n', '\n', '').map((between) => parts.join(between)));

describe('the beginning of a markup', () => {
  it('reads the same as with the rest of the text', () => {
    fc.assert(
      fc.property(html, fc.nat(12), (all, words) => {
        const start = beginning(all, words);
        expect(all.startsWith(start)).toBe(true);
        // The last word may continue where the beginning ends.
        const found = read(start).slice(0, start === all ? undefined : -1);
        expect(read(all).slice(0, found.length)).toEqual(found);
      }),
      { numRuns: 3000 },
    );
  });

  it('ends with the paragraph that contains one word more than requested', () => {
    const all = '<p>one <em>two</em></p>\n\n<h2>three</h2>\n\n<p>four</p>\n\n<p>five</p>';
    expect(beginning(all, 2)).toBe('<p>one <em>two</em></p>\n\n<h2>three</h2>');
  });

  it.each(['one<p>two</p><p>three</p>', '<p>one <code>two</code></p><p>three</p>', '<p>one'])(
    'is the whole of %j',
    (all) => {
      expect(beginning(all, 1)).toBe(all);
    },
  );
});
