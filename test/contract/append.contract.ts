import { describe, expect, it } from 'vitest';
import { commit, event, time } from '../support/commits.ts';
import { appendAtHead, type OpenStore, openForTest } from '../support/store-fixture.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The contents of the log after an append. */
export function appendContract(open: OpenStore): void {
  describe('append', () => {
    it('an empty log has no events, and its head is position 0 with 64 zeros and no time', async () => {
      const { store } = await openForTest(open);
      expect(store.head()).toEqual({ position: 0, hash: '0'.repeat(64), at: null });
      expect([...store.read()]).toEqual([]);
      expect([...store.read({ stream: 'entry-1', direction: 'backwards' })]).toEqual([]);
      expect(store.streamHead('entry-1')).toBe(0);
      expect(store.positionAt(time(0))).toBe(0);
    });

    it('an event comes back with everything given for it', async () => {
      const { store } = await openForTest(open);
      const given = event('entry-1', { type: 'EntryCreated', v: 3, data: '{"a":1}', sealed: '{"b":2}' });
      const circumstances = { at: time(5), actor: 7, correlationId: 'corr', causationId: 'cause' };
      const made = commit([given], circumstances);
      await appendAtHead(store, made);
      expect([...store.read()]).toEqual([
        {
          ...given,
          ...circumstances,
          position: 1,
          revision: 1,
          id: expect.stringMatching(UUID),
          commit: { id: made.id, i: 0, n: 1 },
          sealedDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
          hash: store.head().hash,
        },
      ]);
    });

    it('a missing actor, cause or sealed text comes back as null', async () => {
      const { store } = await openForTest(open);
      await appendAtHead(store, commit(['entry-1'], { actor: null, causationId: null }));
      expect([...store.read()]).toMatchObject([{ actor: null, causationId: null, sealed: null, sealedDigest: null }]);
    });

    it('positions count over the site and revisions over each stream, both from 1 without gaps', async () => {
      const { store } = await openForTest(open);
      await appendAtHead(store, commit(['a', 'b', 'a']));
      await appendAtHead(store, commit(['b', 'a']));
      const places = Array.from(store.read(), (e) => [e.position, e.stream, e.revision]);
      expect(places).toEqual([
        [1, 'a', 1],
        [2, 'b', 1],
        [3, 'a', 2],
        [4, 'b', 2],
        [5, 'a', 3],
      ]);
      expect([store.streamHead('a'), store.streamHead('b'), store.streamHead('c')]).toEqual([3, 2, 0]);
    });

    it('each event names its commit and its index in it, and only the last one has a hash', async () => {
      const { store } = await openForTest(open);
      const made = commit(['a', 'b', 'a']);
      const { hash } = await appendAtHead(store, made);
      expect([...store.read()]).toMatchObject([
        { commit: { id: made.id, i: 0, n: 3 }, hash: null },
        { commit: { id: made.id, i: 1, n: 3 }, hash: null },
        { commit: { id: made.id, i: 2, n: 3 }, hash },
      ]);
    });

    it('commits of one append are stored in the order given, each with its own time and actor', async () => {
      const { store } = await openForTest(open);
      const commits = [
        commit(['a', 'b'], { at: time(1), actor: 1 }),
        commit(['c'], { at: time(2), actor: 2 }),
        commit(['a'], { at: time(3), actor: 3 }),
      ];
      const head = await appendAtHead(store, ...commits);
      expect(head).toMatchObject({ position: 4, at: time(3) });
      expect(store.head()).toEqual(head);
      const seen = Array.from(store.read(), (e) => [e.stream, e.commit.id, e.at, e.actor]);
      const [first, second, third] = commits;
      expect(seen).toEqual([
        ['a', first?.id, time(1), 1],
        ['b', first?.id, time(1), 1],
        ['c', second?.id, time(2), 2],
        ['a', third?.id, time(3), 3],
      ]);
    });

    it('a commit dated earlier than its predecessor gets the predecessor’s time', async () => {
      const { store } = await openForTest(open);
      await appendAtHead(store, commit(['a'], { at: time(500) }));
      const head = await appendAtHead(store, commit(['a'], { at: time(100) }), commit(['a'], { at: time(600) }));
      expect(head.at).toBe(time(600));
      expect(Array.from(store.read(), ({ at }) => at)).toEqual([time(500), time(500), time(600)]);
    });

    it('texts come back unchanged: any script, emoji, escapes, line ends, escaped lone surrogates', async () => {
      const { store } = await openForTest(open);
      const texts = [
        'Grüße, 世界, שלום',
        '👩‍👩‍👧 \u{1f600}',
        '\u2028\u2029\ufeff\uffff',
        'a\r\nb\tc\\"d',
        '\ud800 alone',
        '\0',
      ];
      const events = texts.map((text) =>
        event('a', { data: JSON.stringify({ text }), sealed: JSON.stringify([text]) }),
      );
      await appendAtHead(store, commit(events));
      const read = Array.from(store.read(), ({ data, sealed }) => [JSON.parse(data).text, JSON.parse(sealed ?? '')[0]]);
      expect(read).toEqual(texts.map((text) => [text, text]));
    });

    it('texts of a megabyte come back whole', async () => {
      const { store } = await openForTest(open);
      const texts = ['x', 'é', '語'].map((letter) => JSON.stringify(letter.repeat(1 << 20)));
      await appendAtHead(store, commit(texts.map((text) => event('a', { data: text, sealed: text }))));
      const read = [...store.read()];
      expect(read.every(({ data, sealed }, i) => data === texts[i] && sealed === texts[i])).toBe(true);
      expect(read).toHaveLength(3);
    });

    it('the same commit gets the same event ids in any log, and no two events share one', async () => {
      const made = commit(['a', 'a', 'b']);
      const [one, two] = [await openForTest(open), await openForTest(open)];
      await appendAtHead(one.store, made);
      await appendAtHead(two.store, commit(['z']), made);
      const ids = Array.from(one.store.read(), ({ id }) => id);
      expect(Array.from(two.store.read({ from: 2 }), ({ id }) => id)).toEqual(ids);
      expect(new Set(ids).size).toBe(3);
    });
  });
}
