import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EntryTable } from '#projections/entries/store.ts';
import { EntryWrites } from '#projections/entries/writes.ts';
import { dump, openTestNode } from '../../support/node.ts';
import { found } from '../../support/patience.ts';
import { ended, rebuilt } from '../../support/rebuilding.ts';
import { type Site, startSite } from '../../support/site.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

let site: Site;
let ids: number[] = [];
const rebuilding = () => site.node.store.rebuilding;
const projections = () => join(site.directory, 'projections.db');

beforeEach(async () => {
  site = await startSite();
  ids = [];
  for (let i = 0; i < 20; i++) {
    const fields = { title: `Post ${i}`, content: `A manuscript, number ${i}`, status: 'publish', tags: [] };
    ids.push(await site.make('editor', '/posts', fields));
  }
});

afterEach(() => site.close());

/** Writes rows that follow from no event into the live projections, with correct checksums. */
function plant(change: (db: DatabaseSync) => void): void {
  const db = new DatabaseSync(projections(), { timeout: 60_000 });
  change(db);
  db.close();
}

function wrongTitle(db: DatabaseSync): void {
  const table = new EntryTable(db);
  const row = table.row(ids[3] ?? 0);
  if (row === undefined) throw new Error('there is no such post');
  new EntryWrites(db).save({ ...row, title: 'Planted', titleJson: '"Planted"' });
}
const titles = async () => {
  const { body } = await site.call('anonymous', 'GET /posts?per_page=50&orderby=id&order=asc&_fields=title');
  return (body as { title: { rendered: string } }[]).map(({ title }) => title.rendered);
};

/** Reads and writes until it is stopped. Returns the statuses of the answers. */
async function load(until: () => boolean) {
  const seen: number[] = [];
  const note = ({ status }: { status: number }) => seen.push(status);
  let made = 0;
  const write = async () => {
    while (!until()) {
      const title = `Written meanwhile ${made++}`;
      const created = await site.call('editor', 'POST /posts', { title, content: 'Vellum', status: 'publish' });
      note(created);
      note(await site.call('author', `POST /posts/${created.body.id}`, { content: 'not his' }));
      note(await site.call('editor', `POST /posts/${created.body.id}`, { content: 'Vellum and ink' }));
    }
  };
  const read = async () => {
    while (!until()) {
      note(await site.call('anonymous', `GET /posts/${ids[seen.length % ids.length]}`));
      note(await site.call('anonymous', 'GET /posts?search=manuscript&per_page=3'));
      note(await site.call('editor', 'GET /posts?context=edit&orderby=modified'));
      // Varied so that the answer cache does not serve it.
      note(await site.call('anonymous', `GET /posts?offset=${seen.length % 15}`));
    }
  };
  await Promise.all([write(), write(), read(), read()]);
  return { seen, made };
}

describe('a rebuild', () => {
  it('fails no request, loses no write, and ends with the rows of the log', async () => {
    let over = false;
    const loading = load(() => over);
    const ends = [await rebuilt(rebuilding()), await rebuilt(rebuilding())];
    over = true;
    const { seen, made } = await loading;
    expect(ends.map(({ outcome, differences }) => [outcome, differences])).toEqual([
      ['replaced', []],
      ['replaced', []],
    ]);
    expect(new Set(seen)).toEqual(new Set([200, 201, 403]));
    const found = await site.call('anonymous', 'GET /posts?search=vellum+ink&per_page=1');
    expect(found.headers.get('x-cms-total')).toBe(String(made));

    await site.restart();
    const elsewhere = temporaryDirectory();
    for (const name of ['log.db', 'log.db-wal']) cpSync(join(site.directory, name), join(elsewhere, name));
    const { node } = await openTestNode(elsewhere);
    await node.close();
    expect(dump(site.directory)).toEqual(dump(elsewhere));
  });

  it('reports where the live rows differ, and corrects them, also in cached answers', async () => {
    plant(wrongTitle);
    plant((db) => db.exec("DELETE FROM users WHERE login = 'subscriber'"));
    await site.restart();
    for (let i = 0; i < 3; i++) expect(await titles()).toContain('Planted');
    const { outcome, differences } = await rebuilt(rebuilding());
    expect(outcome).toBe('replaced');
    expect(differences).toEqual([
      { table: 'entries', missing: 0, surplus: 0, changed: 1, examples: [expect.stringMatching(/^\d+$/)] },
      { table: 'users', missing: 1, surplus: 0, changed: 0, examples: ['5'] },
    ]);
    expect(await titles()).toEqual(Array.from({ length: 20 }, (_, i) => `Post ${i}`));
    expect((await site.call('subscriber', 'GET /users/me')).status).toBe(200);
  });

  it('that only checks finds a difference and changes nothing', async () => {
    plant(wrongTitle);
    await site.restart();
    const { outcome, differences } = await rebuilt(rebuilding(), { check: true });
    expect([outcome, differences?.map(({ table }) => table)]).toEqual(['compared', ['entries']]);
    expect(await titles()).toContain('Planted');
    expect(existsSync(join(site.directory, 'rebuild'))).toBe(false);
  });

  it('of only search index and ready answers keeps the rows', async () => {
    plant(wrongTitle);
    await site.restart();
    expect(await rebuilt(rebuilding(), { projections: ['search', 'views'] })).toMatchObject({
      outcome: 'replaced',
      differences: null,
    });
    expect(await titles()).toContain('Planted');
    const { headers } = await site.call('anonymous', 'GET /posts?search=manuscript');
    expect(headers.get('x-cms-total')).toBe('20');
  });

  it('is refused while another one is running', async () => {
    const { run } = rebuilding().state;
    expect(rebuilding().start({ projections: [], check: true })).toMatchObject({ run: run + 1 });
    expect(rebuilding().start({ projections: [], check: true })).toMatchObject({ code: 'rebuild_under_way' });
    expect((await ended(rebuilding())).outcome).toBe('compared');
  });

  it('that is stopped leaves the live projections, and the next one succeeds', async () => {
    for (const task of ['starting', 'replaying', 'comparing', 'indexing']) {
      rebuilding().start({ projections: [], check: false });
      await found(() => [task, undefined].includes(rebuilding().state.task?.name), { interval: 1 });
      await rebuilding().stop();
      expect(rebuilding().state.task).toBeNull();
      expect(await titles()).toHaveLength(20);
    }
    await site.make('editor', '/posts', { title: 'After', status: 'publish' });
    expect(await rebuilt(rebuilding())).toMatchObject({ outcome: 'replaced', differences: [] });
    expect(await titles()).toHaveLength(21);
  });

  it('ends with the server, without delaying its stop', async () => {
    rebuilding().start({ projections: [], check: false });
    await site.restart();
    expect(rebuilding().state).toEqual({ run: 0, task: null, startedAt: null, ended: null });
    expect(await titles()).toHaveLength(20);
  });

  it('that fails reports why and leaves the live projections', async () => {
    // A folder where the new file should be.
    mkdirSync(join(site.directory, 'rebuild', 'projections.db'), { recursive: true });
    const { outcome, fault } = await rebuilt(rebuilding());
    expect([outcome, fault]).toEqual(['failed', expect.stringContaining('is a directory')]);
    expect(await titles()).toHaveLength(20);
  });

  it('leaves a reader obtained before usable', async () => {
    const { reader } = site.node.store;
    await rebuilt(rebuilding());
    const id = await site.make('editor', '/posts', { title: 'Later', status: 'publish' });
    expect(reader.entry(id)?.title).toBe('Later');
    expect(reader.position).toBe(site.position());
  });
});
