import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Commit, EventStore, StoredEvent } from '#eventstore/port.ts';
import { commit, event, time } from '../support/commits.ts';
import { createLogModel, type LogModel, type ModelEvent } from '../support/log-model.ts';
import { type OpenStore, withStore } from '../support/store-fixture.ts';

const streamName = fc.constantFrom('a', 'b', 'c', 'd');

const anyCommit: fc.Arbitrary<Commit> = fc
  .record({
    id: fc.uuid(),
    at: fc.integer({ min: 0, max: 1000 }).map(time),
    actor: fc.option(fc.nat(5)),
    causationId: fc.option(fc.uuid()),
    events: fc.array(
      fc.record({
        stream: streamName,
        data: fc.json(),
        sealed: fc.option(fc.json(), { freq: 2 }),
        v: fc.integer({ min: 1, max: 3 }),
      }),
      { maxLength: 5 },
    ),
    expect: fc.array(fc.record({ stream: streamName, revision: fc.nat(4) }), { maxLength: 1 }),
  })
  .map(({ events, ...given }) =>
    commit(
      events.map(({ stream, ...rest }) => event(stream, rest)),
      given,
    ),
  );

const anyAppend = fc.record({
  commits: fc.uniqueArray(anyCommit, { maxLength: 4, selector: ({ id }) => id }),
  /** How far from the head the caller believes the log to be. */
  behind: fc.constantFrom(0, 0, 0, 0, 1),
});

/** Any sequence of appends against the plainest possible log. */
export function modelContract(open: OpenStore): void {
  describe('any appends', () => {
    it('give the outcomes and the log that a plain list gives', async () => {
      const equal = fc.asyncProperty(fc.array(anyAppend, { maxLength: 12 }), (appends) =>
        withStore(open, async (store) => {
          const model = createLogModel();
          for (const { commits, behind } of appends) {
            const position = model.events.length - behind;
            const { position: reached, stream } = model.append(commits, position);
            const refused = { conflict: true, position: reached, stream };
            expect(await store.append(commits, position)).toMatchObject(
              stream === undefined ? { position: reached } : refused,
            );
          }
          expectSameLog(store, model);
        }),
      );
      await fc.assert(equal, { numRuns: 60 });
    });
  });
}

function expectSameLog(store: EventStore, model: LogModel): void {
  expect(Array.from(store.read(), asModel)).toEqual(model.events);
  for (const stream of ['a', 'b', 'c', 'd', 'e']) {
    const events = model.events.filter((e) => e.stream === stream);
    expect(Array.from(store.read({ stream }), asModel)).toEqual(events);
    expect(store.streamHead(stream)).toBe(events.length);
  }
}

function asModel({ id: _, sealedDigest: __, hash: ___, ...event }: StoredEvent): ModelEvent {
  return event;
}
