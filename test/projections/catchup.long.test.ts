import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEntry, saveEntry } from '#commands/entries.ts';
import type { Session } from '#commands/session.ts';
import { post } from '#domain/entry/kinds.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { noChanges } from '#projections/kernel/changes.ts';
import { toRecorded } from '#projections/kernel/events-until.ts';
import { catchUp } from '#projections/projector/catchup.ts';
import { openProjections } from '#projections/projector/database.ts';
import { Projector } from '#projections/projector/projector.ts';
import { acts, perform } from '../support/acts.ts';
import { siteOfPosts } from '../support/long-log.ts';
import { admin, dump, openTestNode } from '../support/node.ts';
import { temporaryDirectory } from '../support/temporary.ts';

describe('catching up in slices', () => {
  it('ends each slice with a whole commit, and gives the rows of a single pass', async () => {
    await fc.assert(
      fc.asyncProperty(acts, fc.integer({ min: 1, max: 7 }), async (sequence, slice) => {
        const { node, directory } = await openTestNode();
        for (const act of sequence) {
          await node.store.submit(admin, (session) => {
            session.attempt(() => {
              const value = perform(session, act);
              return isRefusal(value) ? value : null;
            });
          });
        }
        const ends = new Set([...node.log.read()].flatMap(({ position, hash }) => (hash === null ? [] : position)));
        const elsewhere = temporaryDirectory();
        const db = openProjections(join(elsewhere, 'projections.db'));
        const projector = new Projector(db);
        const head = node.log.head().position;
        while (projector.checkpoint.position < head) {
          const to = projector.checkpoint.position + slice;
          catchUp({ log: node.log, db, projector, max: slice });
          expect(projector.checkpoint.position).toBeGreaterThanOrEqual(Math.min(to, head));
          expect(ends).toContain(projector.checkpoint.position);
        }
        db.close();
        await node.close();
        expect(dump(elsewhere)).toEqual(dump(directory));
      }),
      { numRuns: 15 },
    );
  });
});

describe('a long replay', () => {
  it('gives the same rows and indexes as many short ones', async () => {
    const { node, directory } = await openTestNode(await siteOfPosts(1600));
    for (let i = 0; i < 12; i++) {
      await node.store.submit(admin, (session) => {
        createEntry(session, post, { title: `Post ${i}`, content: 'Text', status: 'publish' });
        for (let id = 1; id <= 40; id++) saveEntry(session, id, { content: `Text ${i} of ${id}` });
      });
    }
    expect(node.log.head().position).toBeGreaterThan(2000);
    await node.close();
    const before = [dump(directory), schema(directory)];
    for (const suffix of ['', '-wal', '-shm']) rmSync(join(directory, `projections.db${suffix}`), { force: true });
    const again = await openTestNode(directory);
    await again.node.close();
    expect([dump(directory), schema(directory)]).toEqual(before);
  });
});

describe('an interrupted long replay', () => {
  it('resumes where it was, and gives the rows and indexes of a single pass', async () => {
    const { node, directory } = await openTestNode();
    for (let i = 0; i < 60; i++) {
      await node.store.submit(admin, (session) => {
        for (let j = 0; j < 80; j++)
          createEntry(session, post, { title: `Post ${i} ${j}`, content: 'Text', status: 'publish' });
        for (let id = 1; id <= 20; id++) saveEntry(session, id, { content: `Text ${i} of ${id}` });
      });
    }
    const elsewhere = temporaryDirectory();
    const path = join(elsewhere, 'projections.db');
    const reached: number[] = [];
    for (let cuts = 0; cuts < 3; cuts++) {
      const db = openProjections(path);
      const projector = new Projector(db);
      reached.push(projector.checkpoint.position);
      const onProgress = (position: number) => {
        if (position > (reached.at(-1) ?? 0)) throw new Error('cut off');
      };
      expect(() => catchUp({ log: node.log, db, projector, keepEvery: 0, onProgress })).toThrow('cut off');
      db.close();
    }
    expect(reached).toEqual([0, ...[...reached.slice(1)].sort((a, b) => a - b)]);
    expect(reached[1]).toBeGreaterThan(0);
    expect(reached[2]).toBeGreaterThan(reached[1] ?? 0);
    const db = openProjections(path);
    catchUp({ log: node.log, db, projector: new Projector(db), keepEvery: 0 });
    db.close();
    await node.close();
    expect([dump(elsewhere), schema(elsewhere)]).toEqual([dump(directory), schema(directory)]);
  });
});

describe('the rows that a replay buffers', () => {
  it('take no more memory when the same entries occur again', async () => {
    const { node } = await openTestNode();
    const [entries, length] = [20, 10_000];
    const content = 'x'.repeat(length);
    const saveAll = (save: (session: Session, id: number) => void) =>
      node.store.submit(admin, (session) => {
        for (let id = 1; id <= entries; id++) save(session, id);
      });
    await saveAll((session) => createEntry(session, post, { title: 'A', content, status: 'publish' }));
    const created = node.log.head().position;
    await saveAll((session, id) => saveEntry(session, id, { commentStatus: 'closed' }));
    const [first, again] = [{ to: created }, { from: created + 1 }].map((part) => [...node.log.read(part)]);
    await node.close();
    const db = openProjections(join(temporaryDirectory(), 'projections.db'));
    const projector = new Projector(db);
    for (const part of [first, again]) {
      projector.apply((part ?? []).map(toRecorded), noChanges());
      expect(projector.heldBytes).toBeGreaterThan(entries * length);
      expect(projector.heldBytes).toBeLessThan(2 * entries * length);
      projector.flush(false);
      expect(projector.heldBytes).toBe(0);
    }
    db.close();
  });
});

/** Tables and indexes of the projections. */
function schema(directory: string): unknown[] {
  const db = new DatabaseSync(join(directory, 'projections.db'), { readOnly: true });
  const found = db.prepare('SELECT type, name, tbl_name FROM sqlite_schema ORDER BY name').all();
  db.close();
  return found;
}
