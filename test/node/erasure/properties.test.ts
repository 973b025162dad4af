import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eraseEntry, eraseMedia } from '#commands/erasure.ts';
import type { StoredEvent } from '#eventstore/port.ts';
import { textsToErase } from '../../../src/node/erasure/coverage.ts';
import { manyActs } from '../../support/acts.ts';
import { someOrder } from '../../support/erasure-order.ts';
import { live } from '../../support/live.ts';
import { admin, dump, reopenRebuilt } from '../../support/node.ts';

const isItem = ({ type }: StoredEvent) => type === 'EntryCreated' || type === 'MediaUploaded';
const isCommentOn = (id: number, { stream, data }: StoredEvent) =>
  stream.startsWith('comment-') && JSON.parse(data).post === id;
const commentId = ({ stream }: StoredEvent) => (stream.startsWith('comment-') ? Number(stream.split('-')[1]) : 0);

/** These rows keep their texts until they are rebuilt. */
function without(
  { entry, comments }: { readonly entry: number; readonly comments: ReadonlySet<number> },
  rows: Record<string, unknown[]>,
): Record<string, unknown[]> {
  const others = (table: string) => rows[table]?.filter((row) => !comments.has((row as { id: number }).id)) ?? [];
  const ofOthers = (table: string, key: string) =>
    rows[table]?.filter((row) => (row as Record<string, unknown>)[key] !== entry) ?? [];
  return {
    ...rows,
    comments: others('comments'),
    comments_history: others('comments_history'),
    comment_texts: others('comment_texts'),
    comment_texts_history: others('comment_texts_history'),
    entries_history: ofOthers('entries_history', 'id'),
    revisions_history: ofOthers('revisions_history', 'parent'),
    media_history: ofOthers('media_history', 'id'),
    media_addresses_history: [],
  };
}

/** Of an erased event nobody knows which of its fields it had set. */
function withoutSetters<R extends Record<string, unknown[]>>(streams: ReadonlySet<string>, rows: R): R {
  const isKept = (row: unknown) => !streams.has((row as { stream: string }).stream);
  return { ...rows, setters: rows['setters']?.filter(isKept) ?? [] };
}

describe('erasing an entry or media item after any sequence of acts', () => {
  it('removes its texts and those of its comments, and otherwise changes neither events nor rebuilt rows', async () => {
    await fc.assert(
      fc.asyncProperty(manyActs, fc.nat(100), async (sequence, which) => {
        const { node, directory } = await live(sequence);
        const items = [...node.log.read()].filter(isItem);
        const { stream = 'entry-0' } = items[which % Math.max(1, items.length)] ?? {};
        const [area, id] = stream.split('-');
        const order = area === 'media' ? eraseMedia : eraseEntry;
        await node.store.submit(admin, (session) => order(session, Number(id), someOrder));
        const events = [...node.log.read()];
        const isOf = (event: StoredEvent) => event.stream === stream || isCommentOn(Number(id), event);
        const comments = new Set(events.filter(isOf).map(commentId));
        await node.store.followed();
        const namesIt = ({ type, data }: StoredEvent) =>
          area === 'media' && type === 'MediaDerived' && JSON.parse(data).source === Number(id);
        const streams = new Set(events.flatMap((event) => (isOf(event) || namesIt(event) ? event.stream : [])));
        const dumped = () => withoutSetters(streams, without({ entry: Number(id), comments }, dump(directory)));
        const { media_hashes: _, media_addresses: __, ...rows } = dumped();

        await node.log.erase(
          await textsToErase([{ stream, position: node.log.head().position, id: '' }], {
            log: node.log,
            trail: node.store.trail,
          }),
        );
        const emptied = events.map((event) => (isOf(event) || namesIt(event) ? { ...event, sealed: null } : event));
        expect([...node.log.read()]).toEqual(emptied);
        await node.close();
        const again = await reopenRebuilt(directory);
        // Edited copies no longer name it.
        const { media: _items, ...others } = rows;
        expect(dumped()).toMatchObject(events.some(namesIt) ? others : rows);
        await again.close();
      }),
      { numRuns: 15 },
    );
  });
});
