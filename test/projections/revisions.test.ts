import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createEntry, saveEntry } from '#commands/entries.ts';
import { revertEntry } from '#commands/revisions.ts';
import type { Session } from '#commands/session.ts';
import { post } from '#domain/entry/kinds.ts';
import { entryStream } from '#domain/entry/state.ts';
import { type RevisionTexts, textNames, textsOf } from '#domain/entry/texts.ts';
import type { Reader } from '#projections/reading/reader.ts';
import { SEED } from '#text/field-seals.ts';
import { admin, dump, openTestNode, reopenRebuilt } from '../support/node.ts';

const text = fc.constantFrom('one', 'two', 'three');
const texts = fc.record({ title: text, content: text, excerpt: text, footnotes: text });
const some = fc.record({ title: text, content: text, excerpt: text, footnotes: text }, { requiredKeys: [] });
const act = fc.oneof(
  some.map((sent) => (session: Session) => void saveEntry(session, 1, sent)),
  fc.nat(4).map((back) => (session: Session) => {
    const chosen = session.revisions(1).all()[back];
    if (chosen !== undefined) revertEntry(session, chosen, session.revisionTexts(chosen));
  }),
  // As in version 1: every text in every event.
  texts.map((all) => (session: Session) => {
    const saved = { revision: session.next.nextId, modified: session.now.local, modifiedGmt: session.now.gmt };
    session.stage(entryStream(1), [{ type: 'EntryRevised', data: { ...saved, ...all } }]);
  }),
);

it('each revision has the texts that were current then, whichever of them its event contains', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(act, { maxLength: 4 }), { maxLength: 6 }), async (commits) => {
      const { node, clock, directory } = await openTestNode();
      const expected = new Map<number, RevisionTexts>();
      await node.store.submit(admin, (session) =>
        createEntry(session, post, { title: 'zero', content: 'zero', status: 'publish' }),
      );
      for (const acts of commits) {
        clock.now += 1000;
        await node.store.submit(admin, (session) => {
          for (const work of acts) {
            work(session);
            for (const { id } of session.revisions(1).all()) if (!expected.has(id)) expected.set(id, current(session));
          }
        });
      }
      const shown = (reader: Reader) =>
        new Map(
          reader
            .revisions(1)
            .all()
            .map((row) => [row.id, reader.revisionTexts(row)]),
        );
      expect(shown(node.store.reader)).toEqual(expected);
      await node.close();
      const rows = dump(directory)['texts'];
      const again = await reopenRebuilt(directory);
      expect(shown(again.store.reader)).toEqual(expected);
      expect(dump(directory)['texts']).toEqual(rows);
      await again.close();
    }),
    { numRuns: 12 },
  );
});

it('the event of a save contains exactly the texts that changed', async () => {
  await fc.assert(
    fc.asyncProperty(texts, some, async (before, sent) => {
      const { node } = await openTestNode();
      await node.store.submit(admin, (session) => createEntry(session, post, { ...before, status: 'publish' }));
      await node.store.submit(admin, (session) => saveEntry(session, 1, sent));
      const [, ...saves] = [...node.log.read({ stream: entryStream(1) })];
      const held = saves.flatMap(({ sealed }) =>
        Object.keys(JSON.parse(sealed ?? '{}')).filter((name) => name !== SEED),
      );
      const changed = textNames.filter((name) => sent[name] !== undefined && sent[name] !== before[name]);
      expect(held).toEqual(changed);
      await node.close();
    }),
    { numRuns: 12 },
  );
});

function current(reader: Reader): RevisionTexts {
  const [row, long] = [reader.entry(1), reader.texts(1)];
  if (row === undefined || long === undefined) throw new Error('the entry is gone');
  return textsOf({ ...row, ...long });
}
