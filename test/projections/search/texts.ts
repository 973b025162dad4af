import fc from 'fast-check';
import type { EntryTexts } from '#projections/kernel/collection-query.ts';
import { allColumns } from '#projections/search/types.ts';
import { foldText } from '#text/fold.ts';

const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('the', 'of', 'and', 'The', 'then', 'proof', 'stone', 'Ämber', 'a') },
  {
    weight: 3,
    arbitrary: fc.string({ unit: fc.constantFrom('a', 'b', 'é', 'O', '.', "'"), minLength: 1, maxLength: 4 }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('<p>', '</p>', '<!--', '-->', 'class="wide"', '100%', 'a_b', 'ﬁn', 'straße'),
  },
  {
    weight: 1,
    arbitrary: fc.string({ unit: fc.constantFrom('北', '京', '大', '学', 'は', '。'), minLength: 1, maxLength: 9 }),
  },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom('ก', 'ข', 'ค', 'ง'), minLength: 1, maxLength: 9 }) },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom('😀', '🎉', 'x'), minLength: 1, maxLength: 5 }) },
  // Longer than the units of the index.
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 120, maxLength: 300 }) },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom('-', '.', '='), minLength: 1, maxLength: 150 }) },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.constantFrom('ex.com', 'stone', 'ab', '1024x768', '北京', '😀', 'of'), { minLength: 6, maxLength: 12 })
      .map((parts) => `href="https://${parts.join('/')}"`),
  },
);
const blank = fc.oneof(
  { weight: 8, arbitrary: fc.constant(' ') },
  { weight: 2, arbitrary: fc.constantFrom('  ', '\n', '\t', '　', '') },
);

/** Texts that have much in common. */
export const anyText = fc
  .array(fc.tuple(word, blank), { maxLength: 12 })
  .map((parts) => parts.map(([text, after]) => text + after).join(''));

/** Texts of few different characters, so that any short term occurs in many of them. */
export const anyDenseText = fc.string({
  unit: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('a', 'b', ' ') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('.', '\n', '-', '"', "'", 'é', 'ß', '京', 'ก', '가', '😀', '\u00a0', '\0'),
    },
  ),
  maxLength: 40,
});

const textsOf = (text: fc.Arbitrary<string>) =>
  fc.record({ title: text, content: text, excerpt: fc.oneof(fc.constant(''), text) });

export const anyTexts = fc.oneof(
  { weight: 3, arbitrary: textsOf(anyText) },
  { weight: 1, arbitrary: textsOf(anyDenseText) },
);

/** Where to cut a term out of the existing texts. */
export interface Cut {
  readonly nth: number;
  readonly column: (typeof allColumns)[number];
  readonly from: number;
  readonly length: number;
  /** White space around the term, which replaces its own. */
  readonly sides?: readonly [string, string];
}

/** A part of a text, or a term that may not occur. */
export const anyTerm: fc.Arbitrary<string | Cut> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      nth: fc.nat(40),
      column: fc.constantFrom(...allColumns),
      from: fc.nat(200),
      length: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 60 }), fc.constant(1000)),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      nth: fc.nat(40),
      column: fc.constantFrom(...allColumns),
      from: fc.nat(200),
      length: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 60 })),
      sides: fc.constantFrom<[string, string][]>([' ', ''], ['', ' '], [' ', ' '], ['  ', ''], ['\u3000', ' ']),
    }),
  },
  { weight: 2, arbitrary: anyDenseText.map((text) => text.slice(0, 5)).filter((text) => text !== '') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'the',
      'of the',
      ' ',
      '\u3000',
      '\u00a0',
      ' \u3000',
      ' the',
      'the ',
      ' of ',
      ' a',
      'e ',
      '. ',
      ' ab ',
      ' e t',
      '. s ',
      ' 北',
      '学 ',
      ' 😀 ',
      ' href',
      '"> ',
      'of th',
      'f the',
      'and of the',
      'b a',
      'AMBER',
      '北京大',
      '😀',
      '%',
      '://',
    ),
  },
);

export function cutTerm(term: string | Cut, all: readonly EntryTexts[]): string {
  if (typeof term === 'string') return term;
  const characters = Array.from(all[term.nth % all.length]?.[term.column] ?? '');
  const from = term.from % (characters.length + 1);
  const part = characters.slice(from, from + term.length).join('') || 'the';
  if (term.sides === undefined) return part;
  const [before, behind] = term.sides;
  return before + part.trim() + behind;
}

export const anyPlace = fc.record({
  columns: fc.subarray([...allColumns], { minLength: 1 }),
  exact: fc.boolean(),
});

/** Whether a text contains a term, found by scanning it. */
export function hasByReading(
  texts: EntryTexts,
  term: string,
  place: { columns: readonly (keyof EntryTexts)[]; exact: boolean },
): boolean {
  const wanted = foldText(term);
  return place.columns.some((column) => {
    const text = foldText(texts[column]);
    return place.exact ? text === wanted : text.includes(wanted);
  });
}
