import { describe, expect, it } from 'vitest';
import type { EntryEvent } from '#domain/entry/events.ts';
import { page } from '#domain/entry/kinds.ts';
import { created, given, later } from './support.ts';

const texts = { title: 'Hello', content: 'World', excerpt: 'Short', footnotes: '[]' };
const published = () => created({ ...texts, status: 'publish' }).events();
const draft = () => created(texts).events();
const byOther = { actor: 2 };

/** An entry's history, extended by one act. */
const then = (
  history: readonly EntryEvent[],
  act: (before: ReturnType<typeof given>) => { events(): readonly EntryEvent[] },
) => [...history, ...act(given(...history)).events()];
const autosave = (content = 'Unsaved', id = 101) => ({
  id,
  texts: { title: 'Old', content, excerpt: '', footnotes: '' },
});

describe('an autosave of anything but the user’s own draft', () => {
  it('is stored beside the entry, whose fields stay unchanged', () => {
    const before = given(...published());
    const outcome = before.autosaved({ content: 'Unsaved', status: 'draft', slug: 'other', commentStatus: 'closed' });
    expect(outcome.events()).toEqual([
      {
        type: 'EntryAutosaved',
        data: {
          autosave: 101,
          isNew: true,
          date: later.local,
          dateGmt: later.gmt,
          title: '',
          content: 'Unsaved',
          excerpt: '',
          footnotes: '[]',
        },
      },
    ]);
    const { revisions, latestRevision, latestRevisionGmt, ...rest } = outcome.state();
    expect([revisions, latestRevision, latestRevisionGmt]).toEqual([1, 101, later.gmt]);
    expect(rest).toEqual({
      ...before.entry,
      revisions: undefined,
      latestRevision: undefined,
      latestRevisionGmt: undefined,
    });
  });

  it.each([
    ['a published entry, by its author', published(), {}],
    ['a draft, by another user', draft(), byOther],
    ['a pending entry, by its author', created({ ...texts, status: 'pending' }).events(), {}],
    ['a draft, by an anonymous user', created(texts, { actor: 0 }).events(), { actor: 0 }],
    ['a draft in the trash', then(draft(), (before) => before.trashed()), {}],
  ])('is stored for %s', (_, history, more) => {
    expect(
      given(...history)
        .autosaved({ content: 'Unsaved' }, more)
        .types(),
    ).toEqual(['EntryAutosaved']);
  });

  it('replaces the user’s previous autosave, whose texts fill in those not sent', () => {
    const once = then(published(), (before) => before.autosaved({ title: 'Old', content: 'Unsaved' }));
    const outcome = given(...once).autosaved({ title: ' New ' }, { autosave: autosave(), nextId: 102 });
    expect(outcome.events()).toMatchObject([
      { data: { autosave: 101, isNew: false, title: 'New', content: 'Unsaved', excerpt: '', footnotes: '' } },
    ]);
    expect(outcome.state().revisions).toBe(1);
  });

  it('becomes the latest revision when rewritten, unless another one is from the same second', () => {
    const once = then(published(), (before) => before.autosaved({ content: 'Unsaved' }));
    const twice = then(once, (before) => before.saved({ content: 'Saved' }, { nextId: 102 }));
    expect(given(...twice).entry.latestRevision).toBe(102);
    const again = (gmt: string) =>
      given(...twice)
        .autosaved({ content: 'Again' }, { autosave: autosave(), now: { local: gmt, gmt } })
        .state().latestRevision;
    expect([again(later.gmt), again('2026-03-02T11:00:01')]).toEqual([102, 101]);
  });

  it('is not rewritten by texts equal to those of the entry, apart from white space', () => {
    const once = given(...then(published(), (before) => before.autosaved({ content: 'Unsaved' })));
    for (const fields of [
      {},
      { content: 'World' },
      { title: ' Hello', content: ' World\n', excerpt: 'Short', footnotes: '[]' },
    ])
      expect(once.autosaved(fields, { autosave: autosave() }).events()).toEqual([]);
    expect(once.autosaved({ content: 'World', excerpt: 'Long' }, { autosave: autosave() }).types()).toHaveLength(1);
  });

  it('is created even by texts equal to those of the entry', () => {
    expect(
      given(...published())
        .autosaved({})
        .events(),
    ).toMatchObject([{ data: { isNew: true, title: '', content: '' } }]);
  });

  it('is rewritten by its own texts, because its time is visible', () => {
    const once = given(...then(published(), (before) => before.autosaved({ content: 'Unsaved' })));
    expect(once.autosaved({ content: 'Unsaved' }, { autosave: autosave() }).types()).toEqual(['EntryAutosaved']);
  });

  it('is refused for fields that an update would refuse, although it ignores them', () => {
    const before = given(...created({ ...texts, status: 'pending' }, { mayPublish: false }).events());
    before.autosaved({ status: 'publish' }, { mayPublish: false }).refused('rest_cannot_publish');
    before.autosaved({ author: 77 }).refused('rest_invalid_author');
    before.autosaved({ sticky: true, password: 'p' }).refused('rest_invalid_field');
    given(...created({ title: 'x', status: 'publish' }, { kind: page }).events())
      .autosaved({ parent: 500 })
      .refused('rest_post_invalid_id');
  });

  it('may be empty', () => {
    const outcome = given(...published()).autosaved({ title: '', content: '', excerpt: '' });
    expect(outcome.types()).toEqual(['EntryAutosaved']);
  });
});

describe('an autosave of the user’s own draft', () => {
  it('changes the draft like an update, without a revision', () => {
    const outcome = given(...draft()).autosaved({ content: 'Unsaved', slug: 'mine', status: 'publish' });
    expect(outcome.types()).toEqual(['EntryRevised', 'EntryDateChanged', 'EntryPublished', 'EntrySlugChanged']);
    expect(outcome.state()).toMatchObject({ content: 'Unsaved', slug: 'mine', status: 'publish', revisions: 0 });
  });

  it('is a bare save when nothing changes', () => {
    const outcome = given(...draft()).autosaved({ content: 'World' });
    expect(outcome.types()).toEqual(['EntrySaved']);
    expect(outcome.state()).toMatchObject({ modified: later.local, revisions: 0 });
  });

  it('is refused if it would leave the draft empty', () =>
    given(...draft())
      .autosaved({ title: '', content: '', excerpt: '' })
      .refused('empty_content'));

  it('gets its revision with the next save, which compares with the last revision', () => {
    const saved = then(draft(), (before) => before.saved({ content: 'One' }));
    const drifted = given(...then(saved, (before) => before.autosaved({ content: 'Two' }, { nextId: 102 })));
    expect(drifted.saved({}, { nextId: 102 }).types()).toEqual(['EntryRevisionKept']);
    expect(drifted.saved({ content: 'One' }, { nextId: 102 }).events()).toMatchObject([{ data: { revision: null } }]);
    expect(drifted.saved({ content: 'Three' }, { nextId: 102 }).events()).toMatchObject([{ data: { revision: 102 } }]);
    expect(drifted.trashed({ nextId: 102 }).types()[0]).toBe('EntryRevisionKept');
  });
});

describe('the first save of an entry that has only autosaves', () => {
  it('keeps a revision, whatever texts they have', () => {
    const once = given(...then(published(), (before) => before.autosaved({ ...texts, content: 'World' })));
    const outcome = once.saved({ commentStatus: 'closed' }, { nextId: 102 });
    expect(outcome.types()).toEqual(['EntryRevisionKept', 'EntryDetailsChanged']);
    expect(outcome.state()).toMatchObject({ revisions: 2, latestRevision: 102 });
  });
});
