import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eraseEntry, eraseMedia } from '#commands/erasure.ts';
import type { StoredEvent } from '#eventstore/port.ts';
import { textsOf } from '../../../src/node/erasure/coverage.ts';
import { manyActs } from '../../support/acts.ts';
import { live } from '../../support/live.ts';
import { admin, dump } from '../../support/node.ts';

const isItem = ({ type }: StoredEvent) => type === 'EntryCreated' || type === 'MediaUploaded';

describe('erasing an entry or media item, whatever has happened', () => {
  it('empties all of its texts, changes no other event, and gives the same rows when all is made anew', async () => {
    await fc.assert(
      fc.asyncProperty(manyActs, fc.nat(100), async (sequence, which) => {
        const { node, directory } = await live(sequence);
        const items = [...node.log.read()].filter(isItem);
        const { stream = 'entry-0' } = items[which % Math.max(1, items.length)] ?? {};
        const [area, id] = stream.split('-');
        const order = area === 'media' ? eraseMedia : eraseEntry;
        await node.store.submit(admin, (session) => order(session, Number(id)));
        const events = [...node.log.read()];
        const { media_hashes: _, media_addresses: __, ...rows } = dump(directory);

        await node.log.erase(await textsOf([{ stream, position: node.log.head().position, id: '' }], node.log));
        const emptied = events.map((event) => (event.stream === stream ? { ...event, sealed: null } : event));
        expect([...node.log.read()]).toEqual(emptied);
        await node.rebuild();
        expect(dump(directory)).toMatchObject(rows);
        await node.close();
      }),
      { numRuns: 15 },
    );
  });
});
