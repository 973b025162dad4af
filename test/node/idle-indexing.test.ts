import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import * as entries from '#commands/entries.ts';
import { post } from '#domain/entry/kinds.ts';
import { admin, openTestNode } from '../support/node.ts';

it('texts are not indexed while writes arrive and nobody reads', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { node } = await openTestNode();
  onTestFinished(() => node.close());
  const unindexed = () => node.store.health().unindexed;
  const write = (count: number) => {
    const create = () => node.store.submit(admin, (session) => entries.createEntry(session, post, { title: 'Hello' }));
    return Promise.all(Array.from({ length: count }, create));
  };
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 20) {
      vi.advanceTimersByTime(20);
      await turn();
    }
  };
  node.start();
  const writeOn = async () => {
    for (let k = 0; k < 10; k++) {
      await write(20);
      await pass(60);
    }
  };
  await writeOn();
  expect(unindexed()).toBe(200);
  node.store.asked();
  await writeOn();
  expect(unindexed()).toBeLessThan(200);
});
