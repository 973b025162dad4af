import { describe, expect, it } from 'vitest';
import { noChanges } from '#projections/kernel/changes.ts';
import { CacheVersions } from '#projections/projector/cache-versions.ts';

describe('cache versions', () => {
  it('change for keys that a commit touched, and for keys that no projection names', () => {
    const versions = new CacheVersions();
    versions.note({ ...noChanges(), keys: new Set(['terms']) }, 7);
    versions.note({ ...noChanges(), entries: new Set([3]) }, 9);
    const keys = ['terms', 'users', 'entries', 'entry:3', 'entry:4', '*', 'misspelt'];
    expect(keys.map((key) => versions.of(key))).toEqual([7, 0, 9, 9, 0, 9, 9]);
  });

  it('all change when everything counts as changed', () => {
    const versions = new CacheVersions();
    versions.noteAll(4);
    for (const key of [
      'terms',
      'users',
      'site',
      'plugins',
      'credentials',
      'entries',
      'media',
      'entry:1',
      '*',
      'misspelt',
    ])
      expect(versions.of(key)).toBeGreaterThan(4);
  });
});
