import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allSequences, beginsStream, codec, followStream } from '#catalogue/events.ts';
import { newIdOf } from '#domain/identities.ts';
import type { DomainEvent } from '#domain/kernel/event.ts';
import { acts, perform } from '../support/acts.ts';
import { admin, openTestNode } from '../support/node.ts';

/** The faults in a stream’s sequence of events; data only where it matters here. */
function faults(stream: string, ...events: readonly (string | [string, object])[]): (string | null)[] {
  const follower = followStream(stream);
  if (follower === null) throw new Error('no such kind');
  const given = events.map((event): DomainEvent => {
    const [type, data] = typeof event === 'string' ? [event, {}] : event;
    return { type, data };
  });
  return [...given.map((event) => follower.take(event)), follower.end()].filter((fault) => fault !== null);
}

const draft: [string, object] = ['EntryCreated', { id: 7, status: 'draft' }];

describe('the place of an event in its stream', () => {
  it('is the first for a creation, never the first for a change, and any for settings', () => {
    const places = (stream: string, ...types: readonly string[]) =>
      types.map((type) => beginsStream(stream, { type, data: {} }));
    expect(places('entry-7', 'EntryCreated', 'EntryRevised', 'EntryErased')).toEqual([true, false, false]);
    expect(places('media-7', 'MediaUploaded', 'MediaDeleted')).toEqual([true, false]);
    expect(places('term-7', 'TermCreated', 'TermChanged')).toEqual([true, false]);
    expect(places('user-7', 'UserAdded', 'UserErased')).toEqual([true, false]);
    expect(places('site', 'SiteConfigured', 'SiteAddressChanged')).toEqual([undefined, false]);
    expect(places('request-ab', 'RequestAnswered')).toEqual([undefined]);
    expect(places('clock', 'ClockFoundBehind')).toEqual([undefined]);
  });
});

describe('the sequence of events', () => {
  it('is defined for every event type, each in one kind of stream', () => {
    const types = allSequences.flatMap(({ steps }) => Object.keys(steps));
    expect(types.sort()).toEqual(codec.definitions.map(({ type }) => type).sort());
    expect(new Set(allSequences.map(({ kind }) => kind)).size).toBe(allSequences.length);
  });

  it.each<[string, string, readonly (string | [string, object])[]]>([
    ['an entry from draft to deletion', 'entry-7', [draft, 'EntryPublished', 'EntryTrashed', 'EntryDeleted']],
    ['an entry that is restored', 'entry-7', [draft, 'EntryTrashed', 'EntryRestored', 'EntrySubmitted', 'EntrySaved']],
    ['an entry that is scheduled again', 'entry-7', [draft, 'EntryScheduled', 'EntryReleased', 'EntryScheduled']],
    ['a media item', 'media-3', [['MediaUploaded', { id: 3 }], 'MediaChanged', ['MediaDeleted', { id: 3 }]]],
    [
      'a term',
      'term-3',
      [
        ['TermCreated', { id: 3 }],
        ['TermChanged', { id: 3 }],
        ['TermDeleted', { id: 3 }],
      ],
    ],
    [
      'an account',
      'user-2',
      [
        ['UserAdded', { id: 2 }],
        ['UserRoleChanged', { id: 2 }],
      ],
    ],
    ['an entry that is erased after its deletion', 'entry-7', [draft, 'EntryDeleted', ['EntryErased', { id: 7 }]]],
    ['settings', 'site', ['SiteConfigured', 'SiteConfigured']],
    ['observations about clocks', 'clock', ['ClockFoundBehind', 'ClockFoundBehind']],
    ['requests with one key', 'request-ab', ['RequestAnswered', 'RequestAnswered']],
  ])('allows %s', (_, stream, events) => {
    expect(faults(stream, ...events)).toEqual([]);
  });

  it.each<[string, string, readonly (string | [string, object])[], string]>([
    [
      'a stream that does not begin with a creation',
      'entry-7',
      ['EntrySaved'],
      'EntrySaved cannot happen in the state initial',
    ],
    ['a second creation', 'entry-7', [draft, draft], 'EntryCreated cannot happen in the state draft'],
    [
      'a change to the current status',
      'entry-7',
      [draft, 'EntrySentBackToDraft'],
      'EntrySentBackToDraft cannot happen in the',
    ],
    [
      'the release of an entry that is not scheduled',
      'entry-7',
      [draft, 'EntryReleased'],
      'EntryReleased cannot happen in the',
    ],
    [
      'publishing from the trash without restoring',
      'entry-7',
      [draft, 'EntryTrashed', 'EntryPublished'],
      'EntryPublished',
    ],
    ['trashing after a deletion', 'entry-7', [draft, 'EntryDeleted', 'EntryTrashed'], 'EntryTrashed cannot happen'],
    ['restoring without a status', 'entry-7', [draft, 'EntryTrashed', 'EntryRestored'], 'the stream ends in the state'],
    [
      'anything after the deletion',
      'entry-7',
      [draft, 'EntryDeleted', 'EntrySaved'],
      'EntrySaved cannot happen in the state',
    ],
    [
      'erasing an entry that is not deleted',
      'entry-7',
      [draft, 'EntryErased'],
      'EntryErased cannot happen in the state draft',
    ],
    ['erasing twice', 'entry-7', [draft, 'EntryDeleted', 'EntryErased', 'EntryErased'], 'EntryErased cannot happen'],
    ['a role after an erasure', 'user-1', ['UserAdded', 'UserErased', 'UserRoleChanged'], 'UserRoleChanged cannot'],
    ['an event of another kind', 'entry-7', [draft, 'TermDeleted'], 'TermDeleted does not belong into a stream of'],
    ['an event about another id', 'entry-8', [draft], 'EntryCreated is about the id 7'],
    ['a deleted term that changes', 'term-1', ['TermCreated', 'TermDeleted', 'TermChanged'], 'TermChanged cannot'],
    ['a deleted media item that changes', 'media-1', ['MediaUploaded', 'MediaDeleted', 'MediaChanged'], 'MediaChanged'],
    ['a role without an account', 'user-1', ['UserRoleChanged'], 'UserRoleChanged cannot happen in the state initial'],
  ])('does not allow %s', (_, stream, events, fault) => {
    expect(faults(stream, ...events)).toEqual([expect.stringMatching(`^${fault}`)]);
  });

  it('is unknown for other kinds of streams', () => {
    expect(followStream('nobody-1')).toBeNull();
  });

  it('allows all events that commands produce, whose ids only rise', async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (given) => {
        const { node } = await openTestNode();
        for (const act of given) await node.store.submit(admin, (session) => perform(session, act));
        const byStream = Map.groupBy(node.log.read(), ({ stream }) => stream);
        const highest = new Map<string, number>();
        for (const stored of node.log.read()) {
          const handed = newIdOf(codec.decode(stored));
          if (handed === null) continue;
          expect(handed.id).toBeGreaterThan(highest.get(handed.of) ?? 0);
          highest.set(handed.of, handed.id);
        }
        for (const [stream, events] of byStream) {
          const follower = followStream(stream);
          const found = events.map((stored) => follower?.take(codec.decode(stored)));
          expect([...found, follower?.end()].filter((fault) => fault !== null)).toEqual([]);
        }
        await node.close();
      }),
      { numRuns: 40 },
    );
  });
});
