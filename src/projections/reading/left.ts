import type { EventStore } from '#eventstore/port.ts';
import type { Endings } from '../kernel/endings.ts';

interface Leaving {
  readonly left: Endings;
}

/** Maximum number of places that were left, of which each is looked at. */
const most = 50;

export interface LeftPlace {
  readonly what: 'item' | 'term' | 'author';
  readonly id: number;
  /** Where the commit begins with which it left. */
  readonly position: number;
}

/** Where commits begin with which something left a place with one of some slugs, newest first; none after `last`. */
export function leftPlaces(tables: readonly Leaving[], slugs: readonly string[], last: number): readonly number[] {
  const about = { last, limit: most };
  const all = new Set(slugs.flatMap((slug) => tables.flatMap(({ left }) => left.of(slug, about))));
  return [...all].sort((a, b) => b - a).slice(0, most);
}

/** All places that were left up to a position, newest first. */
export function everyPlaceLeft(
  items: readonly Leaving[],
  terms: Leaving,
  users: Leaving,
  last: number,
): readonly LeftPlace[] {
  const of = (what: LeftPlace['what'], { left }: Leaving) => left.all(last).map((one) => ({ what, ...one }));
  const all = [...items.flatMap((one) => of('item', one)), ...of('term', terms), ...of('author', users)];
  return all.sort((a, b) => b.position - a.position);
}

/** The time of the commit at a position; null: there is none. */
export function timeOf(position: number, log: Pick<EventStore, 'read'>): string | null {
  const [event] = position === 0 ? [] : log.read({ from: position, limit: 1 });
  return event?.at ?? null;
}
