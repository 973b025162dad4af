import { describe, expect, it } from 'vitest';
import { loadAll, loadFor } from '#ops/verb-files.ts';
import { verbs } from '#ops/verbs.ts';

const names = (given: readonly { readonly name: string }[]) => given.map(({ name }) => name);

describe('loading commands', () => {
  it('finds each command by its name, whatever follows', async () => {
    for (const name of names(verbs)) expect(names(await loadFor([...name.split(' '), '--help']))).toContain(name);
  });

  it('loads only the file of the command', async () => {
    expect(names(await loadFor(['user', 'add', 'ada']))).toEqual([
      'user add',
      'user list',
      'user password',
      'user passwords',
      'user revoke',
      'user disable',
      'user enable',
      'user role',
      'user until',
    ]);
    expect(names(await loadFor(['verify']))).toEqual(['verify']);
    expect(names(await loadFor(['help', 'verify']))).toEqual(['verify']);
    expect(await loadFor(['--version'])).toEqual([]);
  });

  it.each([[[]], [['--help']], [['user', '--help']], [['constructor']], [['user', 'remove', 'ada']]])(
    'loads all of them for help and for an unknown command: %j',
    async (argv) => {
      expect(await loadFor(argv)).toEqual(await loadAll());
    },
  );
});
