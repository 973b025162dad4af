import { SPACE } from './blank.ts';

/** Replacements for a kind of quotation mark. `open` is a marker that cannot occur in the text, which contains no `<`. */
interface Marks {
  readonly mark: string;
  readonly open: string;
  readonly close: string;
  readonly prime: string;
  readonly ending: RegExp;
  readonly afterDigit: RegExp;
}

const APOSTROPHE = '<a>';
const CANDIDATE = '<c>';
const ENDS = `(?=\\n?$|[.,:;!?)}\\-\\]]|&gt;|${SPACE})`;

const SINGLE: Marks = {
  mark: "'",
  open: '<s>',
  close: '&#8217;',
  prime: '&#8242;',
  ending: new RegExp(`'${ENDS}`, 'g'),
  afterDigit: /(?<=\d)'/g,
};

const DOUBLE: Marks = {
  mark: '"',
  open: '<d>',
  close: '&#8221;',
  prime: '&#8243;',
  ending: new RegExp(`"${ENDS}`, 'g'),
  afterDigit: /(?<=\d)"/g,
};

const SINGLE_RULES: readonly [RegExp, string][] = [
  // An abbreviated year at the end of a quotation: '99' and '99".
  [new RegExp(`'(\\d\\d)'${ENDS}`, 'g'), `${APOSTROPHE}$1${SINGLE.close}`],
  [new RegExp(`'(\\d\\d)"${ENDS}`, 'g'), `${APOSTROPHE}$1${DOUBLE.close}`],
  // An abbreviated year, but not '9, '99%, '999 or '99.0.
  [/'(?=\d\d(?:\n?$|(?![%\d]|[.,]\d)))/g, APOSTROPHE],
  // A quoted number like '0.42'.
  [new RegExp(`(?<=^|${SPACE})'(\\d[.,\\d]*)'`, 'g'), `${SINGLE.open}$1${SINGLE.close}`],
  [new RegExp(`(?<=^|[([{"\\-]|&lt;|${SPACE})'`, 'g'), SINGLE.open],
  // An apostrophe inside a word.
  [new RegExp(`(?<!${SPACE})'(?!\\n?$|[.,:;!?"'(){}[\\]\\-]|&[lg]t;|${SPACE})`, 'g'), APOSTROPHE],
];

const DOUBLE_RULES: readonly [RegExp, string][] = [
  [new RegExp(`(?<=^|${SPACE})"(\\d[.,\\d]*)"`, 'g'), `${DOUBLE.open}$1${DOUBLE.close}`],
  [new RegExp(`(?<=^|[([{\\-]|&lt;|${SPACE})"(?!${SPACE})`, 'g'), DOUBLE.open],
];

const NOT_AFTER_DIGIT = /(?<!\d)<c>/g;
const AFTER_DIGIT = /(?<=\d)<c>/g;

/** Converts single quotes, apostrophes and feet in a text without tags. */
export function setSingleQuotes(text: string): string {
  return setEnds(apply(text, SINGLE_RULES), SINGLE)
    .replaceAll(APOSTROPHE, '&#8217;')
    .replaceAll(SINGLE.open, '&#8216;');
}

/** Converts double quotes and inches in a text without tags. Must follow `setSingleQuotes`. */
export function setDoubleQuotes(text: string): string {
  return setEnds(apply(text, DOUBLE_RULES), DOUBLE).replaceAll(DOUBLE.open, '&#8220;');
}

function apply(text: string, rules: readonly [RegExp, string][]): string {
  let set = text;
  for (const [pattern, replacement] of rules) set = set.replace(pattern, replacement);
  return set;
}

function setEnds(text: string, marks: Marks): string {
  const parts = text.split(marks.open).map((part, i) => {
    if (!part.includes(marks.mark)) return part;
    const quoted = i > 0 && !part.includes(marks.close);
    const set = quoted
      ? setQuotation(part, marks)
      : part.replace(marks.afterDigit, marks.prime).replace(marks.ending, marks.close);
    return marks === DOUBLE ? set.replaceAll(marks.mark, marks.close) : set;
  });
  return parts.join(marks.open);
}

function setQuotation(text: string, { ending, afterDigit, prime, close }: Marks): string {
  const candidates = text.match(ending)?.length ?? 0;
  if (candidates === 0) return text.replace(afterDigit, prime);
  const marked = text.replace(ending, CANDIDATE);
  if (candidates === 1) return marked.replaceAll(CANDIDATE, close).replace(afterDigit, prime);
  let set = marked.replace(NOT_AFTER_DIGIT, close);
  if (set === marked) set = closeLast(marked, close);
  return set.replace(afterDigit, prime).replace(AFTER_DIGIT, prime).replaceAll(CANDIDATE, close);
}

function closeLast(text: string, close: string): string {
  const beforeStop = text.lastIndexOf(`${CANDIDATE}.`);
  const at = beforeStop >= 0 ? beforeStop : text.lastIndexOf(CANDIDATE);
  return text.slice(0, at) + close + text.slice(at + CANDIDATE.length);
}
