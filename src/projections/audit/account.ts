import { codec } from '#domain/events.ts';
import type { StoredEvent } from '#eventstore/port.ts';
import { tellingOf } from './chronicle.ts';
import type { Leaps } from './leaps.ts';
import type { Names, Thing } from './names.ts';

/** An event as people are told of it. */
export interface Account {
  readonly position: number;
  /** UTC, ISO 8601 with milliseconds. */
  readonly at: string;
  readonly actor: number | null;
  /** Login of who did it, or words where there is none. */
  readonly who: string;
  readonly type: string;
  /** What was done, to be read after who did it. */
  readonly what: string;
  readonly thing: Thing;
  readonly revision: number;
  readonly commit: string;
  /** Position of the last event of the commit. */
  readonly end: number;
  readonly correlationId: string;
  /** Content or personal data of the event has been erased. */
  readonly erased: boolean;
  /** Whether the event says what the texts are since. */
  readonly hasTexts: boolean;
  /** Seconds by which `at` is ahead of the clock; 0 where it is not, where nothing shows it, or where that was not asked for. */
  readonly ahead: number;
}

/** Tells an event in plain words; with `leaps` also whether its time is right. */
export function accountOf(stored: StoredEvent, names: Names, leaps?: Leaps): Account {
  const { position, at, actor, type, stream, revision, commit, correlationId } = stored;
  const { tell, texts } = tellingOf(type);
  const { data } = codec.decode(stored);
  return {
    position,
    at,
    actor,
    who: names.login(actor),
    type,
    what: tell(data, names),
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

/** Whether something of an event was sealed once and is gone. */
export function isErased({ sealed, sealedDigest }: StoredEvent): boolean {
  return sealed === null && sealedDigest !== null;
}

/** Whether two events are what one request did to one thing. */
export function isSameAct(a: Account, b: Account): boolean {
  return a.commit === b.commit && a.thing.stream === b.thing.stream;
}
