import { describe, expect, it } from 'vitest';
import { deleteEntry } from '#domain/entry/decide.ts';
import type { EntryEvent } from '#domain/entry/events.ts';
import { menuItem, page } from '#domain/entry/kinds.ts';
import { concerns, evolveEntry } from '#domain/entry/state.ts';
import { created, given, later, now } from './support.ts';

const draft = () => created({ title: 'Hello', content: 'World' }).events();
const published = () => created({ title: 'Hello', content: 'World', status: 'publish' }).events();

describe('creating an entry', () => {
  it('is one event with all fields', () => {
    const outcome = created({ title: '  Hello ', content: 'World' });
    expect(outcome.types()).toEqual(['EntryCreated']);
    expect(outcome.state()).toMatchObject({
      id: 100,
      title: 'Hello',
      status: 'draft',
      slug: '',
      author: 1,
      categories: [1],
    });
  });

  it('leaves the date of a draft floating and fixes that of a published entry', () => {
    expect(created({ title: 'x' }).state()).toMatchObject({ date: now.local, dateGmt: null });
    expect(created({ title: 'x', status: 'publish' }).state()).toMatchObject({ date: now.local, dateGmt: now.gmt });
  });

  it('uses the given date as the modification date', () => {
    const date = { local: '2019-05-06T07:08:09', gmt: '2019-05-06T05:08:09' };
    expect(created({ title: 'x', date }).state()).toMatchObject({
      dateGmt: date.gmt,
      modified: date.local,
      modifiedGmt: date.gmt,
    });
  });

  it.each([
    ['nothing', {}],
    ['white space only', { title: '  \n' }],
    ['a lone zero', { title: '0', content: '', excerpt: '0' }],
  ])('is refused for %s in a post', (_, fields) => created(fields).refused('empty_content'));

  it('is allowed for an empty page', () => {
    expect(created({}, { kind: page }).state()).toMatchObject({
      kind: 'page',
      commentStatus: 'closed',
      categories: [],
    });
  });

  it('keeps an empty list of categories empty', () => {
    expect(created({ title: 'x', categories: [] }).state().categories).toEqual([]);
  });

  it('needs the right to publish for public, scheduled and private entries', () => {
    for (const status of ['publish', 'future', 'private'] as const)
      created({ title: 'x', status }, { mayPublish: false }).refused('rest_cannot_publish');
    expect(created({ title: 'x', status: 'pending', slug: 'mine' }, { mayPublish: false }).state().slug).toBe('');
  });

  it('is refused for an author who does not exist', () =>
    created({ title: 'x', author: 77 }).refused('rest_invalid_author'));

  it('is refused with stickiness and a password at once', () =>
    created({ title: 'x', sticky: true, password: 'p' }).refused('rest_invalid_field'));

  it('drops the password of a private entry', () => {
    expect(created({ title: 'x', status: 'private', password: 'p' }).state().password).toBe('');
  });

  it('schedules an entry dated a minute or more ahead, and publishes it otherwise', () => {
    const at = (gmt: string) => ({ local: gmt, gmt });
    expect(created({ title: 'x', status: 'publish', date: at('2026-03-01T11:01:00') }).state().status).toBe('future');
    expect(created({ title: 'x', status: 'future', date: at('2026-03-01T11:00:59') }).state().status).toBe('publish');
    expect(created({ title: 'x', status: 'draft', date: at('2036-03-01T11:00:00') }).state().status).toBe('draft');
  });
});

describe('saving an entry', () => {
  it('records only the save when nothing changes', () => {
    const settled = given(
      ...draft(),
      ...given(...draft())
        .saved({})
        .events(),
    );
    expect(settled.saved({}).types()).toEqual(['EntrySaved']);
    expect(settled.saved({ title: 'Hello', status: 'draft' }).types()).toEqual(['EntrySaved']);
  });

  it('keeps the current texts as a revision the first time', () => {
    const outcome = given(...draft()).saved({ commentStatus: 'closed' });
    expect(outcome.types()).toEqual(['EntryRevisionKept', 'EntryDetailsChanged']);
    expect(outcome.state()).toMatchObject({ revisions: 1, latestRevision: 101 });
  });

  it('keeps a revision of changed texts, but not of changed white space', () => {
    const once = given(
      ...draft(),
      ...given(...draft())
        .saved({})
        .events(),
    );
    expect(once.saved({ content: 'Other' }).state().revisions).toBe(2);
    const spaced = once.saved({ content: 'World ' });
    expect(spaced.events()).toMatchObject([{ type: 'EntryRevised', data: { revision: null } }]);
    expect(spaced.state()).toMatchObject({ content: 'World ', revisions: 1 });
  });

  it('updates a floating date, and fixes it on publication', () => {
    expect(
      given(...draft())
        .saved({ content: 'y' })
        .state(),
    ).toMatchObject({ date: later.local, dateGmt: null });
    expect(
      given(...draft())
        .saved({ status: 'publish' })
        .state(),
    ).toMatchObject({ date: later.local, dateGmt: later.gmt });
  });

  it('keeps a floating date floating when it is sent unchanged', () => {
    expect(
      given(...draft())
        .saved({ date: now })
        .state(),
    ).toMatchObject({ date: later.local, dateGmt: null });
  });

  it('makes a draft’s date floating, and a published entry’s date now, when it is null', () => {
    const dated = created({ title: 'x', date: now }).events();
    expect(
      given(...dated)
        .saved({ date: null })
        .state(),
    ).toMatchObject({ date: later.local, dateGmt: null });
    expect(
      given(...published())
        .saved({ date: null })
        .state(),
    ).toMatchObject({ dateGmt: later.gmt });
  });

  it('gives a slug on publication and never changes it with the title', () => {
    const outcome = given(...draft()).saved({ status: 'publish', title: 'New title' });
    expect(outcome.types()).toEqual(['EntryRevised', 'EntryDateChanged', 'EntryPublished', 'EntrySlugChanged']);
    expect(outcome.state().slug).toBe('new-title');
    expect(
      given(...published())
        .saved({ title: 'Other' })
        .state().slug,
    ).toBe('hello');
  });

  it('gives a post without categories the default one', () => {
    const bare = created({ title: 'x', categories: [] }).events();
    expect(
      given(...bare)
        .saved({ title: 'y' })
        .state().categories,
    ).toEqual([1]);
  });

  it('is refused if it would leave a post empty', () =>
    given(...draft())
      .saved({ title: '', content: '' })
      .refused('empty_content'));

  it('moves a page to the top level when its parent would be one of its descendants', () => {
    const nested = created({ title: 'x', parent: 5 }, { kind: page }).events();
    expect(
      given(...nested)
        .saved({ parent: 7 }, { lineage: () => [7, 100, 5] })
        .state().parent,
    ).toBe(0);
  });

  it('is refused for a parent that does not exist', () => {
    created({ title: 'x', parent: 500 }, { kind: page }).refused('rest_post_invalid_id');
  });
});

describe('the trash', () => {
  it('marks the slug and remembers the previous status and slug', () => {
    const outcome = given(...published()).trashed();
    expect(outcome.state()).toMatchObject({
      status: 'trash',
      slug: 'hello__trashed',
      trashed: { status: 'publish', slug: 'hello' },
    });
  });

  it('restores the slug, overriding one given in the same request', () => {
    const binned = [
      ...published(),
      ...given(...published())
        .trashed()
        .events(),
    ];
    const restored = given(...binned).saved({ status: 'publish', slug: 'other' });
    expect(restored.types()).toContain('EntryRestored');
    expect(restored.state()).toMatchObject({ status: 'publish', slug: 'hello', trashed: null });
  });

  it('numbers the restored slug if it was taken meanwhile, except for a draft', () => {
    const binned = [
      ...published(),
      ...given(...published())
        .trashed()
        .events(),
    ];
    const slugTaken = (slug: string) => slug === 'hello';
    expect(
      given(...binned)
        .saved({ status: 'publish' }, { slugTaken })
        .state().slug,
    ).toBe('hello-2');
    expect(
      given(...binned)
        .saved({ status: 'draft' }, { slugTaken })
        .state().slug,
    ).toBe('hello');
  });

  it('keeps the mark of a draft that had no slug', () => {
    const binned = [
      ...draft(),
      ...given(...draft())
        .trashed()
        .events(),
    ];
    expect(given(...binned).entry.slug).toBe('__trashed');
    expect(
      given(...binned)
        .saved({ status: 'draft' })
        .state().slug,
    ).toBe('__trashed');
  });

  it('fixes a floating date and ends stickiness', () => {
    expect(
      given(...draft())
        .trashed()
        .state(),
    ).toMatchObject({ date: later.local, dateGmt: later.gmt });
    expect(
      given(...created({ title: 'x', sticky: true }).events())
        .trashed()
        .state().sticky,
    ).toBe(false);
  });

  it('refuses an entry that is already in it', () => {
    const binned = [
      ...published(),
      ...given(...published())
        .trashed()
        .events(),
    ];
    given(...binned)
      .trashed()
      .refused('rest_already_trashed');
  });
});

describe('deleting an entry', () => {
  const deleted = (more: object): EntryEvent => ({ type: 'EntryDeleted', data: { id: 12, kind: 'page', ...more } });
  const below = () => created({ title: 'Below', parent: 12 }, { kind: page });

  it('names an heir only if the entry has children, and marks files of a private one to stay private', () => {
    const { entry } = given(...created({ title: 'x', parent: 7 }, { kind: page }).events());
    const passed = { id: 100, kind: 'page', heir: 7 };
    expect(deleteEntry(entry, false)).toEqual([{ type: 'EntryDeleted', data: { id: 100, kind: 'page' } }]);
    expect(deleteEntry(entry, true)).toEqual([{ type: 'EntryDeleted', data: passed }]);
    for (const [status, before] of [
      ['private', null],
      ['trash', 'private'],
    ] as const) {
      const hidden = { ...entry, status, trashed: before && { status: before, slug: null } };
      expect(deleteEntry(hidden, true)).toEqual([{ type: 'EntryDeleted', data: { ...passed, inherited: 'private' } }]);
    }
  });

  it('moves child pages to the heir, but not menu items', () => {
    const { entry } = given(...below().events());
    const event = deleted({ heir: 7 }) as Parameters<typeof concerns>[1];
    expect(concerns(entry, event)).toBe(true);
    expect(evolveEntry(entry, [event])).toMatchObject({ parent: 7 });
    const item = { ...entry, kind: menuItem.name };
    expect(concerns(item, event)).toBe(false);
    expect(evolveEntry(item, [event])).toMatchObject({ parent: 12 });
  });

  it('leaves the move to EntryOrphaned events in its first version', () => {
    const { entry } = given(...below().events());
    expect(concerns(entry, deleted({}) as Parameters<typeof concerns>[1])).toBe(false);
    expect(evolveEntry(entry, [{ type: 'EntryOrphaned', data: { parent: 7 } }])).toMatchObject({ parent: 7 });
  });
});
