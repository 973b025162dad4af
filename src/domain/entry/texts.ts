/** The texts of an entry that revisions keep. */
export const textNames = ['title', 'content', 'excerpt', 'footnotes'] as const;
export type TextName = (typeof textNames)[number];
export type RevisionTexts = { readonly [Name in TextName]: string };

/** Texts of which some may be missing: those that an event carries. */
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

/** Whether texts differ in nothing but white space, as far as that is ignored (interface behaviour, section 19). */
export function alikeTexts(a: RevisionTexts, b: RevisionTexts, names: readonly TextName[] = textNames): boolean {
  return names.every((name) => a[name] === b[name] || normalise(a[name]) === normalise(b[name]));
}

function normalise(text: string): string {
  return text
    .trim()
    .replaceAll('\r', '\n')
    .replace(/\n+/g, '\n')
    .replace(/[ \t]+/g, ' ');
}
