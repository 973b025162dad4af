import type { ChainedEvent } from './chain.ts';
import type { Commit } from './port.ts';

/**
 * Makes a commit from consecutive whole events of a log, to append to another log: there it gets the same positions, ids, times and
 * hashes, or is refused.
 */
export function copyOf(events: readonly ChainedEvent[]): Commit {
  const [first, last] = [events[0], events.at(-1)];
  if (first === undefined || !last?.hash) throw new TypeError('A commit that is not whole cannot be copied');
  const { at, actor, correlationId, causationId } = first;
  const heads = new Map<string, number>();
  for (const { stream, revision } of events) if (!heads.has(stream)) heads.set(stream, revision - 1);
  return {
    id: first.commit.id,
    at,
    actor,
    correlationId,
    causationId,
    hash: last.hash,
    expect: [...heads].map(([stream, revision]) => ({ stream, revision })),
    events: events.map(({ stream, type, v, data, sealed, salt, sealedDigest }) => ({
      stream,
      type,
      v,
      data,
      sealed,
      seal: sealedDigest === null ? undefined : { salt, digest: sealedDigest },
    })),
  };
}
