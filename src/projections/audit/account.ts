import { codec } from '#catalogue/events.ts';
import type { StoredEvent } from '#eventstore/port.ts';
import { summaryOf } from './event-summaries.ts';
import { isErased } from './fields.ts';
import type { Leaps } from './leaps.ts';
import type { AuditNames, Thing } from './names.ts';

export interface Account {
  readonly position: number;
  /** UTC, ISO 8601 with milliseconds. */
  readonly at: string;
  readonly actor: number | null;
  readonly who: string;
  readonly type: string;
  readonly what: string;
  readonly thing: Thing;
  readonly revision: number;
  readonly commit: string;
  readonly end: number;
  readonly correlationId: string;
  readonly erased: boolean;
  readonly hasTexts: boolean;
  /** Seconds by which `at` is ahead of the clock; 0 if it is not, if unknown, or if not requested. */
  readonly ahead: number;
}

/** Describes an event in plain words; with `leaps` also whether its time is right. */
export function auditAccount(stored: StoredEvent, names: AuditNames, leaps?: Leaps): Account {
  const { position, at, actor, type, stream, revision, commit, correlationId } = stored;
  const { describe, texts } = summaryOf(type);
  const { data } = codec.decode(stored);
  const from = names.importedFrom(stored);
  return {
    position,
    at,
    actor,
    who: names.login(actor),
    type,
    what: from === null ? describe(data, names) : `${describe(data, names)}, imported from ${from}`,
    thing: names.thing(stream),
    revision,
    commit: commit.id,
    end: position - commit.i + commit.n - 1,
    correlationId,
    erased: isErased(stored),
    hasTexts: texts !== undefined,
    ahead: leaps?.aheadOf(stored, data) ?? 0,
  };
}

export function isSameAct(a: Account, b: Account): boolean {
  return a.commit === b.commit && a.thing.stream === b.thing.stream;
}
