import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createEntry, deleteEntry, saveEntry, trashEntry } from '#commands/entries.ts';
import { page, post } from '#domain/entry/kinds.ts';
import { isRefusal, refuse } from '#domain/kernel/refusal.ts';
import { admin, openTestNode } from '../support/node.ts';

const act = fc.record({
  do: fc.oneof({ weight: 5, arbitrary: fc.constant('create') }, fc.constantFrom('rename', 'trash', 'delete', 'undo')),
  kind: fc.constantFrom(post, page),
  title: fc.constantFrom('Same', 'Same', 'Same 2', 'x'.repeat(199)),
  nth: fc.nat(30),
});

it('gives a new entry the first name that is free, whatever was given, given up or undone before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(act, { maxLength: 6 }), { minLength: 3, maxLength: 10 }), async (commits) => {
      const { node } = await openTestNode();
      for (const commit of commits) {
        await node.store.submit(admin, (session) => {
          for (const { do: what, kind, title, nth } of commit) {
            const rows = [...session.entries.facets()];
            const row = rows[nth % Math.max(1, rows.length)];
            const create = () => {
              const base = title.toLowerCase().replaceAll(' ', '-');
              const taken = (slug: string) =>
                session.slugTaken(slug, { kind: kind.name, id: 0, parent: kind === page ? 0 : -1 });
              const numbered = (n: number) => `${base.slice(0, 200 - `-${n}`.length)}-${n}`;
              let wanted = base;
              for (let n = 2; taken(wanted); n++) wanted = numbered(n);
              const id = createEntry(session, kind, { title, status: 'publish' });
              expect(isRefusal(id) ? null : session.entry(id)?.slug).toBe(wanted);
            };
            if (what === 'create') create();
            else if (what === 'undo') {
              session.attempt(() => {
                create();
                create();
                return refuse('rest_undone', 'Undone.');
              });
            } else if (row === undefined) continue;
            else if (what === 'rename') saveEntry(session, row.id, { slug: 'elsewhere' });
            else if (what === 'trash') trashEntry(session, row.id);
            else deleteEntry(session, row.id);
          }
          return null;
        });
      }
      await node.close();
    }),
    { numRuns: 15 },
  );
});
