import { freeze } from 'immer';
import type { DomainEvent, EventDefinition, EventOf } from '#domain/kernel/event.ts';

export interface Folding {
  readonly key: string;
  /** Time of the commit: UTC, ISO 8601 with milliseconds. */
  readonly at: string;
}

/**
 * One area of plugin state: a stream and small documents folded from it. `S` is a document, `E` an event. Most areas have a single
 * document; others have one for each of several keys.
 */
export interface Area<S = unknown, E extends DomainEvent = DomainEvent> {
  readonly name: string;
  readonly stream: string;
  /** Of a package: raise it when `evolve` or `keysOf` changes; the next start then rebuilds the tables. */
  readonly version?: number;
  readonly events: readonly EventDefinition[];
  /** Types of events that only note what other events did: an undo of these leaves them. */
  readonly notes?: readonly string[];
  /** A document before its first event. Documents that equal it are not stored. */
  readonly empty: S;
  keysOf(event: E): readonly string[];
  /** Folds an event into a document, and changes neither. Has to be pure, and to stay as it is: projections are rebuilt with it. */
  evolve(document: S, event: E, folding: Folding): S;
}

/** Defines an area. Without `keysOf` it has a single document. */
export function defineArea<S, const D extends readonly EventDefinition[]>(area: {
  readonly name: string;
  readonly version?: number;
  readonly events: D;
  readonly notes?: readonly string[];
  readonly empty: S;
  readonly keysOf?: (event: EventOf<D[number]>) => readonly string[];
  readonly evolve: (document: S, event: EventOf<D[number]>, folding: Folding) => S;
}): Area<S, EventOf<D[number]>> {
  // All documents begin with this value: an `evolve` that changed it would change them all, so it fails.
  return { keysOf: () => [onlyKey], ...area, empty: freeze(area.empty, true), stream: `${prefix}${area.name}` };
}

/** Key of the document in an area with only one. */
export const onlyKey = '';

const prefix = 'plugin-';
