import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entryKinds } from '#domain/entry/kinds.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import type { Viewer } from '#domain/user/roles.ts';
import { entries } from '#projections/entries/definition.ts';
import { canReadEntry } from '#site/rights.ts';
import { type Act, acts, perform } from '../support/acts.ts';
import { type As, type Site, startSite } from '../support/site.ts';
import { listen } from '../support/sse.ts';

/** Effects of one commit on entries that a viewer could read before or can read after it; `gone`: no longer readable. */
interface Seen {
  readonly position: number;
  readonly ids: readonly number[];
  readonly gone: readonly number[];
}

const ids: Readonly<Record<Exclude<As, 'anonymous'>, number>> = {
  administrator: 1,
  editor: 2,
  author: 3,
  contributor: 4,
  subscriber: 5,
};
const viewerOf = (as: As): Viewer => (as === 'anonymous' ? { id: 0, role: null } : { id: ids[as], role: as });

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

function readable(viewer: Viewer): ReadonlySet<number> {
  const { reader } = site.node.store;
  const rows = reader
    .of(entries)
    .facetsAfter(-1, 1000)
    .flatMap(({ id }) => reader.entry(id) ?? []);
  return new Set(rows.filter((row) => canReadEntry(viewer, row)).map(({ id }) => id));
}

/** Entries with a visible event after the position `from`. */
function touched(from: number): ReadonlySet<number> {
  const quiet = ['EntryAutosaved', 'EntryRevisionDeleted'];
  const events = [...site.node.log.read({ from: from + 1 })].filter(
    ({ stream, type }) => stream.startsWith('entry-') && !quiet.includes(type),
  );
  return new Set(events.map(({ stream }) => Number(stream.slice('entry-'.length))));
}

/** Entries that the events of a commit are of, by its position. Others are named because of these. */
const own = new Map<number, ReadonlySet<number>>();

/** Performs one act; derives the expected report of the feed from what is readable before and after it. */
async function expected(act: Act, by: number, viewer: Viewer): Promise<Seen[]> {
  const before = readable(viewer);
  const from = site.position();
  site.clock.now += 700;
  await site.node.store.submit({ viewer: { id: by, role: 'administrator' }, correlationId: 'test' }, (session) => {
    session.attempt(() => {
      const value = perform(session, act);
      return isRefusal(value) ? value : null;
    });
  });
  const after = readable(viewer);
  if (site.position() > from) own.set(site.position(), touched(from));
  const seen = [...touched(from)].filter((id) => before.has(id) || after.has(id));
  const gone = seen.filter((id) => !after.has(id));
  return seen.length === 0 ? [] : [{ position: site.position(), ids: seen, gone }];
}

function seenIn(data: string): Seen | null {
  const { position, changes } = JSON.parse(data) as {
    position: number;
    changes: { resource: string; id: number; what: string }[];
  };
  const entries = changes.filter(
    ({ resource, id }) => entryKinds.some(({ base }) => base === resource) && own.get(position)?.has(id) === true,
  );
  if (entries.length === 0) return null;
  const gone = entries.filter(({ what }) => what === 'removed' || what === 'deleted');
  return { position, ids: entries.map(({ id }) => id), gone: gone.map(({ id }) => id) };
}

/** Follows the feed up to the position `end()`, reconnecting after the given numbers of messages. */
async function followed(as: As, from: number, { cuts, end }: { cuts: readonly number[]; end: () => number }) {
  const authorization = site.authorization(as);
  const got: string[] = [];
  let lastId = String(from);
  for (let i = 0; ; i += 1) {
    const patience = cuts[i] ?? Number.POSITIVE_INFINITY;
    const headers = { 'Last-Event-ID': lastId, ...(authorization === '' ? {} : { authorization }) };
    const listener = await listen({ port: site.port, headers });
    await listener.until(() => listener.messages.length >= patience || Number(listener.lastId) >= end());
    listener.drop();
    got.push(...listener.messages.map(({ data }) => data));
    lastId = listener.lastId;
    if (Number(lastId) >= end()) return got.flatMap((data) => seenIn(data) ?? []);
  }
}

describe('a reader of the feed who reconnects repeatedly', () => {
  it('receives exactly the commits they may see, in order', async () => {
    await fc.assert(
      fc.asyncProperty(
        acts,
        fc.constantFrom<As>('anonymous', ...(Object.keys(ids) as As[])),
        fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 8 }),
        async (sequence, as, cuts) => {
          const from = site.position();
          const end = { position: Number.POSITIVE_INFINITY };
          const reading = followed(as, from, { cuts, end: () => end.position });
          const should: Seen[] = [];
          for (const [i, act] of sequence.entries()) should.push(...(await expected(act, 2 + (i % 3), viewerOf(as))));
          // A change that everybody sees marks the end; one of the two names may belong to a menu.
          await site.node.store.submit({ viewer: null, correlationId: 'test' }, (session) => {
            for (const name of ['Nearly the end', 'The end']) perform(session, { do: 'add term', name });
          });
          end.position = site.position();
          expect(await reading).toEqual(should);
        },
      ),
      { numRuns: 100 },
    );
  });
});
