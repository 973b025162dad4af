import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EntryEvent } from '#domain/entry/events.ts';
import { page } from '#domain/entry/kinds.ts';
import { alikeTexts } from '#domain/entry/texts.ts';
import { created, given, later } from './support.ts';

const at = (minute: number) => ({ local: `2026-03-01T13:0${minute}:00`, gmt: `2026-03-01T12:0${minute}:00` });

/** A post with the contents One, Two, Three: revisions 101 to 103, a minute apart. */
function three(): EntryEvent[] {
  const history: EntryEvent[] = [...created({ title: 'Hello', content: 'Zero' }).events()];
  for (const [i, content] of ['One', 'Two', 'Three'].entries())
    history.push(
      ...given(...history)
        .saved({ content }, { nextId: 101 + i, now: at(i + 1) })
        .events(),
    );
  return history;
}

const extended = (history: readonly EntryEvent[], next: { events(): readonly EntryEvent[] }) => [
  ...history,
  ...next.events(),
];

describe('a revision', () => {
  it('holds the texts of a save and its time', () => {
    const { revisions } = given(...three());
    expect(revisions.map(({ id, dateGmt, texts }) => [id, dateGmt, texts.content])).toEqual([
      [103, at(3).gmt, 'Three'],
      [102, at(2).gmt, 'Two'],
      [101, at(1).gmt, 'One'],
    ]);
  });

  it('is kept also when a save returns to an old text', () => {
    expect(
      given(...three())
        .saved({ content: 'One' }, { nextId: 104 })
        .events(),
    ).toMatchObject([{ data: { revision: 104 } }]);
  });
});

describe('deleting a revision', () => {
  it('makes its predecessor the latest if it was the latest', () => {
    const outcome = given(...three()).withoutRevision(103);
    expect(outcome.events()).toEqual([
      { type: 'EntryRevisionDeleted', data: { revision: 103, latest: 102, latestGmt: at(2).gmt } },
    ]);
    expect(outcome.state()).toMatchObject({ revisions: 2, latestRevision: 102, latestRevisionGmt: at(2).gmt });
  });

  it('changes nothing else of the entry', () => {
    const before = given(...three());
    expect(before.withoutRevision(101).state()).toEqual({ ...before.entry, revisions: 2 });
  });

  it('lets the next save compare with its predecessor', () => {
    const two = given(...extended(three(), given(...three()).withoutRevision(103)));
    expect(two.saved({}, { nextId: 104 }).types()).toEqual(['EntryRevisionKept']);
    expect(two.saved({ content: 'Two' }, { nextId: 104 }).events()).toMatchObject([{ data: { revision: null } }]);
  });

  it('leaves an entry without revisions after the last one; the next save keeps one again', () => {
    let history = three();
    for (const id of [102, 103, 101]) history = extended(history, given(...history).withoutRevision(id));
    const bare = given(...history);
    expect(bare.entry).toMatchObject({ revisions: 0, latestRevision: 0, latestRevisionGmt: '' });
    expect(bare.saved({}, { nextId: 104 }).types()).toEqual(['EntryRevisionKept']);
  });

  it('has no effect if there is no such revision', () => {
    expect(
      given(...three())
        .withoutRevision(999)
        .events(),
    ).toEqual([]);
  });
});

describe('restoring a revision', () => {
  it('makes its texts current by one event, which is a new revision', () => {
    const outcome = given(...three()).reverted(101, { nextId: 104 });
    expect(outcome.events()).toEqual([
      {
        type: 'EntryReverted',
        data: {
          revision: 104,
          restored: 101,
          modified: later.local,
          modifiedGmt: later.gmt,
          title: 'Hello',
          content: 'One',
          excerpt: '',
          footnotes: '',
        },
      },
    ]);
    expect(outcome.state()).toMatchObject({ content: 'One', modified: later.local, revisions: 4, latestRevision: 104 });
  });

  it('has no effect when its texts are current', () => {
    expect(
      given(...three())
        .reverted(103)
        .events(),
    ).toEqual([]);
  });

  it('makes it the one that the next save compares with', () => {
    const history = three();
    const back = given(...extended(history, given(...history).reverted(101, { nextId: 104 })));
    expect(back.saved({ content: 'One ' }, { nextId: 105 }).events()).toMatchObject([{ data: { revision: null } }]);
  });

  it('is refused for a post that would become empty, but not for a page', () => {
    const emptied = (history: readonly EntryEvent[]) =>
      given(...extended(history, given(...history).autosaved({ title: '', content: '' })));
    emptied(created({ title: 'x', status: 'publish' }).events())
      .reverted(101)
      .refused('empty_content');
    const ofPage = emptied(created({ title: 'x', status: 'publish' }, { kind: page }).events());
    expect(ofPage.reverted(101, { nextId: 102 }).state().title).toBe('');
  });
});

describe('texts', () => {
  const long = ['a', ' ', '\n', 'a '].map((piece) => piece.repeat(40_000));
  const piece = fc.constantFrom('a', 'b', ' ', '\t', '\n', '\r', '\r\n', '\u00a0', ...long);
  const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  const reduced = (one: string) =>
    one
      .trim()
      .replace(/[\r\n]+/g, '\n')
      .replace(/[ \t]+/g, ' ');
  const of = (content: string) => ({ title: '', content, excerpt: '', footnotes: '' });

  it('are alike when they differ only in white space at the ends or the amount of it in between', () => {
    fc.assert(
      fc.property(text, text, text, (start, a, b) => {
        expect(alikeTexts(of(start + a), of(start + b))).toBe(reduced(start + a) === reduced(start + b));
      }),
    );
  });
});
