import { type Refusal, refuse } from '#domain/kernel/refusal.ts';

/** Finds entries as people name them; those that fit best come first. */
export interface EntryLookUp {
  bySlug(slug: string): readonly number[];
  byTitle(words: string): readonly number[];
  /** For people who have to choose: `post 12 “First words”`. */
  inWords(id: number): string;
}

const number = /^\d{1,15}$/;
/** Entries that a refusal names. */
const mostNamed = 5;

/** The entries that a number, a slug, an address or words of a title may mean. */
export function entriesMeant(text: string, { bySlug, byTitle }: EntryLookUp): readonly number[] {
  if (number.test(text)) return [Number(text)];
  const [path = ''] = text.split(/[?#]/);
  const slug = path.split('/').findLast((segment) => segment !== '') ?? text;
  const named = bySlug(slug.toLowerCase());
  return named.length > 0 ? named : byTitle(text);
}

/** The one entry that is meant. */
export function entryMeant(text: string, lookUp: EntryLookUp): number | Refusal {
  const [id, ...others] = entriesMeant(text, lookUp);
  if (id === undefined) return refuse('invalid_entry', nothingMeant(text));
  if (others.length === 0) return id;
  const named = [id, ...others].slice(0, mostNamed).map(lookUp.inWords);
  const more = others.length >= mostNamed ? ', and others' : '';
  return refuse('invalid_entry', `“${text}” may be ${named.join(', ')}${more}. Name its number.`);
}

export function nothingMeant(text: string): string {
  return `No post or page has the title, slug or address “${text}”. What was deleted is found by its number.`;
}
