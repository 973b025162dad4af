import fc from 'fast-check';
import { startSite } from '../support/site.ts';
import { allBlockTypes, blockOf, onEverySurface, type Seen, type ShownTexts } from './surfaces.ts';

export interface Growth {
  readonly place: string;
  readonly atom: string;
  readonly surface: string;
  /** Milliseconds of processor time for the shorter and for the longer text. */
  readonly times: readonly [number, number];
}

/** Lengths of the texts that are compared, in characters. */
const lengths = [10_000, 80_000] as const;
/** A longer text that takes less time than this, in milliseconds, is not looked at: what is measured is inexact. */
const least = 200;
/** How many times as long a text of eight times the length may take. The square would be 64. */
const most = 20;

const atoms = [
  ...[
    'a',
    '1',
    ' ',
    '\n',
    '\t',
    '.',
    ',',
    '-',
    '_',
    '/',
    '\\',
    '"',
    "'",
    '<',
    '>',
    '&',
    '[',
    ']',
    '(',
    ')',
    '{',
    '}',
    '@',
  ],
  ...[
    'a ',
    '1 ',
    'a.',
    '1.',
    'a,',
    'a-',
    '--',
    '..',
    '&a',
    '&amp',
    '<a',
    '<a ',
    '<!--',
    '-->',
    '[a',
    '[gallery ',
    '](',
    'a@',
  ],
  ...[
    'http://',
    'www.a.',
    '<p>',
    '</p>',
    '<br>',
    '\r\n',
    '\u00a0',
    '\u0301',
    'é',
    '😀',
    '\n\n',
    '<a b="',
    'a=',
    "a='",
    '%20',
    '\\u0',
  ],
  ...[
    '#',
    '?',
    ':',
    ';',
    '=',
    '+',
    '*',
    '$',
    '|',
    '~',
    '^',
    '`',
    '!',
    ':)',
    '<!-- wp:a',
    '<!-- wp:a -->',
    '<!-- /wp:a -->',
  ],
];

type Place = readonly [name: string, textsOf: (text: string) => ShownTexts];

const fields: readonly Place[] = [
  ['title', (title) => ({ title: title.slice(0, 16_000), content: 'x' })],
  ['excerpt', (excerpt) => ({ title: 'x', content: 'x', excerpt: excerpt.slice(0, 65_000) })],
  ['content', (content) => ({ title: 'x', content })],
  ['paragraph', (text) => ({ title: 'x', content: `<!-- wp:paragraph --><p>${text}</p><!-- /wp:paragraph -->` })],
];
const blocks = allBlockTypes.map((type): Place => {
  const most = Math.max(1, Object.keys(type.attributes).length + 20);
  return [
    type.name,
    (text) => ({ title: 'x', content: blockOf(type, text.slice(0, Math.ceil((text.length * 4) / most))) }),
  ];
});

/** Compares the time that texts take on every surface with that of texts eight times as long. */
export async function fuzzGrowth(
  { count, seed }: { readonly count: number; readonly seed: number },
  look: (growth: Growth) => void,
): Promise<number> {
  const site = await startSite();
  let looked = 0;
  const cases = fc.record({
    place: fc.oneof(fc.constantFrom(...fields), fc.constantFrom(...blocks)),
    atom: fc.oneof(
      fc.constantFrom(...atoms),
      fc.tuple(fc.constantFrom(...atoms), fc.constantFrom(...atoms)).map((two) => two.join('')),
    ),
    end: fc.constantFrom('', '!', '<', 'é', '"'),
  });
  try {
    for (const {
      place: [place, textsOf],
      atom,
      end,
    } of fc.sample(cases, { numRuns: count, seed })) {
      const measure = async (length: number) => {
        const seen: Seen[] = [];
        const text = atom.repeat(Math.ceil(length / atom.length)).slice(0, length) + end;
        await onEverySurface(site, textsOf(text), (one) => seen.push(one));
        return seen;
      };
      const [short, long] = [await measure(lengths[0]), await measure(lengths[1])];
      for (const [i, { surface, busy }] of long.entries()) {
        looked += 1;
        const before = short[i]?.busy ?? 0;
        if (busy > least && busy > most * Math.max(before, least / most))
          look({ place, atom: atom + end, surface, times: [before, busy] });
      }
    }
  } finally {
    await site.close();
  }
  return looked;
}
