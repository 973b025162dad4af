import { type ChainLink, commitHash, EMPTY_HEAD, sealedDigest } from './hash.ts';
import type { EventStore, Head, StoredEvent } from './port.ts';

/** An event with the salt of its sealed text (32 hex digits), which checking it needs. The salt is erased together with the text. */
export interface ChainedEvent extends StoredEvent {
  readonly salt: string | null;
}

export interface ChainedStore extends EventStore {
  /** Reads all events from a position on (default 1), with their salts, for `verifyChain` and for faithful copies. */
  chain(from?: number): Iterable<ChainedEvent>;
}

/** The first invalid event, and why. A wrong commit hash is attributed to the first event of the commit. */
export interface ChainFault {
  readonly position: number;
  readonly message: string;
}

export interface ChainWalk<E extends ChainLink = ChainedEvent> {
  /** Takes the next event. Returns its fault or null. The walk ends at the first fault. */
  take(event: E): ChainFault | null;
  end(): Head | ChainFault;
}

/**
 * Walks events from the commit after `after` and checks what a log promises: gapless positions and revisions, whole commits, time that
 * never goes back, sealed texts that match their digests, hashes that chain. Returns the head reached, from which a later call can
 * continue.
 */
export function verifyChain(
  events: Iterable<ChainedEvent>,
  after: Head = EMPTY_HEAD,
  options: Pick<WalkOptions<ChainedEvent>, 'streamHead'> = {},
): Head | ChainFault {
  const walk = walkChain(after, { ...options, sealHolds });
  for (const event of events) {
    const fault = walk.take(event);
    if (fault !== null) return fault;
  }
  return walk.end();
}

export interface WalkOptions<E extends ChainLink> {
  readonly sealHolds: (event: E) => boolean;
  /** False skips checking revisions, which takes memory per stream. Default: true. */
  readonly streams?: boolean;
  /** Highest revision of a stream before the walk; without it a stream may continue from any revision. */
  readonly streamHead?: (stream: string) => number;
}

/** `verifyChain` at the caller's pace. */
export function walkChain<E extends ChainLink>(after: Head, options: WalkOptions<E>): ChainWalk<E> {
  const { sealHolds, streams = true, streamHead } = options;
  const revisions = new Map<string, number>();
  let head = after;
  let commit: E[] = [];

  function nextRevision({ stream, revision }: E): number {
    const known = streams ? revisions.get(stream) : revision - 1;
    if (known !== undefined) return known + 1;
    // A walk from the first event knows that every stream starts at 1.
    return after.position === 0 ? 1 : (streamHead?.(stream) ?? revision - 1) + 1;
  }

  return {
    take(event) {
      const position = head.position + commit.length + 1;
      const message = faultOf(event, { position, revision: nextRevision(event), commit, head });
      if (message !== null) return { position, message };
      if (!sealHolds(event)) return { position, message: 'The sealed text does not fit its digest' };
      if (streams) revisions.set(event.stream, event.revision);
      commit.push(event);
      if (event.hash === null) return null;
      if (commitHash(head.hash, commit) !== event.hash) {
        return { position: head.position + 1, message: `Commit ${event.commit.id} does not fit its hash` };
      }
      head = { position, hash: event.hash, at: event.at };
      commit = [];
      return null;
    },
    end: () => (commit.length === 0 ? head : { position: head.position + 1, message: 'The last commit is not whole' }),
  };
}

export function isChainFault(value: Head | ChainFault): value is ChainFault {
  return 'message' in value;
}

interface Expected {
  readonly position: number;
  readonly revision: number;
  readonly commit: readonly ChainLink[];
  readonly head: Head;
}

function faultOf(event: ChainLink, expected: Expected): string | null {
  const { position, revision, commit, head } = expected;
  if (event.position !== position) return `Position ${position} is missing`;
  if (event.revision !== revision) return `Stream ${event.stream} lacks revision ${revision}`;
  if (event.commit.i !== commit.length || !sameCommit(event, commit[0] ?? event)) {
    return `Commit ${commit[0]?.commit.id ?? event.commit.id} is not whole`;
  }
  if ((event.commit.i === event.commit.n - 1) !== (event.hash !== null)) return 'The hash is not on the last event';
  return head.at !== null && event.at < head.at ? 'Time goes back' : null;
}

function sameCommit(a: ChainLink, b: ChainLink): boolean {
  return (
    a.commit.id === b.commit.id &&
    a.commit.n === b.commit.n &&
    a.at === b.at &&
    a.actor === b.actor &&
    a.correlationId === b.correlationId &&
    a.causationId === b.causationId
  );
}

export function sealHolds({ sealed, salt, sealedDigest: digest }: ChainedEvent): boolean {
  if (sealed === null) return true;
  return salt !== null && sealedDigest(salt, sealed) === digest;
}
