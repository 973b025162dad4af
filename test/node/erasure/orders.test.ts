import { expect, it } from 'vitest';
import { reporterOf } from '#process/reporter.ts';
import type { TrailTable } from '#projections/audit/trail.ts';
import { createErasing } from '../../../src/node/erasure/erasing.ts';
import { commit, event } from '../../support/commits.ts';
import { openMemoryStore } from '../../support/memory/store.ts';
import { appendAtHead } from '../../support/store-fixture.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

it('an order is found when a rebuild replaces the trail while it is looked for', async () => {
  const log = openMemoryStore();
  await appendAtHead(
    log,
    commit([event('entry-1', { sealed: '{"title":"Hello"}' })]),
    commit([event('entry-1', { type: 'EntryErased', data: '{}' })]),
  );
  const trailWith = (found: readonly number[]) =>
    ({ position: () => 2, find: () => found, typesIn: () => [], correlationsOf: () => [] }) as unknown as TrailTable;
  let trail = trailWith([]);
  const forgotten: number[] = [];
  const erasing = createErasing({
    log,
    acts: () => ({ reader: { position: 2 }, trail, followed: () => undefined }),
    markPath: `${temporaryDirectory()}/erased.json`,
    reporter: reporterOf(),
    forget: async ({ events }) => void forgotten.push(...events.map(({ meta }) => meta.position)),
    forgetOrigins: () => undefined,
    removeFile: async () => undefined,
  });
  const done = erasing.finish();
  trail = trailWith([2]);
  expect(await done).toBe(true);
  expect(forgotten).toEqual([1]);
  await erasing.close();
});
