import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EMPTY_HEAD, newSalt } from '#eventstore/chain.ts';
import { toPhysical } from '#eventstore/eventstoredb/event.ts';
import { createLedgerIntake } from '#eventstore/eventstoredb/intake.ts';
import { type Head, LogDamaged } from '#eventstore/port.ts';
import { openLogCopy } from '#eventstore/sqlite/store.ts';
import { stage } from '#eventstore/stage.ts';
import { commit } from '../../support/commits.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

/** Events of a ledger that follow a head, with revisions that continue from any number. */
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

it('a copy refuses an event whose revision is not the next of its stream, although the hash chain is valid', async () => {
  const copy = openLogCopy({ path: join(temporaryDirectory(), 'log.db') });
  const intake = createLedgerIntake({
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
