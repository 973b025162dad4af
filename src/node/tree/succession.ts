import { BadNote, encodeVerifier, parseNote, parseVerifier, type VerifierKey, verifiedKeys } from '#tlog/note.ts';

/** How a log replaces its key: the old key signs a note that names the new one. */

const FIRST_LINE = 'palimpsest next key 1';

/** The text of the note: the old key, and the new ones, of which the first is that of Ed25519. */
export function successionText(old: VerifierKey, next: readonly string[]): string {
  return `${[FIRST_LINE, encodeVerifier(old), ...next].join('\n')}\n`;
}

/**
 * The key that follows `key` by these notes, which are in order; `key` itself if none does. The last note that a key has signed counts: the
 * key that an earlier one names may have been lost in a power failure. Throws `BadNote` for a false note.
 */
export function latestKey(key: VerifierKey, notes: readonly string[]): VerifierKey {
  const all = notes.map(successionIn);
  const place = all.findLastIndex(({ old }) => isSame(old, key));
  const found = all[place];
  return found === undefined ? key : latestKey(found.next, notes.slice(place + 1));
}

/** The keys that lead to `key` by these notes, which are in order, and `key` itself. Throws `BadNote` for a false note. */
export function keysUpTo(key: VerifierKey, notes: readonly string[]): readonly VerifierKey[] {
  const found = [key];
  for (const { old, next } of notes.map(successionIn).reverse()) if (isSame(next, found.at(-1))) found.push(old);
  return found.reverse();
}

/** The keys that a note names. Throws `BadNote` for a false one. */
export function successionIn(text: string): { readonly old: VerifierKey; readonly next: VerifierKey } {
  const note = parseNote(text);
  const [first, old = '', next = ''] = note.text.split('\n');
  if (first !== FIRST_LINE) throw new BadNote('this note names no next key');
  const key = parseVerifier(old);
  if (verifiedKeys(note, [key]).length === 0) throw new BadNote('the old key has not signed the next one');
  return { old: key, next: parseVerifier(next) };
}

function isSame(one: VerifierKey, other: VerifierKey | undefined): boolean {
  return other !== undefined && one.name === other.name && Buffer.compare(one.publicKey, other.publicKey) === 0;
}
