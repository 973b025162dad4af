import type { DatabaseSync } from 'node:sqlite';
import type { CoreEvent } from '#catalogue/events.ts';
import type { DomainEvent, RecordedEvent } from '#domain/kernel/event.ts';
import {
  type Applying,
  type EntryStep,
  type Erased,
  type EventRun,
  type Fold,
  type Following,
  type Immediate,
  type Opened,
  runsOf,
  type Tables,
} from './projection.ts';
import type { Versioned } from './versions.ts';

interface Place {
  /** 12 for the stream `entry-12`; `NaN` for a stream without a number. */
  readonly id: number;
}

type Handler<T, E extends DomainEvent, P> = (table: T, recorded: RecordedEvent<E>, place: P) => void;

interface Described<T, E extends DomainEvent, P> {
  readonly name: string;
  readonly version: number;
  readonly tables: string;
  readonly versioned?: Readonly<Record<string, Versioned>>;
  readonly lateIndexes?: string;
  readonly isCompared?: boolean;
  readonly touches?: readonly string[];
  readonly open: (db: DatabaseSync) => T;
  readonly on?: { readonly [K in E['type']]?: Handler<T, Extract<E, { type: K }>, P> };
  /** Instead of `on`: handles all events in streams of an area, or all events if no area is given. */
  readonly area?: string;
  readonly apply?: Handler<T, E, P>;
  readonly scan?: (table: T, tables: Tables, onEntry: (id: number) => void) => Iterable<void> | undefined;
  /** Default: possible if no event of these is handled. */
  readonly forget?: (table: T, erased: Erased, tables: Tables) => Generator<void, boolean> | boolean;
}

interface DescribedImmediate<T, E extends DomainEvent> extends Described<T, E, Place & Applying> {
  /** Instead of both: folds the events of whole runs. */
  readonly fold?: (opened: Opened) => Fold;
  readonly onEntry?: (table: T, step: EntryStep) => void;
}

/** Describes a projection that decisions need. Listed in `all.ts`, it gets its tables, versions, invalidation, replay and comparison. */
export function defineProjection<T, E extends DomainEvent = CoreEvent>(
  described: DescribedImmediate<T, E>,
): Immediate<T> {
  const { fold, onEntry, touches = [] } = described;
  const handlerOf = handlersOf(described);
  const projection: Immediate<T> = {
    ...valuesOf(described),
    follows: false,
    fold(opened) {
      if (fold !== undefined) return fold(opened);
      if (handlerOf === null) return null;
      const table = opened.tables.of(projection);
      const apply = ({ area, id, events }: EventRun, applying: Applying) => {
        for (const recorded of events) {
          const handle = handlerOf(area, recorded.event.type);
          if (handle === undefined) continue;
          for (const key of touches) applying.changes.keys.add(key);
          handle(table, recorded, { ...applying, id });
        }
      };
      return { apply };
    },
    onEntry(tables) {
      if (onEntry === undefined) return null;
      const table = tables.of(projection);
      return (step) => onEntry(table, step);
    },
    scan: (tables, onEntry) => described.scan?.(tables.of(projection), tables, onEntry) ?? [],
    forget: (tables, erased) => forgetting(described, { table: tables.of(projection), tables }, erased),
  };
  return projection;
}

/** Describes a projection that no decision needs, so that no write waits for it. It has to be listed in `all.ts`. */
export function defineFollowing<T, E extends DomainEvent = CoreEvent>(described: Described<T, E, Place>): Following<T> {
  const handlerOf = handlersOf(described) ?? (() => undefined);
  const projection: Following<T> = {
    ...valuesOf(described),
    follows: true,
    concerns: (area, type) => handlerOf(area, type) !== undefined,
    carry(tables) {
      const table = tables.of(projection);
      return ({ area, id, events }) => {
        for (const recorded of events) handlerOf(area, recorded.event.type)?.(table, recorded, { id });
      };
    },
    scan: (tables, onEntry) => described.scan?.(tables.of(projection), tables, onEntry) ?? [],
    forget: (tables, erased) => forgetting(described, { table: tables.of(projection), tables }, erased),
  };
  return projection;
}

function* forgetting<T, E extends DomainEvent, P>(
  described: Described<T, E, P> & { readonly fold?: unknown },
  { table, tables }: { readonly table: T; readonly tables: Tables },
  erased: Erased,
): Generator<void, boolean> {
  const { forget, fold } = described;
  if (forget === undefined) {
    const handlerOf = handlersOf(described);
    const isHandled = ({ area, events }: EventRun) => events.some(({ event }) => handlerOf?.(area, event.type));
    return fold === undefined && !runsOf(erased.events).some(isHandled);
  }
  const forgotten = forget(table, erased, tables);
  return typeof forgotten === 'boolean' ? forgotten : yield* forgotten;
}

function valuesOf<T, E extends DomainEvent, P>(described: Described<T, E, P>) {
  const { name, version, tables, versioned = {}, lateIndexes = '', isCompared = true, touches = [], open } = described;
  return { name, version, tables, versioned, lateIndexes, isCompared, touches, open };
}

/** Returns a look-up of handlers by area and type; null if no event is handled. */
function handlersOf<T, E extends DomainEvent, P>({ area, apply, on }: Described<T, E, P>) {
  type Any = Handler<T, DomainEvent, P>;
  const byType = new Map(Object.entries(on ?? {})) as ReadonlyMap<string, Any>;
  if (apply === undefined) return byType.size === 0 ? null : (_: string, type: string) => byType.get(type);
  return (at: string) => (area === undefined || at === area ? (apply as Any) : undefined);
}
