import { createHash, hash } from 'node:crypto';
import type { EventStore, Head, StoredEvent } from './port.ts';
import { draw } from './random.ts';

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

/** An event without its sealed text, which the chain covers by its digest only. */
export type ChainLink = Omit<StoredEvent, 'sealed' | 'seal'>;

export const EMPTY_HEAD: Head = { position: 0, hash: '0'.repeat(64), at: null };

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

/**
 * Chain hash (SHA-256, hex) of a commit on top of the previous one. It covers all that the log says of the commit, as the JSON text of a
 * fixed array: the stored texts are the canonical form, nothing is parsed. Sealed text is included by its digest, so that the chain
 * remains valid when the text has been erased.
 */
export function commitHash(previous: string, events: readonly ChainLink[]): string {
  const [first] = events;
  if (first === undefined) throw new TypeError('A commit without events has no hash');
  const rows = events.map((e) => [e.position, e.stream, e.revision, e.type, e.v, e.id, e.data, e.sealedDigest]);
  const canonical = [previous, first.commit.id, first.at, first.actor, first.correlationId, first.causationId, rows];
  return hash('sha256', JSON.stringify(canonical));
}

/** Digest of a sealed text: SHA-256 (hex) over the salt, as its 32 hex digits, followed by the text in UTF-8. */
export function sealedDigest(salt: string, sealed: string): string {
  const text = salt + sealed;
  // Hashing long texts as bytes takes half the time.
  return hash('sha256', text.length > LONG ? Buffer.from(text) : text);
}

/** In characters. */
const LONG = 65_536;

export function digestInParts(salt: string): { add(part: string): void; end(): string } {
  const digest = createHash('sha256').update(salt);
  return {
    add: (part) => void digest.update(part, 'utf8'),
    end: () => digest.digest('hex'),
  };
}

/** `sealedDigest` of salt and text already concatenated as bytes. */
export function digestOf(salted: Uint8Array): string {
  return hash('sha256', salted);
}

/**
 * 16 random bytes in hex. Without them the text of a digest could be guessed if it is short or known; so the salt is erased together with
 * the text.
 */
export function newSalt(): string {
  return draw(SALT_BYTES).toString('hex');
}

const SALT_BYTES = 16;

/** UUID (version 8) of the i-th event of a commit: the same commit always has the same event ids. */
export function eventId(commitId: string, i: number): string {
  const hex = hash('sha256', `${commitId}/${i}`);
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
