/** The texts of an entry that revisions keep. */
export const textNames = ['title', 'content', 'excerpt', 'footnotes'] as const;
export type TextName = (typeof textNames)[number];
export type RevisionTexts = { readonly [Name in TextName]: string };

/** The texts that an event contains; others are absent. */
export type SomeTexts = Partial<RevisionTexts>;

export function someTextsOf(from: SomeTexts): SomeTexts {
  return Object.fromEntries(textNames.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}

export function changedTexts(before: RevisionTexts, after: RevisionTexts): SomeTexts {
  return someTextsOf(
    Object.fromEntries(textNames.flatMap((name) => (before[name] === after[name] ? [] : [[name, after[name]]]))),
  );
}

export function textsOf({ title, content, excerpt, footnotes }: RevisionTexts): RevisionTexts {
  return { title, content, excerpt, footnotes };
}

export function sameTexts(a: RevisionTexts, b: RevisionTexts): boolean {
  return textNames.every((name) => a[name] === b[name]);
}

/** Whether texts differ only in white space that is ignored (interface behaviour, section 19). */
export function alikeTexts(a: RevisionTexts, b: RevisionTexts, names: readonly TextName[] = textNames): boolean {
  return names.every((name) => a[name] === b[name] || isAlike(a[name].trim(), b[name].trim()));
}

const [NEWLINE, BLANK] = [0x0a, 0x20];
/** Length in code units of the slices that are compared natively. */
const STRETCH = 1 << 16;

/** Compares texts with runs of line breaks, and runs of blanks, counted as one. Copies nothing, since texts may be long. */
function isAlike(a: string, b: string): boolean {
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const same = sameFrom(a, i, { b, j });
    i += same;
    j += same;
    // Steps back to the start of a run of white space that may continue beyond the stretch.
    for (let k = same; k > 1 && isSpace(a, i - 1); k--) {
      i -= 1;
      j -= 1;
    }
    for (const until = i + STRETCH; i < until && i < a.length && j < b.length; ) {
      const unit = unitAt(a, i);
      if (unit !== unitAt(b, j)) return false;
      i = behind(a, i, unit);
      j = behind(b, j, unit);
    }
  }
  return i === a.length && j === b.length;
}

/** Length of the equal beginning of two texts from these offsets, in whole stretches. */
function sameFrom(a: string, i: number, { b, j }: { readonly b: string; readonly j: number }): number {
  let same = 0;
  const max = Math.min(a.length - i, b.length - j) - STRETCH;
  while (same <= max && a.slice(i + same, i + same + STRETCH) === b.slice(j + same, j + same + STRETCH))
    same += STRETCH;
  return same;
}

function isSpace(text: string, at: number): boolean {
  const unit = unitAt(text, at);
  return unit === NEWLINE || unit === BLANK;
}

function unitAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit === 0x0d) return NEWLINE;
  return unit === 0x09 ? BLANK : unit;
}

/** Offset after a unit, or after the whole run of line breaks or blanks that it starts. */
function behind(text: string, from: number, unit: number): number {
  let at = from + 1;
  if (unit === NEWLINE || unit === BLANK) while (at < text.length && unitAt(text, at) === unit) at += 1;
  return at;
}
