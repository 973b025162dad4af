import { setImmediate as turn } from 'node:timers/promises';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';

/** An order to erase what a stream's thing holds. */
export interface Order {
  readonly stream: string;
  /** Of the event that is the order. */
  readonly position: number;
  readonly id: string;
}

/** Types of events that are orders to erase. */
export const orderTypes: readonly string[] = ['EntryErased', 'UserErased', 'MediaErased'];

/** Events between two pauses, in which others have their turn. */
const slice = 1000;

/**
 * Positions of all sealed texts that orders reach and the log still has. Of an entry: all of its stream, what plugins keep
 * for it, and answers to requests that repeat it; of a user: all of his stream, what plugins counted of him, and answers
 * that he got. Answers that have other things embedded are reached by every order, since nobody knows which.
 */
export async function textsOf(
  orders: readonly Order[],
  log: Pick<EventStore, 'read' | 'head'>,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<number[]> {
  const isReached = reachOf(orders);
  const [from, to] = [beginningOf(orders, log), log.head().position];
  const positions: number[] = [];
  let commit: StoredEvent[] = [];
  let since = 0;
  for (const event of log.read({ from, to })) {
    commit.push(event);
    if (event.hash === null) continue;
    for (const each of commit) if (each.sealed !== null && isReached(each, commit)) positions.push(each.position);
    since += commit.length;
    commit = [];
    if (since < slice) continue;
    since = 0;
    onProgress(event.position - from + 1, to - from + 1);
    await turn();
  }
  return positions;
}

/**
 * Tells whether the sealed text of an event can have gone by one of these orders. Any of them can have taken an answer to a
 * request: what was embedded in it nobody sees any more.
 */
export function erasableBy(orders: readonly Pick<Order, 'stream'>[]): (event: Erasable) => boolean {
  const isReached = reachOf(orders);
  return (event) => (event.type === 'RequestAnswered' ? orders.length > 0 : isReached({ ...event, sealed: null }, []));
}

/** The first commit that has one of the things; before it nothing can tell of them. */
function beginningOf(orders: readonly Order[], log: Pick<EventStore, 'read'>): number {
  const firsts = orders.map(({ stream, position }) => {
    const [first] = log.read({ stream, limit: 1 });
    return first === undefined ? position : first.position - first.commit.i;
  });
  return Math.min(...firsts);
}

/** Ids of the things in streams that begin so. */
export function idsOf(area: string, orders: readonly Pick<Order, 'stream'>[]): Set<number> {
  return new Set(orders.flatMap(({ stream }) => (stream.startsWith(area) ? Number(stream.slice(area.length)) : [])));
}

/** What of an event tells who and what it is about. */
export type Erasable = Pick<StoredEvent, 'stream' | 'type' | 'actor' | 'data'>;

function reachOf(
  orders: readonly Pick<Order, 'stream'>[],
): (event: Erasable & Pick<StoredEvent, 'sealed'>, commit: readonly StoredEvent[]) => boolean {
  const streams = new Set(orders.map(({ stream }) => stream));
  const [items, users] = [idsOf('entry-', orders).union(idsOf('media-', orders)), idsOf('user-', orders)];

  const isKeptFor = ({ data }: Erasable): boolean => {
    const { entry, post } = JSON.parse(data) as { readonly entry?: number; readonly post?: number };
    return items.has(entry ?? 0) || items.has(post ?? 0);
  };
  return (event, commit) => {
    const { stream, type, actor, sealed } = event;
    if (streams.has(stream)) return true;
    const isHis = actor !== null && users.has(actor);
    if (type === 'AnalyticsEventRecorded') return isHis;
    if (type === 'RequestAnswered') {
      return isHis || sealed?.includes('_embedded') === true || commit.some((other) => streams.has(other.stream));
    }
    return stream.startsWith('plugin-') && isKeptFor(event);
  };
}
