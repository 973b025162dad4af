import { describe, expect, it } from 'vitest';
import { startChild } from '../support/child.ts';
import { openTestNode } from '../support/node.ts';
import { eventually } from '../support/patience.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const published = { kind: 'post', statuses: [{ status: 'publish' }], orderBy: 'id', order: 'asc', offset: 0 } as const;

describe('kill -9 during batches', () => {
  it('leaves each batch whole or absent, and every acknowledged one whole', async () => {
    for (const lines of [1, 10, 60]) {
      const directory = temporaryDirectory();
      const child = startChild('batch-load.ts', directory);
      await eventually(() => expect(child.lines.length).toBeGreaterThanOrEqual(lines), { interval: 1 });
      await child.kill();

      const { node } = await openTestNode(directory);
      const made = new Map<number, number>();
      for (const { type, sealed } of node.log.read()) {
        const number = Number(/"title":"batch (\d+)"/.exec(sealed ?? '')?.[1]);
        if (type === 'EntryCreated') made.set(number, (made.get(number) ?? 0) + 1);
      }
      const sizeOf = (number: number) => 2 + (number % 24);
      expect([...made].filter(([number, count]) => count !== sizeOf(number))).toEqual([]);
      const acknowledged = child.lines.map((line) => Number(line.split(' ')[0]));
      expect(acknowledged.filter((number) => !made.has(number))).toEqual([]);
      // What is shown equals what is in the log.
      const total = [...made.values()].reduce((sum, count) => sum + count, 0);
      expect(node.store.reader.find({ ...published, limit: 1 }).total).toBe(total);
      await node.close();
    }
  });
});
