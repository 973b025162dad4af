import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withSubject } from '#commands/undo/subjects.ts';
import { conflictsOf, undoCommits } from '#commands/undo/undo.ts';
import { fieldsOfComment } from '#domain/comment/restoring.ts';
import { isRefusal, refuse } from '#domain/kernel/refusal.ts';
import { entries } from '#projections/entries/definition.ts';
import type { CollectionQuery } from '#projections/kernel/collection-query.ts';
import { mediaKind } from '#projections/media/store.ts';
import type { Reader } from '#projections/reading/reader.ts';
import { acts, manyActs, perform } from '../../support/acts.ts';
import { admin, dump, openTestNode, reopenRebuilt } from '../../support/node.ts';

type Store = Awaited<ReturnType<typeof openTestNode>>['node']['store'];

const kinds = ['post', 'page', 'wp_block', 'wp_navigation', 'nav_menu_item', mediaKind];
const statuses = ['publish', 'future', 'draft', 'pending', 'private', 'trash', 'inherit'].map((status) => ({ status }));
const every = { statuses, offset: 0, limit: 1000, order: 'asc' } as const;

/** Everything that a reader can see of a site, but for revisions and when items were saved. */
function seen(reader: Reader): unknown {
  const field = (area: 'entry' | 'media' | 'term' | 'user', id: number) =>
    withSubject(area, ({ read, fieldsOf }) => {
      const state = read(reader, id);
      return state && fieldsOf(state);
    });
  const found = (query: Partial<CollectionQuery>) =>
    kinds.map((kind) => reader.find({ ...every, kind, orderBy: 'id', ...query }).ids);
  const ids = found({}).flat();
  const people = reader.comments.find({ ...every, statuses: null, kinds: null, orderBy: 'id', limit: -1 }).ids;
  const search = (text: string) => ({ search: { text, columns: [], exact: false, skipProtected: false } });
  return {
    entries: ids.map((id) => [
      id,
      field('entry', id),
      field('media', id),
      reader.attached(id),
      reader.comments.count(id),
    ]),
    comments: people.map((id) => [id, fieldsOfComment(reader.comments.get(id)!)]),
    terms: (['category', 'post_tag', 'wp_pattern_category', 'nav_menu'] as const).map((name) =>
      reader.terms(name).map(({ id, published }) => [id, published, field('term', id)]),
    ),
    users: reader.users().map(({ id, published }) => [id, published, field('user', id)]),
    site: withSubject('site', ({ read }) => read(reader, 0)),
    published: found({ statuses: [{ status: 'publish' }], orderBy: 'title' }),
    dated: found({ statuses: [{ status: 'publish' }, { status: 'future' }], orderBy: 'date', order: 'desc' }),
    having: [1, 2, 3, 4, 5].map((term) => found({ taxonomies: [{ by: 'term', mode: 'any', terms: [term] }] })),
    searched: ['text', 'one', 'words'].map((text) => found(search(text))),
    below: ids.map((id) => reader.of(entries).below.of(id)),
    slugs: ['own', 'own-2', 'one', 'feed'].map((slug) => reader.named(slug)),
  };
}

type Log = Parameters<typeof undoCommits>[2]['log'];

/** Undoes commits of which none was followed by others. Returns what was in the way of that, or null. */
async function undo(store: Store, log: Log, positions: readonly number[]): Promise<readonly string[] | null> {
  const { value } = await store.submit(admin, (session) => {
    const ask = (isDry: boolean) =>
      undoCommits(session, { positions, isDry, conflicts: 'refuse' }, { log, may: () => true });
    return session.attempt(() => {
      const plan = ask(true);
      const inTheWay = isRefusal(plan) ? [] : conflictsOf(plan).map(({ why }) => why);
      const done = ask(false);
      return isRefusal(done) ? refuse(done.code, '', { inTheWay }) : done;
    });
  });
  if (!isRefusal(value)) return null;
  const { inTheWay = [] } = (value.data ?? {}) as { readonly inTheWay?: readonly string[] };
  return [value.code, ...inTheWay];
}

/** Nothing is in the way but what can never be undone, such as the end of an account, which changes other items. */
function expectFinal(inTheWay: readonly string[] | null): void {
  if (inTheWay?.includes('final')) return;
  expect(inTheWay?.filter((why) => why !== 'rest_nothing_to_undo')).toEqual([]);
}

describe('undo', () => {
  it('gives back what any commit changed, and is undone itself', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (sequence) => {
        const { node, clock, directory } = await openTestNode();
        const { store, log } = node;
        const reader = store.reader as Reader;
        for (const act of sequence) {
          clock.now += 61_000;
          const before = structuredClone(seen(reader));
          const from = log.head().position;
          await store.submit(admin, (session) =>
            session.attempt(() => (isRefusal(perform(session, act)) ? refused : null)),
          );
          if (log.head().position === from) continue;
          const after = structuredClone(seen(reader));
          clock.now += 61_000;
          const refusal = await undo(store, log, [log.head().position]);
          if (refusal !== null) {
            expectFinal(refusal);
            continue;
          }
          expect(structuredClone(seen(reader)), JSON.stringify(act)).toEqual(before);
          clock.now += 61_000;
          expect(await undo(store, log, [log.head().position])).toBeNull();
          expect(structuredClone(seen(reader)), JSON.stringify(act)).toEqual(after);
        }
        await store.followed();
        await node.close();
        const rows = dump(directory);
        const again = await reopenRebuilt(directory);
        await again.store.followed();
        await again.close();
        expect(dump(directory)).toEqual(rows);
      }),
      { numRuns: 30 },
    );
  });

  it('gives back what a whole sequence of commits changed, as one', async () => {
    await fc.assert(
      fc.asyncProperty(manyActs, fc.nat(30), async (sequence, since) => {
        const { node, clock } = await openTestNode();
        const { store, log } = node;
        const reader = store.reader as Reader;
        let before: unknown = structuredClone(seen(reader));
        let from = log.head().position;
        for (const [i, act] of sequence.entries()) {
          clock.now += 61_000;
          if (i === since) [before, from] = [structuredClone(seen(reader)), log.head().position];
          await store.submit(admin, (session) =>
            session.attempt(() => (isRefusal(perform(session, act)) ? refused : null)),
          );
        }
        const positions = Array.from({ length: log.head().position - from }, (_, i) => from + 1 + i);
        if (positions.length > 0) {
          clock.now += 61_000;
          const refusal = await undo(store, log, positions);
          if (refusal === null) expect(structuredClone(seen(reader))).toEqual(before);
          else expectFinal(refusal);
        }
        await node.close();
      }),
      { numRuns: 30 },
    );
  });
});

const refused = { refused: true, code: 'test', message: '' } as const;
