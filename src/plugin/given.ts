import { freeze } from 'immer';
import type { DomainEvent } from '#domain/kernel/event.ts';
import { isRefusal, type Refusal } from '#domain/kernel/refusal.ts';
import { type Area, onlyKey } from '#domain/plugins/area.ts';

/** What an area holds after some events. */
export interface Given<S, E extends DomainEvent> {
  /** A document; `key` is for areas with several. */
  document(key?: string): S;
  /** The documents that events concern, by key. */
  readonly documents: ReadonlyMap<string, S>;
  /** What a decision returns for a document: events that the server could store, or a refusal. */
  when<R extends readonly E[] | Refusal>(decide: (document: S) => R, key?: string): R;
  /** The same after more events. `times`: how often they happen, one time after the other. Default: once. */
  when(events: readonly E[], options?: { readonly times?: number }): Given<S, E>;
}

/**
 * Folds events of an area as the server does. Throws for events that the server could not store, and where `evolve` or a decision changes
 * what it is given. `at`: time of the commit.
 */
export function given<S, E extends DomainEvent>(
  area: Area<S, E>,
  events: readonly E[] = [],
  { at = '2026-01-01T00:00:00.000Z' }: { readonly at?: string } = {},
): Given<S, E> {
  const empty = freeze(area.empty, true);
  const documents = new Map<string, S>();
  const document = (key: string = onlyKey) => documents.get(key) ?? empty;
  for (const event of events) {
    const stored = storable(area, event);
    for (const key of area.keysOf(stored)) {
      documents.set(key, freeze(area.evolve(document(key), stored, { key, at }), true));
    }
  }
  const decided = <R extends readonly E[] | Refusal>(decide: (document: S) => R, key?: string): R => {
    const found = decide(document(key));
    const made: readonly E[] | Refusal = found;
    if (!isRefusal(made)) for (const event of made) storable(area, event);
    return found;
  };
  const after = (more: readonly E[], { times = 1 }: { readonly times?: number } = {}) =>
    given(area, [...events, ...Array.from({ length: times }, () => more).flat()], { at });
  const when = (what: readonly E[] | ((document: S) => readonly E[] | Refusal), about?: string | { times?: number }) =>
    typeof what === 'function'
      ? decided(what, about as string | undefined)
      : after(what, about as { times?: number } | undefined);
  return { document, documents, when: when as Given<S, E>['when'] };
}

function storable<E extends DomainEvent>(area: Area<unknown, E>, event: E): E {
  const definition = area.events.find(({ type }) => type === event.type);
  if (definition === undefined) throw new TypeError(`${area.name} has no event ${event.type}`);
  return freeze({ ...event, data: definition.schema.parse(structuredClone(event.data)) }, true);
}
