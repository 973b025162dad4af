import type { DatabaseSync } from 'node:sqlite';
import type { CoreEvent } from '#domain/events.ts';
import type { DomainEvent, RecordedEvent } from '#domain/kernel/event.ts';
import type { Applying, EntryStep, Fold, Opened, Projection, Run, Tables } from './projection.ts';

/** Where an event stands, and what it may change besides tables. */
interface Place extends Applying {
  /** 12 of the stream `entry-12`; `NaN` where it has no number. */
  readonly id: number;
}

type Handlers<T, E extends DomainEvent> = {
  readonly [K in E['type']]?: (table: T, recorded: RecordedEvent<Extract<E, { type: K }>>, place: Place) => void;
};

interface Described<T, E extends DomainEvent> {
  readonly name: string;
  readonly version: number;
  readonly tables: string;
  readonly lateIndexes?: string;
  readonly isCompared?: boolean;
  readonly touches?: readonly string[];
  readonly open: (db: DatabaseSync) => T;
  /** What each type of event does. */
  readonly on?: Handlers<T, E>;
  /** In place of `on`: what all events of streams of an area do. */
  readonly area?: string;
  readonly apply?: (table: T, recorded: RecordedEvent<E>, place: Place) => void;
  /** In place of both: takes the events of whole runs. */
  readonly fold?: (opened: Opened) => Fold;
  readonly onEntry?: (table: T, step: EntryStep) => void;
  readonly scan?: (table: T, tables: Tables, onEntry: (id: number) => void) => Iterable<void> | undefined;
}

/** Describes a projection. A line in `all.ts` makes it one: tables, versions, replay and comparison follow. */
export function defineProjection<T, E extends DomainEvent = CoreEvent>(described: Described<T, E>): Projection<T> {
  const { name, version, tables, lateIndexes = '', isCompared = true, touches = [], open, onEntry, scan } = described;
  const projection: Projection<T> = {
    ...{ name, version, tables, lateIndexes, isCompared, touches, open },
    fold: (opened) => described.fold?.(opened) ?? foldOf(opened.tables.of(projection), described),
    onEntry(tables) {
      if (onEntry === undefined) return null;
      const table = tables.of(projection);
      return (step) => onEntry(table, step);
    },
    scan: (tables, told) => scan?.(tables.of(projection), tables, told) ?? [],
  };
  return projection;
}

function foldOf<T, E extends DomainEvent>(table: T, { area, apply, on, touches = [] }: Described<T, E>): Fold | null {
  if (on === undefined && apply === undefined) return null;
  const handlers = new Map(Object.entries(on ?? {})) as ReadonlyMap<string, Handler<T>>;
  const handlerOf = (run: Run, type: string) => (run.area === area ? (apply as Handler<T>) : handlers.get(type));
  return {
    apply(run, applying) {
      const place = { ...applying, id: run.id };
      for (const recorded of run.events) {
        const handle = handlerOf(run, recorded.event.type);
        if (handle === undefined) continue;
        for (const key of touches) applying.changes.keys.add(key);
        handle(table, recorded, place);
      }
    },
  };
}

type Handler<T> = (table: T, recorded: RecordedEvent, place: Place) => void;
