import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startChild } from '../../support/child.ts';
import { dump, openTestNode } from '../../support/node.ts';
import { eventually } from '../../support/patience.ts';
import { rebuilt } from '../../support/rebuilding.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

describe('kill -9 during a rebuild', () => {
  // During any rebuild but the first, while posts are written.
  it.each(['starting', 'replaying', 'comparing', 'indexing'])(
    'leaves projections that match the log, and the next rebuild succeeds (at %s)',
    async (moment) => {
      const directory = temporaryDirectory();
      const child = startChild('rebuild-load.ts', directory);
      const isMoment = (line: string) =>
        line.startsWith('task ') && line.endsWith(moment) && !line.startsWith('task 1 ');
      const isThere = () => expect(child.lines.some(isMoment)).toBe(true);
      await eventually(isThere, { interval: 1 });
      await child.kill();

      const { node } = await openTestNode(directory);
      const acknowledged = child.lines.filter((line) => line.startsWith('post ')).map((line) => Number(line.slice(5)));
      expect(acknowledged.filter((id) => node.store.reader.entry(id) === undefined)).toEqual([]);
      expect(await rebuilt(node.store.rebuilding)).toMatchObject({ outcome: 'replaced', differences: [] });
      await node.close();
      const before = dump(directory);
      rmSync(join(directory, 'projections.db'));
      const again = await openTestNode(directory);
      await again.node.close();
      expect(dump(directory)).toEqual(before);
    },
  );
});
