import type { EventStore, ReadQuery, StoredEvent } from '#eventstore/port.ts';

/** A log, and where to find what set a field; without that its streams are walked through. */
export interface History extends Pick<EventStore, 'read'> {
  readonly setters?: SetterLookUp | undefined;
}

interface SetterLookUp {
  /** What it does not list yet is read from the log. */
  position(): number;
  /** Position of the last event up to a position that set a field; null if none is listed, except perhaps the first of the stream. */
  last(stream: string, field: string, high: number): number | null;
}

/**
 * The events before a revision that set fields, the newest first, until none is `missing`: the caller takes from it what it has found. Other
 * events may be among them. How many there are does not depend on how long the history is.
 */
export function* settersBefore(
  { stream, revision }: Pick<StoredEvent, 'stream' | 'revision'>,
  missing: ReadonlySet<string>,
  log: History,
): Generator<StoredEvent> {
  const { setters } = log;
  if (setters === undefined) return yield* earlier(stream, revision, log);
  const known = setters.position();
  let from = revision;
  let high = 0;
  while (from > 1 && high === 0) {
    const newest = { stream, from: from - 1, direction: 'backwards', limit: 1 } as const;
    const [next] = log.read({ ...newest, sealed: 'none' });
    if (next === undefined) return;
    if (next.position <= known) high = next.position;
    else yield* log.read(newest);
    if (missing.size === 0) return;
    from = next.revision;
  }
  if (high === 0) return;
  const places = new Set([...missing].flatMap((field) => setters.last(stream, field, high) ?? []));
  for (const at of [...places].sort((a, b) => b - a)) {
    if (missing.size === 0) return;
    yield* log.read({ from: at, to: at });
  }
  if (missing.size > 0) yield* log.read({ stream, limit: 1 });
}

/** The events of a stream before a revision, the newest first. Usually one of the last few is enough; so pieces grow. */
function* earlier(stream: string, revision: number, log: Pick<EventStore, 'read'>): Generator<StoredEvent> {
  for (let from = revision - 1, limit = 2; from > 0; limit *= 4) {
    const events = piece({ stream, from, limit }, log);
    yield* events;
    from = (events.at(-1)?.revision ?? 1) - 1;
  }
}

/** Milliseconds. */
const share = 5;

/** Events backwards from a revision: at most `limit`, and as many as can be read in a share of a turn. */
function piece(query: ReadQuery, log: Pick<EventStore, 'read'>): readonly StoredEvent[] {
  const until = performance.now() + share;
  const events: StoredEvent[] = [];
  for (const event of log.read({ ...query, direction: 'backwards' })) {
    events.push(event);
    if (performance.now() > until) break;
  }
  return events;
}
