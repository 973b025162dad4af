import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '#eventstore/port.ts';
import { pageSize, timelinePage } from '#projections/audit/pages.ts';
import { type AuditQuery, search } from '#projections/audit/search.ts';
import { TrailTable, trail as trailProjection } from '#projections/audit/trail.ts';
import { createTables } from '#projections/projector/database.ts';
import { savePosition } from '#projections/projector/followers.ts';
import { openMemoryStore } from '../../support/memory/store.ts';

const streams = ['entry-1', 'entry-2', 'site'];
const types = ['EntrySaved', 'EntryPublished', 'SiteConfigured'];
const actors = [null, 0, 1, 2];
const correlations = ['a', 'b'];

const happening = fc.record({
  stream: fc.constantFrom(...streams),
  type: fc.constantFrom(...types),
  actor: fc.constantFrom(...actors),
  correlationId: fc.constantFrom(...correlations),
});
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

const query: fc.Arbitrary<AuditQuery> = fc.record(
  {
    stream: fc.constantFrom(...streams),
    types: fc.subarray(types, { minLength: 1 }),
    actor: fc.constantFrom(...actors),
    correlationId: fc.constantFrom(...correlations),
    low: fc.nat(60),
    high: fc.nat(60),
    direction: fc.constantFrom('forwards' as const, 'backwards' as const),
  },
  { requiredKeys: [] },
);

/** A log of these events, and a trail that contains only the first ones. */
async function archiveOf(happenings: readonly Happening[], told: number) {
  const log = openMemoryStore();
  const at = '2026-03-01T00:00:00.000Z';
  const commits = happenings.map(({ stream, type, actor, correlationId }, i) => ({
    ...{ id: `commit-${i}`, at, actor, correlationId, causationId: null },
    events: [{ stream, type, v: 1, data: '{}', sealed: null }],
  }));
  await log.append(commits, 0);
  const db = new DatabaseSync(':memory:');
  createTables(db);
  const trail = new TrailTable(db);
  const known = Math.min(told, happenings.length);
  for (const event of log.read({ to: known }))
    trail.note({ type: event.type, data: {} }, { ...event, since: event.position });
  savePosition(db, trailProjection, known);
  return { log, trail };
}

function fits(event: StoredEvent, { stream, types, actor, correlationId, low = 1, high = 1000 }: AuditQuery): boolean {
  return (
    (stream === undefined || event.stream === stream) &&
    (types === undefined || types.includes(event.type)) &&
    (actor === undefined || event.actor === actor) &&
    (correlationId === undefined || event.correlationId === correlationId) &&
    event.position >= low &&
    event.position <= high
  );
}

const positions = (events: readonly StoredEvent[]) => events.map(({ position }) => position);
const pause = async () => undefined;

describe('searching the log', () => {
  it('finds exactly the matching events, in order, however far behind the projections are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 60 }), fc.nat(60), query, async (happenings, told, asked) => {
        const archive = await archiveOf(happenings, told);
        const expected = [...archive.log.read()].filter((event) => fits(event, asked));
        if (asked.direction !== 'forwards') expected.reverse();
        for (const trail of [archive.trail, null]) {
          const found = [...search(asked, { log: archive.log, trail })].filter((event) => event !== null);
          expect(positions(found)).toEqual(positions(expected));
        }
      }),
    );
  });

  it('shows each event on one page, in either direction', async () => {
    const happenings = Array.from({ length: pageSize * 2 + 7 }, (_, i) => ({
      ...{ stream: 'entry-1', type: 'EntrySaved', actor: i % 2, correlationId: 'a' },
    }));
    const archive = await archiveOf(happenings, 60);
    const pageOf = (before: number | null, after: number | null) =>
      timelinePage({}, { ...(before ? { before } : {}), ...(after ? { after } : {}) }, { archive, pause });
    const first = await pageOf(null, null);
    const second = await pageOf(first.older, null);
    const third = await pageOf(second.older, null);
    expect([first, second, third].flatMap(({ events }) => positions(events))).toEqual(
      positions([...archive.log.read({ direction: 'backwards' })]),
    );
    expect([first.newer, third.older]).toEqual([null, null]);
    const back = await pageOf(null, third.newer);
    expect(positions(back.events)).toEqual(positions(second.events));
    const backAgain = await pageOf(null, back.newer);
    expect(positions(backAgain.events)).toEqual(positions(first.events));
    expect(backAgain.newer).toBeNull();
  });
});
