import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { fromPlaced, toPhysical } from '#eventstore/eventstoredb/event.ts';
import { createIntake } from '#eventstore/eventstoredb/intake.ts';
import { EMPTY_HEAD, newSalt } from '#eventstore/hash.ts';
import { type Head, LogDamaged } from '#eventstore/port.ts';
import { openLogCopy } from '#eventstore/sqlite.ts';
import { stage } from '#eventstore/stage.ts';
import { commit } from '../../support/commits.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

/** Events as a ledger has them that follow from a head, with revisions that go on from any number. */
function placed(streams: readonly string[], after: Head, revision: number) {
  const log = { head: after, streamHead: () => revision, eventAt: () => undefined, salt: newSalt };
  const staged = stage([commit(streams)], after.position, log);
  if ('conflict' in staged) throw new Error('a conflict');
  const events = staged.events.map((event) => {
    const { id, type, data, metadata } = toPhysical(event, () => ({ id: '', key: Buffer.alloc(32) }));
    return {
      revision: event.position - 1,
      id,
      type,
      data,
      metadata: JSON.parse(Buffer.from(metadata).toString()),
      created: null,
    };
  });
  return { events, head: staged.head };
}

it('a copy takes no event from the ledger whose revision is not the next of its stream, however well it chains', async () => {
  const copy = openLogCopy({ path: join(temporaryDirectory(), 'log.db') });
  const intake = createIntake({
    copy,
    keys: { find: async () => null },
    order: { seen: () => undefined },
    onTaken: () => undefined,
  });
  const first = placed(['a', 'b'], EMPTY_HEAD, 0);
  await intake.take(first.events);
  for (const [stream, revision] of [
    ['a', 0],
    ['a', 2],
    ['c', 1],
  ] as const) {
    await expect(intake.take(placed([stream], first.head, revision).events)).rejects.toThrow(LogDamaged);
  }
  expect(copy.head()).toEqual(first.head);
  await intake.take(placed(['a'], first.head, 1).events);
  expect(copy.streamHead('a')).toBe(2);
  copy.close();
});

it('a copy takes the events of this node from the ledger as well while the disk is still busy with them', async () => {
  const path = join(temporaryDirectory(), 'log.db');
  const written = Promise.withResolvers<void>();
  let busy = Promise.resolve();
  const slow = { sync: () => busy, close: () => undefined };
  const copy = openLogCopy({ path, disks: { wal: slow, file: slow, close: () => undefined } });
  const intake = createIntake({
    copy,
    keys: { find: async () => null },
    order: { seen: () => undefined },
    onTaken: () => undefined,
  });
  const before = placed(['a'], EMPTY_HEAD, 0);
  await intake.take(before.events);
  busy = written.promise;
  const own = placed(['a', 'a'], before.head, 1);
  const events = await Promise.all(own.events.map((event) => fromPlaced(event, { find: async () => null })));
  const first = copy.take({ events, head: own.head });
  await vi.waitFor(() => expect(copy.streamHead('a')).toBe(3));
  expect(copy.head()).toEqual(before.head);
  const again = intake.take(own.events);
  written.resolve();
  await Promise.all([first, again]);
  expect(copy.head()).toEqual(own.head);
  copy.close();
});
