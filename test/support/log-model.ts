import type { Commit, StoredEvent } from '#eventstore/port.ts';

/** The members of an event that the model predicts: those that depend neither on randomness nor on hashing. */
export type ModelEvent = Omit<StoredEvent, 'id' | 'sealedDigest' | 'hash'>;

/** An event log in its plainest form: a list, searched from the start each time. */
export interface LogModel {
  readonly events: readonly ModelEvent[];
  append(commits: readonly Commit[], expectedPosition: number): ModelOutcome;
}

export type ModelOutcome = { readonly position: number; readonly stream?: string | null };

export function createLogModel(): LogModel {
  let log: ModelEvent[] = [];
  return {
    get events() {
      return log;
    },
    append(commits, expectedPosition) {
      const position = log.length;
      if (expectedPosition !== position) return { position, stream: null };
      let next = log;
      for (const commit of commits) {
        for (const { stream, revision } of commit.expect ?? []) {
          if (countOf(next, stream) !== revision) return { position, stream };
        }
        next = withCommit(next, commit);
      }
      log = next;
      return { position: log.length };
    },
  };
}

function withCommit(log: readonly ModelEvent[], commit: Commit): ModelEvent[] {
  const { id, actor, correlationId, causationId, events } = commit;
  const at = [commit.at, log.at(-1)?.at ?? commit.at].sort()[1] ?? commit.at;
  const next = [...log];
  for (const [i, event] of events.entries()) {
    const place = { position: next.length + 1, revision: countOf(next, event.stream) + 1 };
    next.push({ ...event, ...place, at, actor, correlationId, causationId, commit: { id, i, n: events.length } });
  }
  return next;
}

function countOf(log: readonly ModelEvent[], stream: string): number {
  return log.filter((event) => event.stream === stream).length;
}
