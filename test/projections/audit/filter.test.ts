import { beforeAll, describe, expect, it } from 'vitest';
import { codec } from '#catalogue/events.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { fieldChanges } from '#projections/audit/fields.ts';
import { type AuditFilter, auditQuery } from '#projections/audit/filter.ts';
import type { EntryLookUp } from '#projections/audit/meant.ts';
import { search } from '#projections/audit/search.ts';
import { openMemoryStore } from '../../support/memory/store.ts';

const log = openMemoryStore();
const saved = { modified: '2026-03-01T12:00:00', modifiedGmt: '2026-03-01T12:00:00' };
const texts = { title: 'First words', content: '<p>It began with a <em>whale</em>.</p>', excerpt: '', footnotes: '' };
const settings = {
  commentStatus: 'open',
  pingStatus: 'open',
  format: 'standard',
  template: '',
  menuOrder: 0,
  featuredMedia: 0,
};
const created = {
  ...{
    id: 1,
    kind: 'post',
    status: 'draft',
    slug: '',
    author: 1,
    date: saved.modified,
    dateGmt: null,
    ...saved,
    ...texts,
  },
  ...{ password: '', ...settings, sticky: false, parent: 0, categories: [1], tags: [] },
};

/** Position by position, who did what to the entry 1, or to another thing. */
const given: readonly (readonly [actor: number | null, type: string, data: object, stream?: string])[] = [
  [
    null,
    'SiteConfigured',
    { url: 'http://a.example', name: 'A', description: '', timezone: 'UTC', defaultCategory: 1 },
    'site',
  ],
  [1, 'EntryCreated', created],
  [2, 'EntryRevised', { revision: 2, ...saved, content: '<p>It began with a ship.</p>' }],
  [2, 'EntryAutosaved', { autosave: 3, isNew: true, date: saved.modified, dateGmt: saved.modifiedGmt, ...texts }],
  [1, 'EntryRevised', { revision: null, ...saved, title: 'Last words' }],
  [1, 'EntryRevised', { revision: null, ...saved, title: 'Last words' }],
  [2, 'EntryPublished', saved],
  [2, 'EntrySlugChanged', { slug: 'last-words', ...saved }],
  [1, 'EntryPasswordChanged', { password: 'open sesame', ...saved }],
  [1, 'EntryAuthorChanged', { author: 2, ...saved }],
  [1, 'SiteSettingsChanged', { name: 'B' }, 'site'],
];

beforeAll(async () => {
  const commits = given.map(([actor, type, data, stream = 'entry-1'], i) => ({
    ...{ id: `c-${i}`, at: `2026-03-0${Math.floor(i / 4) + 1}T12:00:00.000Z`, actor },
    ...{ correlationId: `r-${i % 3}`, causationId: null },
    events: [{ stream, ...codec.encode({ type, data } as never) }],
  }));
  await log.append(commits as never, 0);
});

const origins = {
  originOf: () => null,
  from: (text: string) => (text === '192.0.2.1' ? [{ position: 3, correlationId: 'r-2' }] : []),
};
/** Entries 1 and 2 have the slugs first and second, and both have the title Words. */
const entries: EntryLookUp = {
  bySlug: (slug) => ['first', 'second'].flatMap((name, i) => (name === slug ? i + 1 : [])),
  byTitle: (words) => (words === 'Words' ? [1, 2] : []),
  inWords: (id) => `post ${id} “Words”`,
};
const source = { archive: { log, trail: null }, zone: 'UTC', origins, entries };

const found = (filter: AuditFilter) => {
  const query = auditQuery(filter, source);
  if (isRefusal(query)) return query.code;
  return [...search(query, source.archive)].flatMap((event) => event?.position ?? []);
};

describe('a filter of the audit', () => {
  it.each<readonly [AuditFilter, unknown]>([
    [{}, [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]],
    [{ entry: '1', field: 'title' }, [5, 2]],
    [{ field: 'title' }, [5, 2]],
    [{ field: 'content', user: '2' }, [3]],
    [{ field: 'status' }, [7, 2]],
    [{ field: 'slug' }, [8]],
    [{ field: 'password' }, [9]],
    [{ field: 'author' }, [10, 2]],
    [{ field: 'name', stream: 'site' }, [11, 1]],
    [{ text: 'whale' }, [3, 2]],
    [{ text: 'WHALE began' }, [3, 2]],
    [{ text: 'a ship' }, [3]],
    [{ text: 'em' }, []],
    [{ text: 'whale ship' }, []],
    [{ text: 'words', from: '2026-03-02', to: '2026-03-02' }, [5]],
    [{ origin: '192.0.2.1' }, [3]],
    [{ origin: '192.0.2.2' }, []],
    [{ correlation: 'r-0', type: 'EntryAuthorChanged,EntrySlugChanged' }, [10]],
    [{ user: 'system' }, [1]],
    [{ user: '(system)' }, [1]],
    [{ user: 'nobody' }, 'invalid_username'],
    [{ type: 'EntryEaten' }, 'invalid_type'],
    [{ field: 'colour' }, 'invalid_field'],
    [{ from: 'soon' }, 'invalid_period'],
    [{ entry: 'first', field: 'title' }, [5, 2]],
    [{ entry: 'https://site.example/blog/first/?x=1', field: 'title' }, [5, 2]],
    [{ entry: 'third' }, 'invalid_entry'],
    [{ entry: 'Words' }, 'invalid_entry'],
    [{ entry: '1', stream: 'site' }, 'invalid_filter'],
    [{ text: 'x'.repeat(501) }, 'invalid_filter'],
  ])('%o finds %o', (filter, expected) => {
    expect(found(filter)).toEqual(expected);
  });

  it('says which entries a title may mean', () => {
    expect(auditQuery({ entry: 'Words' }, source)).toMatchObject({
      message: '“Words” may be post 1 “Words”, post 2 “Words”. Name its number.',
    });
  });

  it('takes names of fields as clients and as events write them', () => {
    for (const field of ['featured_media', 'featuredMedia', 'featured media']) {
      expect(auditQuery({ field }, source)).toMatchObject({ field: 'featuredMedia' });
    }
  });
});

describe('what an event changed', () => {
  const changes = (position: number) => fieldChanges([...log.read({ from: position, to: position })][0] as never, log);

  it('has the value before and after', () => {
    expect(changes(5)).toEqual([{ name: 'title', before: 'First words', after: 'Last words' }]);
    expect(changes(7)).toEqual([{ name: 'status', before: 'draft', after: 'publish' }]);
    expect(changes(11)).toEqual([{ name: 'name', before: 'A', after: 'B' }]);
    expect(changes(6)).toEqual([]);
    expect(changes(4)).toEqual([]);
  });

  it('never shows a password', () => {
    expect(changes(9)).toEqual([{ name: 'password', before: '', after: 'set' }]);
  });

  it('shows erased texts as erased', async () => {
    const erased = (position: number) => {
      const [event] = [...log.read({ from: position, to: position })];
      return { ...event, sealed: null, sealedDigest: 'd' } as never;
    };
    expect(fieldChanges(erased(5), log, new Set(['title']))).toEqual([
      { name: 'title', before: 'First words', after: null },
    ]);
  });
});
