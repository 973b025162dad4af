import { type ChainedEvent, commitHash, EMPTY_HEAD, sealHolds } from '../chain.ts';
import type { NotedHead } from '../head-file.ts';

export interface Gap {
  readonly from: number;
  readonly to: number;
  readonly hash: string;
}

type Events = readonly ChainedEvent[];

/** Content of a damaged log: a whole commit, or a gap before one. */
export type Salvaged =
  | { readonly kind: 'commit'; readonly events: Events }
  | { readonly kind: 'gap'; readonly gap: Gap };

interface Fitting {
  readonly events: Events;
  readonly previous: string;
  readonly hash: string;
}

/**
 * Yields the commits that are whole. The hash of a commit covers the previous commit's hash, so a commit is valid if it matches its own
 * hash on top of the hash recorded just before it, whatever else is lost there. Where only a recorded hash is damaged, the next commit
 * proves its value; for the last commit `noted`, the head recorded elsewhere, does.
 */
export function* wholeCommits(events: Iterable<ChainedEvent>, noted: NotedHead | null): Generator<Salvaged> {
  let end = 0;
  let before: NotedHead = EMPTY_HEAD;
  let doubtful: Fitting | null = null;

  function* take({ events, previous, hash }: Fitting): Generator<Salvaged> {
    const [first, last] = [events[0], events.at(-1)];
    if (first === undefined || last === undefined || !events.every(sealHolds)) return;
    if (first.position > end + 1) yield { kind: 'gap', gap: { from: end + 1, to: first.position - 1, hash: previous } };
    yield { kind: 'commit', events: commitFrom(events, hash) };
    end = last.position;
  }

  for (const run of runsOf(events)) {
    const [first, last] = [run[0], run.at(-1)];
    if (first === undefined || !last?.hash) continue;
    const fitting = (previous: string): Fitting => ({ events: run, previous, hash: commitHash(previous, run) });
    const plain = before.position === first.position - 1 ? fitting(before.hash) : null;
    const mended = plain === null || doubtful === null ? null : fitting(doubtful.hash);
    if (plain?.hash === last.hash) {
      yield* take(plain);
      doubtful = null;
    } else if (doubtful !== null && mended?.hash === last.hash) {
      yield* take(doubtful);
      yield* take(mended);
      doubtful = null;
    } else doubtful = plain;
    before = { position: last.position, hash: last.hash };
  }
  if (doubtful !== null && doubtful.hash === noted?.hash) yield* take(doubtful);
}

function* runsOf(events: Iterable<ChainedEvent>): Generator<Events> {
  let run: ChainedEvent[] = [];
  for (const event of events) {
    const last = run.at(-1);
    if (last !== undefined && event.position !== last.position + 1) run = [];
    run.push(event);
    if (event.hash === null) continue;
    yield run;
    run = [];
  }
}

function commitFrom(events: Events, hash: string): Events {
  const n = events.length;
  return events.map((event, i) => ({
    ...event,
    commit: { id: event.commit.id, i, n },
    hash: i === n - 1 ? hash : null,
  }));
}
