import { describe, expect, it } from 'vitest';
import { keysUpTo, latestKey, successionText } from '#node/tree/succession.ts';
import { BadNote, newSigner, signNote, encodeVerifier as vkey } from '#tlog/note.ts';

describe('a key that follows another', () => {
  const keys = [newSigner('log.example'), newSigner('log.example'), newSigner('log.example')] as const;
  const notes = [
    signNote(successionText(keys[0], [vkey(keys[1])]), [keys[0]]),
    signNote(successionText(keys[1], [vkey(keys[2])]), [keys[1]]),
  ];
  const key = newSigner('log.example');
  const ids = (found: readonly { readonly id: number }[]) => found.map(({ id }) => id);

  it('is found from the first, and leads back to it', () => {
    for (const one of keys) expect(latestKey(one, notes).id).toBe(keys[2].id);
    expect(ids(keysUpTo(keys[2], notes))).toEqual(ids(keys));
    expect(ids(keysUpTo(keys[1], notes))).toEqual(ids(keys.slice(0, 2)));
    expect(ids(keysUpTo(key, notes))).toEqual([key.id]);
  });

  it('is the one that the old key named last, as one before may have been lost', () => {
    const lost = signNote(successionText(keys[0], [vkey(key)]), [keys[0]]);
    expect(latestKey(keys[0], [lost, ...notes]).id).toBe(keys[2].id);
    expect(ids(keysUpTo(keys[2], [lost, ...notes]))).toEqual(ids(keys));
  });

  it('is not taken from whoever did not sign', () => {
    const forged = signNote(successionText(keys[0], [vkey(key)]), [key]);
    expect(() => latestKey(keys[0], [forged])).toThrow(BadNote);
    expect(() => latestKey(keys[0], [signNote('log.example\n3\nAAAA\n', [keys[0]])])).toThrow(BadNote);
  });
});
