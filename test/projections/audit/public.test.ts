import { describe, expect, it } from 'vitest';
import type { EntryFact } from '#domain/entry/state.ts';
import { publicSpans } from '#projections/audit/public.ts';

const saved = { modified: '2026-03-01T12:00:00', modifiedGmt: '2026-03-01T12:00:00' };
const created = (status: string, password = ''): EntryFact =>
  ({
    type: 'EntryCreated',
    data: { id: 1, kind: 'post', status, slug: 's', author: 3, password, title: 't', content: '', excerpt: '' },
  }) as unknown as EntryFact;
const fact = (type: string, data: object = saved): EntryFact => ({ type, data }) as EntryFact;

/** The spans after commits, most of which have one event. */
const spans = (...commits: readonly (EntryFact | readonly EntryFact[])[]) => {
  const facts = commits.flatMap((one, commit) => [one].flat().map((each) => ({ commit, fact: each as EntryFact })));
  const steps = facts.map((one, i) => ({ position: i + 1, at: '2026-03-01T12:00:00.000Z', actor: 1, ...one }));
  return publicSpans(steps).map(({ from, to }) => [
    from.position,
    from.reason,
    to?.position ?? null,
    to?.reason ?? null,
  ]);
};

describe('the times in which an entry was public', () => {
  it('say that a password may have been erased', () => {
    const when = { at: '2026-03-01T12:00:00.000Z', actor: 1 };
    const steps = [
      { position: 1, commit: 1, fact: created('publish'), isErased: true, ...when },
      { position: 2, commit: 2, fact: fact('EntryDeleted', { id: 1, kind: 'post' }), ...when },
    ];
    expect(publicSpans(steps).map(({ from, to }) => [from.reason, to?.reason])).toEqual([
      ['written and published; its password, if any, was erased', 'deleted for good'],
    ]);
  });

  it.each<readonly [string, readonly (EntryFact | readonly EntryFact[])[], readonly unknown[]]>([
    ['a draft', [created('draft')], []],
    ['published at once', [created('publish')], [[1, 'written and published', null, null]]],
    [
      'released on schedule and trashed',
      [created('future'), fact('EntryReleased', { categories: [] }), fact('EntryTrashed')],
      [[2, 'published, as scheduled', 3, 'moved to the trash']],
    ],
    [
      'made private and published again',
      [created('publish'), fact('EntryMadePrivate'), fact('EntryPublished')],
      [
        [1, 'written and published', 2, 'made private'],
        [3, 'published', null, null],
      ],
    ],
    [
      'behind a password for a while',
      [
        created('publish'),
        fact('EntryPasswordChanged', { password: 'secret', ...saved }),
        fact('EntryPasswordChanged', { password: '', ...saved }),
      ],
      [
        [1, 'written and published', 2, 'password set'],
        [3, 'password removed', null, null],
      ],
    ],
    ['published behind a password', [created('publish', 'secret')], []],
    [
      'made private, which removes its password in the same commit',
      [
        created('publish', 'secret'),
        [fact('EntryPasswordChanged', { password: '', ...saved }), fact('EntryMadePrivate')],
      ],
      [],
    ],
    ['published and trashed in one commit', [created('draft'), [fact('EntryPublished'), fact('EntryTrashed')]], []],
    [
      'lost with its author’s account',
      [created('publish'), fact('UserDeleted', { id: 3, heir: 0 })],
      [[1, 'written and published', 2, 'moved to the trash, as its author’s account was deleted']],
    ],
    [
      'deleted for good',
      [created('publish'), fact('EntryDeleted', { id: 1, kind: 'post' })],
      [[1, 'written and published', 2, 'deleted for good']],
    ],
    [
      'taken out of the trash',
      [created('publish'), fact('EntryTrashed'), fact('EntryPublished'), fact('EntryRestored')],
      [
        [1, 'written and published', 2, 'moved to the trash'],
        [3, 'taken out of the trash', null, null],
      ],
    ],
  ])('%s', (_, facts, expected) => {
    expect(spans(...facts)).toEqual(expected);
  });
});
