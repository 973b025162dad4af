import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEntry, deleteEntry, saveEntry, trashEntry } from '#commands/entries.ts';
import type { Session } from '#commands/session.ts';
import { type EntryKind, kindOf, page, post } from '#domain/entry/kinds.ts';
import { isRefusal, refuse } from '#domain/kernel/refusal.ts';
import { entries } from '#projections/entries/definition.ts';
import { numberSlug } from '#text/slug.ts';
import { admin, openTestNode } from '../support/node.ts';

const long = 'x'.repeat(198);
const act = fc.record({
  do: fc.oneof(
    { weight: 5, arbitrary: fc.constant('create') },
    fc.constantFrom('rename', 'give', 'move', 'trash', 'delete', 'undo', 'undo all'),
  ),
  kind: fc.constantFrom(post, page),
  title: fc.constantFrom('same', 'same', 'same', 'same-2', long),
  nth: fc.nat(60),
});
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

/** The expected slug, found by trying one number after the other. */
function probed(session: Session, base: string, { kind, id, parent }: { kind: EntryKind; id: number; parent: number }) {
  const owner = { kind: kind.name, id, parent: kind === page ? parent : -1 };
  let wanted = base;
  for (let n = 2; session.slugTaken(wanted, owner); n++) wanted = numberSlug(base, n);
  return wanted;
}

function create(session: Session, { kind, title }: Pick<Act, 'kind' | 'title'>) {
  const wanted = probed(session, title, { kind, id: 0, parent: 0 });
  const id = createEntry(session, kind, { title, status: 'publish' });
  expect(isRefusal(id) ? null : session.entry(id)?.slug).toBe(wanted);
}

function carryOut(session: Session, one: Act): void {
  const rows = session.of(entries).facetsAfter(-1, 5000);
  const row = rows[one.nth % Math.max(1, rows.length)];
  if (one.do === 'create') create(session, one);
  else if (one.do.startsWith('undo')) {
    session.attempt(() => {
      create(session, one);
      if (one.do === 'undo all')
        for (const what of ['delete', 'give', 'create'] as const) carryOut(session, { ...one, do: what });
      create(session, one);
      return refuse('rest_undone', 'Undone.');
    });
  } else if (row === undefined) return;
  else if (one.do === 'rename') saveEntry(session, row.id, { slug: 'elsewhere' });
  else if (one.do === 'move')
    saveEntry(session, row.id, row.kind === 'page' ? { parent: rows[0]?.kind === 'page' ? rows[0].id : 0 } : {});
  else if (one.do === 'trash') trashEntry(session, row.id);
  else if (one.do === 'delete') deleteEntry(session, row.id);
  else if (row.status !== 'trash') {
    const wanted = probed(session, one.title, { kind: kindOf(row.kind), id: row.id, parent: row.parent });
    saveEntry(session, row.id, { slug: one.title });
    expect(session.entry(row.id)?.slug).toBe(wanted);
  }
}

describe('the number that makes a slug unique', () => {
  it('is the lowest free one, whatever was assigned, released or undone before', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(30),
        fc.array(fc.array(act, { maxLength: 6 }), { minLength: 3, maxLength: 10 }),
        async (first, commits) => {
          const { node } = await openTestNode();
          await node.store.submit(admin, (session) => {
            for (let n = 0; n < first; n++) create(session, { kind: post, title: n % 5 === 0 ? long : 'same' });
          });
          for (const commit of commits) {
            await node.store.submit(admin, (session) => {
              for (const one of commit) carryOut(session, one);
              return null;
            });
          }
          await node.close();
        },
      ),
      { numRuns: 25 },
    );
  });

  it('is found with few look-ups, however many entries share the slug and whatever is written in between', async () => {
    const { node } = await openTestNode();
    const probes: number[] = [];
    const counted = async (work: (session: Session) => unknown) =>
      node.store.submit(admin, (session) => {
        const slugTaken = session.slugTaken.bind(session);
        let count = 0;
        session.slugTaken = (...about) => {
          count += 1;
          return slugTaken(...about);
        };
        work(session);
        session.slugTaken = slugTaken;
        probes.push(count);
      });
    await node.store.submit(admin, (session) => {
      for (let n = 0; n < 300; n++) createEntry(session, post, { title: 'same', status: 'publish' });
    });
    const [some] = node.store.reader.of(entries).facetsAfter(-1, 5000);
    for (let n = 0; n < 5; n++) {
      await counted((session) => saveEntry(session, some?.id ?? 0, { title: `Other ${n}`, slug: `other-${n}` }));
      await counted((session) => createEntry(session, post, { title: 'same', status: 'publish' }));
      await counted((session) => session.attempt(() => refuse('rest_undone', 'Undone.')));
    }
    expect(Math.max(...probes)).toBeLessThan(12);
    await node.close();
  });
});
