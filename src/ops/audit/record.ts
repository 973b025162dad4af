import type { OriginOf } from '#domain/kernel/origin.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import { auditAccount } from '#projections/audit/account.ts';
import { changesBy } from '#projections/audit/changes.ts';
import type { Leaps } from '#projections/audit/leaps.ts';
import type { AuditNames } from '#projections/audit/names.ts';
import { csvLine } from '#text/csv.ts';
import { differences } from '#text/differences.ts';

export interface RecordSource {
  readonly names: AuditNames;
  readonly leaps: Leaps;
  readonly originOf: OriginOf;
}

export interface RecordForm {
  readonly head: string;
  /** Takes the next event. Returns the text that it completes, possibly empty. */
  take(event: StoredEvent): string;
  end(): string;
}

/** One line of JSON per event; with `diff`, the log to read texts from, also the changes of the event. */
export function jsonForm(source: RecordSource, diff: Pick<EventStore, 'read'> | null): RecordForm {
  const changesOf = (event: StoredEvent, log: Pick<EventStore, 'read'>) =>
    changesBy(event, log)?.changes.map(({ name, before, after }) => ({ name, pieces: differences(before, after) })) ??
    [];
  const recordWith = (event: StoredEvent) => {
    const record = recordOf(event, source);
    return diff === null ? record : { ...record, changes: changesOf(event, diff) };
  };
  return { head: '', take: (event) => `${JSON.stringify(recordWith(event))}\n`, end: () => '' };
}

const columns = [
  ...['position', 'time', 'user id', 'user', 'event', 'what', 'stream', 'kind', 'id', 'title', 'revision'],
  ...['commit', 'correlation id', 'from', 'erased', 'seconds ahead'],
];

/** CSV (RFC 4180). */
export function csvForm(source: RecordSource): RecordForm {
  return { head: csvLine(columns), take: (event) => csvLine(Object.values(recordOf(event, source))), end: () => '' };
}

function recordOf(event: StoredEvent, { names, leaps, originOf }: RecordSource) {
  const account = auditAccount(event, names, leaps);
  const { position, at, actor, who, type, what, thing, revision, commit, correlationId, erased, ahead } = account;
  const from = originOf({ position: account.end, correlationId });
  const { stream, kind, id, title } = thing;
  return {
    position,
    at,
    actor,
    who,
    type,
    what,
    stream,
    kind,
    id,
    title,
    revision,
    commit,
    correlationId,
    from,
    erased,
    ahead,
  };
}
