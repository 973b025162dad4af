import { describe, expect, it } from 'vitest';
import { loadAll, loadFor } from '#ops/verb-files.ts';
import { verbs } from '#ops/verbs.ts';

const names = (given: readonly { readonly name: string }[]) => given.map(({ name }) => name);

describe('verbs', () => {
  it('are found by what is typed, every one of them, whatever follows its name', async () => {
    for (const name of names(verbs)) expect(names(await loadFor([...name.split(' '), '--help']))).toContain(name);
  });

  it('of other files are not loaded for that', async () => {
    expect(names(await loadFor(['user', 'add', 'ada']))).toEqual([
      'user add',
      'user list',
      'user password',
      'user passwords',
      'user revoke',
      'user disable',
      'user enable',
      'user role',
    ]);
    expect(names(await loadFor(['verify']))).toEqual(['verify']);
  });

  it.each([[[]], [['--help']], [['user', '--help']], [['constructor']], [['user', 'remove', 'ada']]])(
    'are all there for help, and where there is no such verb: %j',
    async (argv) => {
      expect(await loadFor(argv)).toEqual(await loadAll());
    },
  );
});
