import { rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kindOf } from '#domain/entry/kinds.ts';
import { newestFirst } from '#domain/entry/revisions.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { entries } from '#projections/entries/definition.ts';
import type { EntryRevisions, RevisionPage, RevisionRow } from '#projections/entries/revisions.ts';
import { toValues } from '#projections/entries/values.ts';
import type { Model } from '#projections/reading/model.ts';
import { acts } from '../support/acts.ts';
import { live } from '../support/live.ts';
import { dump, openTestNode } from '../support/node.ts';

function removeProjections(directory: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(directory, `projections.db${suffix}`), { force: true });
}

/** Everything that responses can show of an entry or a media item. */
function shown(model: Model, id: number): unknown {
  const row = model.entry(id);
  if (row === undefined) return { media: { ...model.media(id), ord: 0 } };
  const revisions = model.revisions(id).all();
  const held = revisions.map((revision) => model.revisionTexts(revision));
  return { values: toValues({ ...row, ord: 0 }), texts: model.texts(id), revisions, held };
}

/** Results of queries for revisions that do not read all of them. */
function pagesOf(of: EntryRevisions, rows: readonly RevisionRow[]): unknown {
  const exclude = rows.slice(1, 2).map(({ id }) => id);
  const orders = (['date', 'id', 'slug'] as const).flatMap((orderBy) => [
    of.page({ orderBy, order: 'asc', exclude: [], offset: 1, limit: 2 }),
    of.page({ orderBy, order: 'desc', exclude, offset: 0, limit: 3 }),
  ]);
  return [orders, of.autosaves(), rows.map((row) => of.before(row))];
}

/** The revisions of an entry as rows in memory, newest first. */
function revisionsIn(rows: readonly RevisionRow[]): EntryRevisions {
  return {
    all: () => rows,
    autosaves: () => rows.filter(({ isAutosave }) => isAutosave),
    before: ({ id }) => rows[rows.findIndex((row) => row.id === id) + 1],
    page({ orderBy, order, exclude, offset, limit }) {
      const left = rows.filter(({ id }) => !exclude.includes(id)).sort(comparisons[orderBy]);
      if (order === 'desc') left.reverse();
      return { rows: left.slice(offset, offset + limit), total: left.length };
    },
  };
}

type Compare = (a: RevisionRow, b: RevisionRow) => number;

const comparisons: Readonly<Record<RevisionPage['orderBy'], Compare>> = {
  date: (a, b) => newestFirst(b, a),
  id: (a, b) => a.id - b.id,
  slug: (a, b) => Number(b.isAutosave) - Number(a.isAutosave) || a.id - b.id,
};

describe('the projections', () => {
  it('are identical to the byte when rebuilt from the log', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (sequence) => {
        const { node, directory } = await live(sequence);
        await node.close();
        const before = dump(directory);
        removeProjections(directory);
        const again = await openTestNode(directory);
        await again.node.close();
        expect(dump(directory)).toEqual(before);
      }),
      { numRuns: 25 },
    );
  });

  it('give the same collections after a restart', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (sequence) => {
        const { node, directory } = await live(sequence);
        const all = (model: Model) =>
          ['post', 'page', 'attachment'].flatMap((kind) =>
            (['date', 'title', 'slug', 'modified', 'author'] as const).map((orderBy) =>
              model.find({
                kind,
                statuses: ['publish', 'draft', 'trash', 'inherit'].map((status) => ({ status })),
                orderBy,
                order: 'asc',
                offset: 0,
                limit: 100,
              }),
            ),
          );
        const before = all(node.store.reader);
        await node.close();
        const again = await openTestNode(directory);
        expect(all(again.node.store.reader)).toEqual(before);
        await again.node.close();
      }),
      { numRuns: 15 },
    );
  });

  it('show every entry as it was at each position', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (sequence) => {
        const history: { position: number; entries: Map<number, unknown> }[] = [];
        const { node } = await live(sequence, (test) => {
          const { reader } = test.node.store;
          const ids = Array.from({ length: 60 }, (_, i) => i + 1);
          history.push({ position: reader.position, entries: new Map(ids.map((id) => [id, shown(reader, id)])) });
        });
        for (const { position, entries } of history) {
          const past = node.store.past.asOf(String(position));
          if (isRefusal(past)) throw new Error(past.message);
          for (const [id, then] of entries) expect(shown(past, id)).toEqual(then);
        }
        await node.close();
      }),
      { numRuns: 15 },
    );
  });

  it('count the published entries of each term and user', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (sequence) => {
        const { node } = await live(sequence);
        const { reader } = node.store;
        const published = reader
          .of(entries)
          .facetsAfter(-1, 1000)
          .filter((row) => row.status === 'publish');
        for (const term of [...reader.terms('category'), ...reader.terms('post_tag')]) {
          expect(term.published).toBe(published.filter((row) => row.terms.includes(term.id)).length);
        }
        const visible = published.filter(({ kind }) => kindOf(kind).type.viewable);
        // The first user writes before their account is added.
        for (const user of reader.users().filter(({ id }) => id > 1)) {
          expect(user.published).toBe(visible.filter(({ author }) => author === user.id).length);
        }
        await node.close();
      }),
      { numRuns: 15 },
    );
  });

  it('count the revisions of each entry, and know the latest one', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (sequence) => {
        const { node } = await live(sequence);
        const { reader } = node.store;
        for (const { id } of reader.of(entries).facetsAfter(-1, 1000)) {
          const revisions = reader.revisions(id).all();
          const row = reader.entry(id);
          expect([row?.revisions, row?.latestRevision]).toEqual([revisions.length, revisions[0]?.id ?? 0]);
          expect(pagesOf(reader.revisions(id), revisions)).toEqual(pagesOf(revisionsIn(revisions), revisions));
        }
        await node.close();
      }),
      { numRuns: 15 },
    );
  });
});
