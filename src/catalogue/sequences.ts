import { isOfPackage } from '#domain/kernel/codec.ts';
import { type Follower, follow, initial, type Sequence } from '#domain/kernel/sequence.ts';
import { areaSequence } from '#domain/plugins/sequence.ts';
import { areas } from './areas.ts';
import { subjects } from './subjects.ts';

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

/** Whether an event of this type is always (true) or never (false) the first of its stream; undefined if it can be either. */
export function beginsStream(stream: string, type: string): boolean | undefined {
  const from = sequenceOf(stream)?.steps[type]?.from;
  if (from === undefined) return undefined;
  if (!from.includes(initial)) return false;
  return from.length === 1 ? true : undefined;
}

function sequenceOf(stream: string): Sequence | undefined {
  const alone = byKind.get(stream);
  const dash = stream.indexOf('-');
  return alone ?? (dash < 0 ? undefined : byKind.get(stream.slice(0, dash)));
}
