import { describe, expect, it } from 'vitest';
import { bitsToArray, newBits, setBit } from '#projections/kernel/bits.ts';
import type { EntryTexts } from '#projections/kernel/collection-query.ts';
import { createSearchIndex, type SearchIndex } from '#projections/search/index.ts';
import { allColumns, type TermQuery } from '#projections/search/types.ts';

const long = `https://www.example.com/uploads/2024/05/Some-Image_1024x768.jpg?size=full&x=${'y'.repeat(50)}`;

const texts: readonly EntryTexts[] = [
  { title: 'Amber stone', content: '<p>plain words</p>', excerpt: '' },
  { title: 'Second', content: 'the ämber in the text', excerpt: 'short' },
  { title: 'Third', content: `<img src="${long}"> 100% of a_b`, excerpt: 'an AMBER summary' },
  { title: '北京大学生', content: '私は北京で、学生です', excerpt: 'สวัสดีครับ' },
  { title: 'two  blanks', content: 'of\nthe of the thesis', excerpt: '😀😀 o’clock' },
];

function indexOf(all: readonly EntryTexts[]): SearchIndex {
  const index = createSearchIndex({ texts: (ord) => all[ord] });
  for (const ord of all.keys()) index.put(ord);
  return index;
}

function found(index: SearchIndex, query: Partial<TermQuery>): number[] {
  const bits = newBits(texts.length);
  for (const ord of texts.keys()) setBit(bits, ord);
  index.narrow(bits, { include: [], exclude: [], columns: allColumns, exact: false, ...query });
  return bitsToArray(bits);
}

const tail = indexOf(texts);
const indexed = indexOf(texts);
while (indexed.indexStep());

describe.each([
  ['not yet indexed', tail],
  ['indexed', indexed],
])('a search of texts %s', (_, index) => {
  it.each<[string, Partial<TermQuery>, number[]]>([
    ['finds everything without terms', {}, [0, 1, 2, 3, 4]],
    ['finds a word in any column, case and accents ignored', { include: ['amber'] }, [0, 1, 2]],
    ['ignores case and accents of the term as well', { include: ['ÄMBÉR'] }, [0, 1, 2]],
    ['finds parts of words', { include: ['mbe'] }, [0, 1, 2]],
    ['looks only where it is told to', { include: ['amber'], columns: ['content', 'excerpt'] }, [1, 2]],
    ['wants every term, each in any column', { include: ['amber', 'short'] }, [1]],
    ['leaves out what has an excluded term', { include: ['amber'], exclude: ['text'] }, [0, 2]],
    ['can do nothing but leave out', { exclude: ['amber'] }, [3, 4]],
    ['finds a phrase', { include: ['plain words'] }, [0]],
    ['finds a phrase from within a word to within another', { include: ['ber sto'] }, [0]],
    ['does not find the words of a phrase in another order', { include: ['stone amber'] }, []],
    ['does not find a phrase across columns', { include: ['stone plain'] }, []],
    ['takes blanks as they are', { include: ['two blanks'] }, []],
    ['takes several blanks as they are', { include: ['two  blanks'] }, [4]],
    ['does not take a line break for a blank', { include: ['f the o'] }, []],
    ['finds very common words next to each other', { include: ['of the'] }, [4]],
    ['finds blanks around a word', { include: [' in '] }, [1]],
    ['finds markup', { include: ['<p>plain'] }, [0]],
    ['takes percent signs and underscores as they are', { include: ['0% of a_b'] }, [2]],
    ['knows no wildcards', { include: ['a%b'] }, []],
    ['finds a part of a long word', { include: ['image_1024'] }, [2]],
    ['finds punctuation in a long word', { include: ['://'] }, [2]],
    ['finds a long word whole', { include: [long] }, [2]],
    ['finds a long part of a very long run', { include: ['y'.repeat(45)] }, [2]],
    ['does not find a longer run than there is', { include: ['y'.repeat(51)] }, []],
    ['finds single characters of scripts without blanks', { include: ['学'] }, [3]],
    ['finds words of scripts without blanks', { include: ['北京大'] }, [3]],
    ['does not mix up their characters', { include: ['京北'] }, []],
    ['finds them beside punctuation', { include: ['で、学生'] }, [3]],
    ['finds parts of syllabic scripts', { include: ['สดีค'] }, [3]],
    ['finds emoji', { include: ['😀'] }, [4]],
    ['finds curly apostrophes', { include: ['o’c'] }, [4]],
    ['wants the whole column when exact', { include: ['amber stone'], exact: true }, [0]],
    ['does not take part of a column for the whole', { include: ['amber'], exact: true }, []],
    ['does not take a trimmed column for the whole', { include: ['of the of the thesis'], exact: true }, []],
    ['wants each term to be a whole column when exact', { include: ['second', 'short'], exact: true }, [1]],
    ['leaves out whole columns when exact', { exclude: ['second', 'amber'], exact: true }, [0, 2, 3, 4]],
    ['finds columns that are empty when exact', { include: [''], columns: ['excerpt'], exact: true }, [0]],
  ])('%s', (_title, query, ords) => {
    expect(found(index, query)).toEqual(ords);
  });

  it.each([
    ['a word of 100,000 letters', 'x'.repeat(100_000)],
    ['a word of 100,000 runs', 'x-'.repeat(50_000)],
    ['a phrase of 50,000 words', 'amber '.repeat(50_000)],
    ['100,000 characters of a script without blanks', '学'.repeat(100_000)],
  ])('finds nothing for %s', (_title, term) => {
    expect(found(index, { include: [term] })).toEqual([]);
    expect(found(index, { include: ['amber'], exclude: [term] })).toEqual(found(index, { include: ['amber'] }));
  });

  it('searches only the given entries', () => {
    const bits = newBits(texts.length);
    setBit(bits, 1);
    index.narrow(bits, { include: ['amber'], exclude: [], columns: allColumns, exact: false });
    expect(bitsToArray(bits)).toEqual([1]);
  });

  it('can test a single entry', () => {
    const place = { columns: allColumns, exact: false };
    expect([0, 3, 99].map((ord) => index.holds(ord, 'AMBER', place))).toEqual([true, false, false]);
  });
});

describe('a search of indexed texts', () => {
  const reads = (query: Partial<TermQuery>, all = texts) => {
    let count = 0;
    const index = createSearchIndex({
      texts: (ord) => {
        count += 1;
        return all[ord];
      },
    });
    for (const ord of all.keys()) index.put(ord);
    while (index.indexStep());
    count = 0;
    found(index, query);
    return count;
  };

  it('reads no text to find white space', () => {
    for (const blank of [' ', '\u3000', '\u00a0']) {
      expect(reads({ include: [blank] })).toBe(0);
      expect(reads({ exclude: [blank] })).toBe(0);
    }
  });

  it('reads no text to find a phrase, whatever its ends', () => {
    for (const term of [
      'r s',
      'n the t',
      'f t',
      'the ämber in the te',
      '</p',
      'n words<',
      '京大',
      'で、学',
      'o  b',
      'of\nthe',
    ]) {
      expect([term, reads({ include: [term] })]).toEqual([term, 0]);
      expect(found(indexed, { include: [term] })).toEqual(found(tail, { include: [term] }));
      expect(found(tail, { include: [term] })).not.toEqual([]);
      expect(reads({ exclude: [term] })).toBe(0);
    }
  });

  it('reads a text once, however many terms need it', () => {
    const doubtful = ['x'.repeat(200), 'y'.repeat(200), 'z'.repeat(200)];
    const long = [{ title: '', content: doubtful.join('z '), excerpt: '' }];
    expect(reads({ include: doubtful }, long)).toBe(1);
    expect(reads({ exclude: doubtful.slice(1) }, long)).toBe(1);
  });

  it('reads no text to find a word, or a part of one, next to a space', () => {
    for (const term of [' words', 'amber ', ' in ', ' t', 'he ', ' the ', '% ', ' a_']) {
      expect([term, reads({ include: [term] })]).toEqual([term, 0]);
      expect(reads({ exclude: [term] })).toBe(0);
    }
  });

  it('reads no text if no word begins or ends like the term at a space', () => {
    expect(reads({ include: [' mber'] })).toBe(0);
    expect(reads({ include: ['ston '] })).toBe(0);
  });
});

describe('a search for a short term', () => {
  const letters = ['a', 'b', ' ', 'я', '京'];
  const longer = (all: readonly string[]) => all.flatMap((text) => letters.map((letter) => text + letter));
  const [one, two, three] = [longer(['']), longer(longer([''])), longer(longer(longer([''])))];
  const all = ['', ...one, ...two, ...three].map((text) => ({ title: '', content: text, excerpt: 'c' }));

  it('finds exactly the texts with it, wherever it is in them, also in merged segments', () => {
    const index = createSearchIndex({ texts: (ord) => all[ord], sizes: { tail: 1, segment: 20, merge: 3, pause: 10 } });
    for (const ord of all.keys()) index.put(ord);
    while (index.indexStep());
    for (const term of [...one, ...two, ...three]) {
      const bits = newBits(all.length).fill(0xffffffff);
      index.narrow(bits, { include: [term], exclude: [], columns: allColumns, exact: false });
      const expected = all.flatMap(({ content }, ord) => (content.includes(term) ? [ord] : []));
      expect([term, bitsToArray(bits)]).toEqual([term, expected]);
    }
  });
});
