export interface Run {
  readonly text: string;
  readonly gram: 2 | 3;
  /** In a script without blanks: found by grams alone. */
  readonly dense: boolean;
}

const ideographs = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}`;
const syllables = String.raw`\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}`;
const dense = `${ideographs}${syllables}`;
const letters = String.raw`\p{L}\p{N}\p{M}.`;
const densePart = new RegExp(`[${dense}]`, 'v');
// All of them, and quickly told from others.
const perhapsDense = /[\u00b7\u02ea-\uffff]+/g;
const ideographFirst = new RegExp(`^[${ideographs}]`, 'v');
const runs = new RegExp(
  `[${ideographs}]+|[[${syllables}]--[${ideographs}]]+|[[${letters}]--[${dense}]]+|[^${letters}${dense}]+`,
  'gv',
);

export function hasDensePart(text: string): boolean {
  const perhaps = text.match(perhapsDense);
  return perhaps !== null && densePart.test(perhaps.join(''));
}

export function runsOf(word: string): Run[] {
  return (word.match(runs) ?? []).map((text) => ({
    text,
    gram: ideographFirst.test(text) ? 2 : 3,
    dense: hasDensePart(text),
  }));
}

/** The grams of a run; the run itself when it is no longer than one. */
export function gramsOf({ text, gram }: Run): string[] {
  const characters = Array.from(text);
  if (characters.length <= gram) return [text];
  return Array.from({ length: characters.length - gram + 1 }, (_, i) => characters.slice(i, i + gram).join(''));
}
