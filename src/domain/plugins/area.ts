import type { DomainEvent, EventDefinition, EventOf } from '#domain/kernel/event.ts';

export interface Folding {
  readonly key: string;
  /** Time of the commit: UTC, ISO 8601 with milliseconds. */
  readonly at: string;
}

/**
 * One area of what plugins keep: a stream of its own and small documents that follow from it. `S` is a document,
 * `E` what can happen to it. Most areas are one document; others have one under each of several keys.
 */
export interface Area<S = unknown, E extends DomainEvent = DomainEvent> {
  readonly name: string;
  readonly stream: string;
  /** Of a package: raised when `evolve` or `keysOf` changes; the next start rebuilds the tables. */
  readonly version?: number;
  readonly events: readonly EventDefinition[];
  /** A document before its first event. One that is as empty again need not be kept. */
  readonly empty: S;
  keysOf(event: E): readonly string[];
  /** Folds an event into a document; pure, and the same for ever, since projections are rebuilt with it. */
  evolve(document: S, event: E, folding: Folding): S;
}

/** Describes an area. Without `keysOf` it is one document. */
export function defineArea<S, const D extends readonly EventDefinition[]>(area: {
  readonly name: string;
  readonly version?: number;
  readonly events: D;
  readonly empty: S;
  readonly keysOf?: (event: EventOf<D[number]>) => readonly string[];
  readonly evolve: (document: S, event: EventOf<D[number]>, folding: Folding) => S;
}): Area<S, EventOf<D[number]>> {
  return { keysOf: () => [onlyKey], ...area, stream: `${prefix}${area.name}` };
}

/** Key of the document of an area that has only one. */
export const onlyKey = '';

const prefix = 'plugin-';
