import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifyChain } from '#eventstore/chain.ts';
import { openSqliteStore } from '#eventstore/sqlite/store.ts';
import { startChild } from '../support/child.ts';
import { commit } from '../support/commits.ts';
import { eventually } from '../support/patience.ts';
import { appendAtHead } from '../support/store-fixture.ts';
import { temporaryDirectory } from '../support/temporary.ts';

describe('kill -9 during appends', () => {
  it('loses no acknowledged commit and leaves no partial one, time after time', async () => {
    const path = join(temporaryDirectory(), 'log.db');
    const acknowledged: string[] = [];
    for (const lines of [20, 150, 400]) {
      const child = startChild('append-load.ts', path);
      await eventually(() => expect(child.lines.length).toBeGreaterThan(lines), { interval: 1 });
      await child.kill();
      expect(existsSync(`${path}-wal`)).toBe(true);
      acknowledged.push(...child.lines);

      const store = openSqliteStore({ path });
      const hashes = new Map(Array.from(store.read(), (event) => [event.position, event.hash]));
      const missing = acknowledged.filter((line) => {
        const [position, hash] = line.split(' ');
        return hashes.get(Number(position)) !== hash;
      });
      expect(missing).toEqual([]);
      expect(verifyChain(store.chain())).toEqual(store.head());
      await appendAtHead(store, commit(['after-the-crash']));
      store.close();
    }
  });
});
