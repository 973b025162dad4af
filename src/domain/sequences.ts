import { entrySequence } from './entry/sequence.ts';
import { type Follower, follow, type Sequence } from './kernel/sequence.ts';
import { mediaSequence } from './media/sequence.ts';
import { areas } from './plugins/areas.ts';
import { areaSequence } from './plugins/sequence.ts';
import { requestSequence } from './request/sequence.ts';
import { siteSequence } from './site/sequence.ts';
import { termSequence } from './term/sequence.ts';
import { userSequence } from './user/sequence.ts';

/** What may happen in each kind of stream. */
export const allSequences: readonly Sequence[] = [
  siteSequence,
  userSequence,
  termSequence,
  entrySequence,
  mediaSequence,
  requestSequence,
  ...areas.map(areaSequence),
];

const byKind = new Map(allSequences.map((sequence) => [sequence.kind, sequence]));

/** Begins to follow a stream; null for one of no known kind. */
export function followStream(stream: string): Follower | null {
  const dash = stream.indexOf('-');
  const alone = byKind.get(stream);
  if (alone !== undefined || dash < 0) return alone === undefined ? null : follow(alone, '');
  const sequence = byKind.get(stream.slice(0, dash));
  return sequence === undefined ? null : follow(sequence, stream.slice(dash + 1));
}
