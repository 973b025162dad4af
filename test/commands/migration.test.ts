import { describe, expect, it } from 'vitest';
import { codec } from '#catalogue/events.ts';
import { createEntry, deleteEntry, saveEntry } from '#commands/entries.ts';
import { beginMigration, importItems, type WantedItem, type WantedUnread } from '#commands/migration.ts';
import { undoCommits } from '#commands/undo/undo.ts';
import type { Comment } from '#domain/comment/state.ts';
import { post } from '#domain/entry/kinds.ts';
import type { Entry } from '#domain/entry/state.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { migrations } from '#domain/migration/area.ts';
import type { Node } from '#node/node.ts';
import { siteRecords } from '#ops/migrate/site-records.ts';
import { filesWith, typed } from '../node/erasure/support.ts';
import { admin, dump, openTestNode, reopenRebuilt } from '../support/node.ts';
import { typeVerb } from '../support/verbs.ts';

const highest = { item: 40, term: 9, user: 9, comment: 9 };
const extra = { item: 2, term: 0, user: 0, comment: 0 };
const about = { source: 'https://old.example', origin: 'old.example', form: 'site', by: 'ada' };
const then = {
  ...{ date: '2019-03-04T10:00:00', dateGmt: '2019-03-04T09:00:00' },
  ...{ modified: '2019-05-06T10:00:00', modifiedGmt: '2019-05-06T08:00:00' },
};

/** A post as it is to be. */
function item(id: number, more: Partial<Entry> = {}, rest: Partial<WantedItem> = {}): WantedItem {
  const state: Partial<Entry> = {
    ...{ id, kind: 'post', status: 'publish', slug: `old-${id}`, author: 1, ...then, title: `Old ${id}` },
    ...{ content: 'Words', excerpt: '', footnotes: '', password: '', commentStatus: 'open', pingStatus: 'open' },
    ...{ format: 'standard', template: '', menuOrder: 0, featuredMedia: 0, emptiedFootnotes: false, sticky: false },
    ...{ parent: 0, categories: [1], tags: [], otherTerms: {}, part: null, trashed: null, ...more },
  };
  return { key: `item ${id}`, area: 'entry', id, digest: 'd', state, ...rest };
}

const revision = (id: number, more = {}) => ({
  ...{ id, isAutosave: false, author: 7, saved: '2019-03-04T11:00:00', savedGmt: '2019-03-04T10:00:00' },
  ...{ title: 'Older', content: 'Before', excerpt: '', footnotes: '', ...more },
});

/** A site with three posts and a revision, for which an import has begun. */
async function begun() {
  const opened = await openTestNode();
  const { node } = opened;
  const write = async <T>(work: Parameters<typeof node.store.submit<T>>[1]) =>
    (await node.store.submit(admin, work)).value;
  for (const title of ['One', 'Two', 'Three']) {
    await write((session) => createEntry(session, post, { title, status: 'publish' }));
  }
  await write((session) => saveEntry(session, 1, { content: 'Kept as revision 4' }));
  const { ids, run } = await write((session) => beginMigration(session, { ...about, highest, extra }));
  const bring = (items: readonly WantedItem[], { overwrites = false, unread = [] as readonly WantedUnread[] } = {}) =>
    write((session) => importItems(session, { items, unread }, { run, overwrites, log: node.log }));
  return { ...opened, write, ids, run, bring };
}

const noted = (node: Node) =>
  [...node.log.read({ stream: migrations.stream })].map((stored) => ({ ...stored, event: codec.decode(stored) }));
const last = (node: Node) => [...node.log.read({ direction: 'backwards', limit: 1 })][0]?.position ?? 0;

describe('an import', () => {
  it('keeps ids up to the highest of its source, and some more, which nothing else gets', async () => {
    const { ids, write, bring } = await begun();
    expect(ids).toMatchObject({ item: { from: 5, to: 43 }, term: { to: 10 }, user: { to: 10 }, comment: { to: 10 } });
    const made = await write((session) => createEntry(session, post, { title: 'Mine' }));
    expect(made).toBe(43);
    expect(await bring([item(30), item(0)])).toMatchObject([
      { id: 30, did: 'made' },
      { id: 44, did: 'made' },
    ]);
    const again = await write((session) => beginMigration(session, { ...about, highest, extra }));
    expect(again).toMatchObject({ run: 2, ids: { item: { from: 45, to: 47 } } });
  });

  it('refuses what has an id of something else, and what is no entry, each alone', async () => {
    const { bring, node } = await begun();
    const bad = item(31, { parent: 999, kind: 'page', status: 'nonsense' as never });
    const results = await bring([item(30), item(4), bad, item(32)]);
    expect(results.map(({ did, code }) => [did, code])).toEqual([
      ['made', undefined],
      ['refused', 'id_taken'],
      ['refused', 'rest_invalid_field'],
      ['made', undefined],
    ]);
    expect([4, 31].map((id) => node.store.reader.entry(id))).toEqual([undefined, undefined]);
  });

  it('notes in each commit what it brought; the commit has its own time, and the items have theirs', async () => {
    const { bring, node, clock } = await begun();
    clock.now = Date.parse('2026-03-05T11:00:00.000Z');
    await bring([item(30, {}, { addresses: ['/2019/old/'], modified: then.modifiedGmt }), item(31)]);
    const [, one] = noted(node);
    expect(one?.event).toEqual({
      type: 'ItemsImported',
      data: {
        run: 1,
        items: [
          { key: 'item 30', area: 'entry', id: 30, digest: 'd', addresses: ['/2019/old/'], modified: then.modifiedGmt },
          { key: 'item 31', area: 'entry', id: 31, digest: 'd' },
        ],
      },
    });
    expect(one?.at).toBe('2026-03-05T11:00:00.000Z');
    expect(node.store.reader.entry(30)).toMatchObject(then);
    const position = last(node);
    expect(await bring([item(30), item(31)])).toMatchObject([{ did: 'same' }, { did: 'same' }]);
    // What is the same now has been read again.
    expect(last(node)).toBe(position + 1);
  });

  it('brings revisions with author and time, and the entry stays as it is', async () => {
    const { bring, node } = await begun();
    await bring([item(30, {}, { revisions: [] })]);
    const {
      revisions: _,
      latestRevision: __,
      latestRevisionGmt: ___,
      since: ____,
      touched: _____,
      ...before
    } = node.store.reader.entry(30)!;
    const autosave = revision(21, { isAutosave: true, author: 8, savedGmt: '2019-03-04T12:00:00' });
    const wanted = item(30, {}, { revisions: [revision(20), autosave], digest: 'e' });
    expect(await bring([wanted])).toMatchObject([{ did: 'changed', revisions: 2 }]);
    expect(node.store.reader.entry(30)).toMatchObject(before);
    const rows = node.store.reader.revisions(30).all();
    expect(rows.map((row) => ({ ...row, ...node.store.reader.revisionTexts(row) }))).toMatchObject([
      { id: 21, isAutosave: true, author: 8, dateGmt: '2019-03-04T12:00:00', content: 'Before' },
      { id: 20, isAutosave: false, author: 7, dateGmt: '2019-03-04T10:00:00', title: 'Older', content: 'Before' },
    ]);
    expect(await bring([wanted])).toMatchObject([{ did: 'same', revisions: 0 }]);
    const newer = revision(21, { isAutosave: true, author: 8, savedGmt: '2019-03-04T13:00:00', content: 'Newer' });
    expect(await bring([item(30, {}, { revisions: [newer] })])).toMatchObject([{ did: 'changed', revisions: 1 }]);
    expect(
      node.store.reader
        .revisions(30)
        .all()
        .map(({ id }) => id),
    ).toEqual([21, 20]);
  });

  it('leaves what somebody has changed or deleted here, unless it is told to overwrite', async () => {
    const { bring, node, write } = await begun();
    await bring([item(30), item(31), item(32)]);
    await write((session) => saveEntry(session, 30, { title: 'Mine' }));
    await write((session) => deleteEntry(session, 31));
    const newer = [30, 31, 32].map((id) => item(id, { title: 'Newer' }, { digest: 'e' }));
    expect((await bring(newer)).map(({ did }) => did)).toEqual(['kept', 'kept', 'changed']);
    expect([30, 31, 32].map((id) => node.store.reader.entry(id)?.title)).toEqual(['Mine', undefined, 'Newer']);
    expect((await bring(newer, { overwrites: true })).map(({ did }) => did)).toEqual(['changed', 'made', 'same']);
    expect([30, 31, 32].map((id) => node.store.reader.entry(id)?.title)).toEqual(['Newer', 'Newer', 'Newer']);
  });

  it('leaves what somebody has written here, also when a later change of theirs was undone', async () => {
    const { bring, node, write } = await begun();
    await bring([item(30)]);
    await write((session) => saveEntry(session, 30, { content: 'Mine' }));
    await write((session) => saveEntry(session, 30, { title: 'Oops' }));
    const positions = [last(node)];
    await write((session) =>
      undoCommits(session, { positions, isDry: false, conflicts: 'refuse' }, { log: node.log, may: () => true }),
    );
    expect(await bring([item(30, { content: 'Newer' }, { digest: 'e' })])).toMatchObject([{ did: 'kept' }]);
    expect([node.store.reader.entry(30)?.title, node.store.reader.texts(30)?.content]).toEqual(['Old 30', 'Mine']);
  });

  it('refuses what has too long a name at the source, and imports the others', async () => {
    const { bring, node } = await begun();
    const addresses = ['/old-31', `/${'x'.repeat(9000)}`];
    const done = await bring([item(30, {}, { key: `term ${'x'.repeat(1100)}` }), item(31, {}, { addresses })]);
    expect(done).toMatchObject([{ did: 'refused', code: 'name_too_long' }, { did: 'made' }]);
    expect(node.store.reader.entry(31)?.title).toBe('Old 31');
  });

  it('does not bring an erased account again, and what it wrote comes', async () => {
    const { bring, node } = await begun();
    const account = (displayName: string): WantedItem => {
      const state = { id: 5, login: 'karla', email: 'karla@old.example', displayName, roles: ['author'] };
      return { key: 'author karla', area: 'user', id: 5, digest: displayName, state };
    };
    await typed(node, 'user add', { login: 'ada', role: 'administrator' });
    expect(await bring([account('Karla')])).toMatchObject([{ did: 'made' }]);
    await typed(node, 'erase user', { login: 'karla', yes: true, as: 'ada', reason: 'asked-for' });
    const done = await bring([account('Karla B.'), item(30, { author: 5 })]);
    expect(done).toMatchObject([{ did: 'kept', code: 'account_gone' }, { did: 'made' }]);
    expect(JSON.stringify(node.store.reader.users())).not.toContain('Karla');
  });

  it('brings again what was undone, with its id', async () => {
    const { bring, node, write } = await begun();
    await bring([item(30), item(31)]);
    const positions = [last(node)];
    const plan = await write((session) =>
      undoCommits(session, { positions, isDry: false, conflicts: 'refuse' }, { log: node.log, may: () => true }),
    );
    expect([isRefusal(plan), node.store.reader.entry(30)]).toEqual([false, undefined]);
    expect(await bring([item(30), item(31)])).toMatchObject([
      { id: 30, did: 'made' },
      { id: 31, did: 'made' },
    ]);
  });

  it('leaves a log that is sound, and read models that follow from it', async () => {
    const { bring, node, directory, write } = await begun();
    await bring([item(30, {}, { revisions: [revision(20), revision(21, { isAutosave: true })] }), item(31)]);
    await bring([item(0, { slug: 'old-30' }), item(31, { title: 'Later' })]);
    await write((session) => saveEntry(session, 30, { content: 'Mine' }));
    const next = node.store.reader.entry(30)?.latestRevision;
    expect(next).toBeGreaterThan(42);
    await node.close();
    const before = dump(directory);
    const rebuilt = await reopenRebuilt(directory);
    const made = await rebuilt.store.submit(admin, (session) => session.next);
    await rebuilt.close();
    expect(dump(directory)).toEqual(before);
    const { node: reopened } = await openTestNode(directory);
    expect((await reopened.store.submit(admin, (session) => session.next)).value).toEqual(made.value);
    await reopened.close();
    expect(await typeVerb(directory, ['verify'])).toMatchObject({ status: 0 });
  });
});

describe('what an import keeps without using it', () => {
  const secret = 'Xylophonist';
  const record = (key: string) => JSON.stringify({ kind: 'item', id: 900, type: 'recipe', title: `${secret} ${key}` });
  const one = (key: string, whose: readonly string[], email = ''): WantedUnread => ({
    key,
    digest: 'd',
    data: record(key),
    whose,
    email,
  });
  const exported = (node: Node) => JSON.stringify([...siteRecords(node.store.reader, node.log, 'plain')]);

  const comment = (id: number, more: Partial<Comment> = {}): WantedItem => {
    const usual = {
      id,
      kind: 'comment',
      post: 30,
      parent: 0,
      author: 0,
      status: 'approved',
      remembered: null,
    } as const;
    const said = { name: 'Reader', email: 'reader@old.example', url: '', ip: '', agent: '', content: 'Words' };
    const state: Comment = { ...usual, resolution: '', date: then.date, dateGmt: then.dateGmt, ...said, ...more };
    const unread = JSON.stringify({ meta: [{ key: '_x', value: secret }] });
    return { key: `comment ${id}`, area: 'comment', id, digest: 'd', state, unread };
  };

  it.each([
    [
      'erase entry',
      { id: '30' },
      (id: number) => [item(id, {}, { unread: JSON.stringify({ meta: [{ key: '_x', value: secret }] }) })],
      [],
    ],
    ['erase entry', { id: '30' }, () => [item(30), comment(9)], []],
    ['erase user', { login: 'bede' }, () => [item(30), comment(9, { author: 11 })], []],
    ['erase comment', { id: '9' }, () => [item(30), comment(9)], []],
    ['erase address', { email: 'reader@old.example' }, () => [item(30), comment(9)], []],
    ['erase user', { login: 'bede' }, () => [], [one('item 900', ['user-11'])]],
    ['erase address', { email: 'reader@old.example' }, () => [], [one('comment 9', [], 'Reader@old.example')]],
  ] as const)('goes with its subject: %s', async (verb, args, items, unread) => {
    const { bring, node, directory } = await begun();
    for (const login of ['ada', 'bede']) await typed(node, 'user add', { login, role: 'administrator' });
    await bring(items(30), { unread });
    expect(exported(node)).toContain(secret);
    const as = { yes: true, as: 'ada', reason: 'asked-for' };
    const ended = await typed(node, verb, { ...args, ...as });
    expect(ended).toMatchObject({ kind: 'done' });
    expect(exported(node)).not.toContain(secret);
    // The source still has it, and has changed it.
    if (/user|address/.test(verb)) {
      await bring(
        items(30).map((again) => ({ ...again, digest: 'e' })),
        { unread },
      );
      expect(exported(node)).not.toContain(secret);
    }
    await node.close();
    expect(filesWith(directory, secret)).toEqual([]);
    const { node: again } = await openTestNode(directory);
    expect(exported(again)).not.toContain(secret);
    expect(noted(again).some(({ event }) => event.type === 'UnreadKept')).toBe(true);
    await again.close();
  });
});
