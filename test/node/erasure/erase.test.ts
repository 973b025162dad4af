import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ordered } from '../../support/erasure-order.ts';
import { dump } from '../../support/node.ts';
import { carryOut } from '../../support/place.ts';
import { rebuilt } from '../../support/rebuilding.ts';
import { type Site, startSite } from '../../support/site.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { filesWith, typed } from './support.ts';

/** Occurs in everything that is to be erased, and nowhere else. */
const SECRET = 'Quetzalcoatlus';
const long = `<p>${SECRET} ${'and what else there is to say of it '.repeat(900)}</p>`;

let site: Site;
let entry = 0;
let other = 0;
let early = 0;
let before = 0;
let untouched: Record<string, unknown[]>;
let revision = 0;
const key = { headers: { 'idempotency-key': 'once' } };

/** Rows of tables that have entry ids. */
const rowsOf = (id: number) => {
  const { entries = [], texts = [] } = dump(site.directory);
  return { entries, texts: texts.filter((row) => (row as { id: number }).id === id) };
};

describe('an entry that is erased', () => {
  beforeAll(async () => {
    site = await startSite();
    other = await site.make('editor', '/posts', { title: 'Archaeopteryx', content: 'It stays.', status: 'publish' });
    await site.call('editor', `PUT /posts/${other}`, { content: 'It stays as it is.' });
    const made = await site.call(
      'author',
      'POST /posts',
      { title: SECRET, slug: 'plain', content: `<p>${SECRET}</p>`, excerpt: SECRET, status: 'publish' },
      key,
    );
    entry = made.body.id;
    early = site.position();
    await site.call('author', `PUT /posts/${entry}`, { content: long });
    await site.call('author', `PUT /posts/${entry}`, { password: SECRET });
    await site.call('author', `POST /posts/${entry}/autosaves`, { content: `${SECRET} again` });
    const { body } = await site.call('author', `GET /posts/${entry}/revisions`);
    revision = body[0].id;
    before = site.position();
    await site.call('editor', `GET /posts?search=${SECRET}`);
    const then = await site.call('administrator', `GET /posts/${entry}?as_of=${before}&context=edit`);
    if (!then.text.includes(SECRET)) throw new Error('the past does not show it');
    const far = await site.call('administrator', `GET /posts?as_of=${early}&context=edit`);
    if (!far.text.includes(SECRET)) throw new Error('the far past does not show it');
    while (site.node.work());
    untouched = rowsOf(other);
  });
  afterAll(() => site.close());

  it('is only described, not changed, without confirmation', async () => {
    const outcome = await typed(site.node, 'erase entry', { id: String(entry) });
    expect(outcome).toMatchObject({ kind: 'refused', code: 'erasure_not_confirmed' });
    expect(outcome).toMatchObject({
      message: expect.stringMatching(
        /the post \d+, “Quetzalcoatlus”, for good\.\n {2}goes: .*\d versions of its texts.*\n {2}stays: .*slugs/,
      ),
    });
    expect(site.position()).toBe(before);
    expect(filesWith(site.directory, SECRET)).toEqual(expect.arrayContaining(['log.db-wal', 'projections.db-wal']));
  });

  it('needs an administrator who orders it, and a reason', async () => {
    const args = { id: String(entry), yes: true };
    for (const more of [{}, { as: 'administrator' }, { reason: 'an order' }, { as: 'administrator', reason: ' ' }]) {
      expect(await typed(site.node, 'erase entry', { ...args, ...more })).toMatchObject({ kind: 'usage' });
    }
    for (const [as, code] of [
      ['editor', 'erasure_not_allowed'],
      ['nobody', 'invalid_username'],
    ]) {
      expect(await typed(site.node, 'erase entry', { ...args, as, reason: 'an order' })).toMatchObject({ code });
    }
    expect(site.position()).toBe(before);
  });

  it('has no text left in any file of the data directory', async () => {
    const outcome = await typed(site.node, 'erase entry', { id: String(entry), ...ordered });
    expect(outcome).toEqual({ kind: 'done', value: { erased: `entry-${entry}`, state: 'done' } });
    expect(filesWith(site.directory, SECRET)).toEqual([]);
    expect(site.node.store.rebuilding.state.run).toBe(0);
  });

  it('is erased by an event that names who ordered it, and why', async () => {
    const [last] = site.node.log.read({ stream: `entry-${entry}`, direction: 'backwards', limit: 1 });
    expect(last).toMatchObject({ type: 'EntryErased', actor: 1, sealed: null });
    expect(JSON.parse(last?.data ?? '')).toEqual({ id: entry, by: 1, reason: 'an order' });
    const texts = [...site.node.log.read({ stream: `entry-${entry}` })].map(({ sealed }) => sealed);
    expect(new Set(texts)).toEqual(new Set([null]));
  });

  it('appears in no response about the present or the past', async () => {
    const requests = [
      ...[`/posts/${entry}`, `/posts/${entry}/revisions`, `/posts/${entry}/revisions/${revision}`],
      ...[`/posts/${entry}?as_of=${before}&context=edit`, `/posts?as_of=${early}&context=edit`],
      ...[`/posts?search=Archaeo`, `/changes?since=0`, `/posts/${entry}/autosaves`],
    ];
    for (const path of requests) {
      const { text, status } = await site.call('administrator', `GET ${path}`);
      expect([path, status < 500, text.includes(SECRET)]).toEqual([path, true, false]);
    }
    const then = await site.call('administrator', `GET /posts/${entry}?as_of=${before}&context=edit`);
    expect([then.status, then.body.content.raw, then.body.slug]).toEqual([200, '', 'plain']);
  });

  it('is not created again when its request is repeated, which is answered without its texts', async () => {
    const again = await site.call(
      'author',
      'POST /posts',
      { title: SECRET, slug: 'plain', content: `<p>${SECRET}</p>`, excerpt: SECRET, status: 'publish' },
      key,
    );
    expect([again.status, again.body]).toEqual([201, null]);
    expect((await site.call('anonymous', 'GET /posts')).body).toHaveLength(1);
  });

  it('appears in no export and no audit', async () => {
    const file = join(temporaryDirectory(), 'site.ndjson');
    await carryOut(site.directory, 'export', { file });
    expect(filesWith(join(file, '..'), SECRET)).toEqual([]);
    const audit = await carryOut(site.directory, 'audit', { entry: String(entry), diff: true });
    expect(audit.written).toContain('had its texts erased');
    expect(audit.written).not.toContain(SECRET);
  });

  it('leaves a valid log and matching projections', async () => {
    expect(await carryOut(site.directory, 'verify')).toMatchObject({ kind: 'done' });
    expect(await rebuilt(site.node.store.rebuilding, { check: true })).toMatchObject({ differences: [] });
  });

  it('leaves other entries unchanged', async () => {
    expect((await site.call('anonymous', `GET /posts/${other}`)).body.content.rendered).toContain('It stays as it is.');
    const then = await site.call('administrator', `GET /posts/${other}?as_of=${before}&context=edit`);
    expect(then.body.content.raw).toBe('It stays as it is.');
    expect((await site.call('editor', `GET /posts/${other}/revisions`)).body).toHaveLength(1);
    const { texts } = rowsOf(other);
    expect(texts).toEqual(untouched['texts']);
  });

  it('may be erased again, which appends nothing', async () => {
    const head = site.node.log.head();
    const outcome = await typed(site.node, 'erase entry', { id: String(entry), ...ordered });
    expect(outcome).toMatchObject({ kind: 'done', value: { state: 'done' } });
    expect(site.node.log.head()).toEqual(head);
  });

  it('is refused for an id that never existed', async () => {
    for (const args of [{ id: '999', ...ordered }, { id: '999' }]) {
      expect(await typed(site.node, 'erase entry', args)).toMatchObject({ kind: 'refused', code: 'entry_not_found' });
    }
    expect(await typed(site.node, 'erase entry', { id: 'x', ...ordered })).toMatchObject({ kind: 'usage' });
  });
});
