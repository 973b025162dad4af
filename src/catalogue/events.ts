import { addressEvents, addressSequence } from '#domain/address/events.ts';
import { clockEvents, clockSequence } from '#domain/clock/events.ts';
import { commentEvents, commentSequence } from '#domain/comment/events.ts';
import { entryEvents } from '#domain/entry/events.ts';
import { entrySequence } from '#domain/entry/sequence.ts';
import { type Codec, createCodec, isOfPackage } from '#domain/kernel/codec.ts';
import type { DomainEvent, EventDefinition, EventOf } from '#domain/kernel/event.ts';
import { type Follower, follow, initial, isAgain, type Sequence } from '#domain/kernel/sequence.ts';
import { mediaEvents, mediaSequence } from '#domain/media/events.ts';
import { areaSequence } from '#domain/plugins/sequence.ts';
import { requestEvents, requestSequence } from '#domain/request/events.ts';
import { siteEvents, siteSequence } from '#domain/site/events.ts';
import { termEvents, termSequence } from '#domain/term/events.ts';
import { undoEvents, undoSequence } from '#domain/undo/events.ts';
import { userEvents, userSequence } from '#domain/user/events.ts';
import { areas } from './areas.ts';

type CoreDefinition = (typeof subjects)[number]['events'][number];
export type CoreEvent = EventOf<CoreDefinition>;

interface Subject {
  readonly events: readonly EventDefinition[];
  readonly sequence: Sequence;
}

/** What events of every site are about: one line each. Their types join the catalogue, their sequences are followed. */
const subjects = [
  { events: siteEvents, sequence: siteSequence },
  { events: userEvents, sequence: userSequence },
  { events: termEvents, sequence: termSequence },
  { events: entryEvents, sequence: entrySequence },
  { events: mediaEvents, sequence: mediaSequence },
  { events: commentEvents, sequence: commentSequence },
  { events: addressEvents, sequence: addressSequence },
  { events: requestEvents, sequence: requestSequence },
  { events: clockEvents, sequence: clockSequence },
  { events: undoEvents, sequence: undoSequence },
] as const satisfies readonly Subject[];

/** Event types of every site: settings, accounts, terms, entries, media, comments, clocks. */
export const coreEvents: readonly CoreDefinition[] = subjects.flatMap(
  ({ events }): readonly CoreDefinition[] => events,
);

export const pluginEvents: readonly EventDefinition[] = areas.flatMap(({ events }) => events);

/** All event types; `docs/events.md` and `test/golden` follow from this list. */
export const allEvents: readonly EventDefinition[] = [...coreEvents, ...pluginEvents];

export const codec: Codec = createCodec(allEvents);

export const allSequences: readonly Sequence[] = [
  ...subjects.map(({ sequence }) => sequence),
  ...areas.map(areaSequence),
];

const byKind = new Map(allSequences.map((sequence) => [sequence.kind, sequence]));

/** Starts following a stream; null if its kind is unknown. */
export function followStream(stream: string): Follower | null {
  const sequence = sequenceOf(stream);
  if (sequence === undefined && isOfPackage(stream)) return absent(stream);
  return sequence === undefined ? null : follow(sequence, stream.slice(sequence.kind.length + 1));
}

function absent(stream: string): Follower {
  const [plugin = ''] = stream.slice('plugin-'.length).split('.');
  const isOwn = (type: string) => stream.startsWith('plugin-') && type.startsWith(`${plugin}.`);
  return {
    take: ({ type }) => (isOwn(type) ? null : `${type} does not belong into the stream ${stream}`),
    end: () => null,
  };
}

/** Whether such an event is always (true) or never (false) the first of its stream; undefined if it can be either. */
export function beginsStream(stream: string, { type, data }: DomainEvent): boolean | undefined {
  const from = sequenceOf(stream)?.steps[type]?.from;
  if (from === undefined) return undefined;
  if (isAgain(data)) return false;
  if (!from.includes(initial)) return false;
  return from.length === 1 ? true : undefined;
}

function sequenceOf(stream: string): Sequence | undefined {
  const alone = byKind.get(stream);
  const dash = stream.indexOf('-');
  return alone ?? (dash < 0 ? undefined : byKind.get(stream.slice(0, dash)));
}
