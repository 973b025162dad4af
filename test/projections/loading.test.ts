import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sortBytes } from '#projections/collection/collate.ts';
import type { CollectionQuery } from '#projections/kernel/collection-query.ts';
import { openReader } from '#projections/projector/database.ts';
import { Live } from '#projections/reading/live.ts';
import { type Act, manyActs } from '../support/acts.ts';
import { live, type TestNode } from '../support/live.ts';
import { openTestNode } from '../support/node.ts';

const statuses = ['publish', 'future', 'draft', 'pending', 'private', 'trash', 'inherit'].map((status) => ({ status }));
const base = { kind: 'post', statuses, orderBy: 'date', order: 'asc', offset: 0, limit: 100 } as const;
const search = { text: 'one', columns: [], exact: false, skipProtected: false };
const kinds = ['post', 'page', 'attachment', 'wp_navigation'];
const queries: readonly CollectionQuery[] = kinds.flatMap((kind) => [
  { ...base, kind },
  { ...base, kind, orderBy: 'title' },
  { ...base, kind, search },
  { ...base, kind, authors: [1] },
  { ...base, kind, parents: [0] },
  { ...base, kind, taxonomies: [{ by: 'term', mode: 'any', terms: [1] }] },
]);

/** Acts, some of them before the indexes are loaded; each later one with the number of steps of loading after it. */
const course = fc.tuple(manyActs, fc.nat(20), fc.array(fc.nat(3), { minLength: 40, maxLength: 40 }));
/** What becomes of the indexes that the first node has saved. */
const fate = fc.constantFrom('kept', 'removed', 'changed');

describe('the indexes for collections and searches', () => {
  it('are saved without anything of entries that have gone', async () => {
    const post = (title: string): Act => ({ do: 'create', kind: 'post', fields: { title, status: 'publish' } });
    const titles = ['Stays', 'Zzyzx Secret', 'Stays as well'];
    const find = ({ node }: TestNode) => void node.store.reader.find(base);
    const { node, directory } = await live([...titles.map(post), { do: 'delete', at: 1 }], find);
    await node.close();
    const saved = readFileSync(join(directory, 'projections.db-lists'));
    const has = (title: string) => saved.includes(Buffer.from(sortBytes(title)));
    expect(titles.map(has)).toEqual([true, false, true]);
  });

  it('are complete, whatever is written while they are loaded', async () => {
    const property = fc.asyncProperty(course, fate, async ([acts, before, steps], saved) => {
      const { node, directory } = await live(acts.slice(0, before));
      node.store.reader.find(base);
      await node.close();
      const path = join(directory, 'projections.db');
      if (saved === 'removed') rmSync(`${path}-lists`);
      if (saved === 'changed') writeFileSync(`${path}-lists`, spoiled(readFileSync(`${path}-lists`)));
      const db = openReader(path);
      const loading = new Live(db, { later: true, step: 2 });
      loading.loadSome();
      expect(existsSync(`${path}-lists`)).toBe(false);
      const again = await openTestNode(directory);
      again.node.store.changed((published) => published && loading.apply(published.changes));
      let step = 0;
      const loadOn = () => {
        for (let i = steps[step++] ?? 0; i > 0; i--) loading.loadSome();
      };
      await live(acts.slice(before), loadOn, again);
      const whole = new Live(db);
      for (const query of queries) expect(loading.find(query)).toEqual(whole.find(query));
      for (const one of [loading, whole]) one.close();
      db.close();
      await again.node.close();
    });
    await fc.assert(property, { numRuns: 20 });
  });

  it('are complete when the log has gone on since they were saved', async () => {
    const property = fc.asyncProperty(course, async ([acts, before]) => {
      const { node, directory } = await live(acts.slice(0, before));
      node.store.reader.find(base);
      await node.close();
      const [path, aside] = [join(directory, 'projections.db'), join(directory, 'aside')];
      const move = (from: string, to: string) => {
        for (const suffix of ['', '-lists', '-search']) {
          rmSync(to + suffix, { recursive: true, force: true });
          if (existsSync(from + suffix)) cpSync(from + suffix, to + suffix, { recursive: true });
        }
        rmSync(`${to}-sum`, { force: true });
      };
      move(path, aside);
      const again = await openTestNode(directory);
      await live(acts.slice(before), undefined, again);
      await again.node.close();
      move(aside, path);
      const behind = await openTestNode(directory);
      const db = openReader(path);
      const whole = new Live(db);
      for (const query of queries) expect(behind.node.store.reader.find(query)).toEqual(whole.find(query));
      expect(existsSync(`${path}-lists`)).toBe(false);
      whole.close();
      db.close();
      await behind.node.close();
    });
    await fc.assert(property, { numRuns: 20 });
  });

  it('are complete in a reader that adopts what the writer saves, whenever it does', async () => {
    const fields = fc.record({ title: fc.constantFrom('One', 'Two'), status: fc.constant('publish' as const) });
    const at = fc.nat(3);
    const change: fc.Arbitrary<Act> = fc.oneof(
      fc.record({ do: fc.constant('create' as const), kind: fc.constant('post'), fields }),
      fc.record({ do: fc.constant('save' as const), at, fields }),
      fc.record({ do: fc.constant('delete' as const), at }),
    );
    const steps = fc.array(fc.tuple(change, fc.boolean(), fc.boolean()), { minLength: 20, maxLength: 40 });
    const property = fc.asyncProperty(fc.array(change, { maxLength: 10 }), steps, async (before, course) => {
      const test = await live(before);
      const { node, directory } = test;
      const path = join(directory, 'projections.db');
      const [db, reading] = [new DatabaseSync(path), openReader(path)];
      const [saving, following] = [new Live(db), new Live(reading, { follows: true })];
      for (const [act, saves, adopts] of course) {
        const end = node.store.changed((published) => {
          if (published === null) return;
          for (const one of [saving, following]) one.apply(published.changes);
          while (saving.indexStep({ compact: true }));
          if (saves) saving.save(db, published.position);
          if (adopts) following.adoptSaved();
        });
        await live([act], undefined, test);
        end();
        const whole = new Live(reading);
        for (const query of queries) expect(following.find(query)).toEqual(whole.find(query));
        whole.close();
      }
      for (const one of [saving, following]) one.close();
      for (const one of [db, reading]) one.close();
      await node.close();
    });
    await fc.assert(property, { numRuns: 20 });
  });
});

function spoiled(bytes: Buffer): Buffer {
  const at = Math.floor(bytes.length / 2);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
}
