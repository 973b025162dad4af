import { setImmediate as turn } from 'node:timers/promises';
import { codec } from '#catalogue/events.ts';
import { isOfPackage } from '#domain/kernel/codec.ts';
import { ofItsStream, type Subject } from '#domain/kernel/subject.ts';
import { releases } from '#domain/release/area.ts';
import type { EventStore, StoredEvent } from '#eventstore/port.ts';
import { search } from '#projections/audit/search.ts';
import type { TrailTable } from '#projections/audit/trail.ts';

/** A log and its trail; null: the whole log is read, which is slow. */
interface Archive {
  readonly log: Pick<EventStore, 'read' | 'head'>;
  readonly trail: Pick<TrailTable, 'position' | 'find' | 'typesIn'> | null;
}

export interface ErasureOrder {
  readonly stream: string;
  readonly position: number;
  readonly id: string;
}

export const orderTypes: readonly string[] = codec.definitions.flatMap((each) => (each.ordersErasure ? each.type : []));

/** Looking for each takes as long as reading the file. */
const maxPassages = 4;
/** Events between two pauses for other work. */
const slice = 1000;
/** Rows of the trail between two pauses. */
const stretch = 50_000;

/** A sealed text, by the position of its event. */
export interface ReachedText {
  readonly position: number;
  /** The log no longer has it. */
  readonly isEmpty: boolean;
}

/** Returns the positions of all sealed texts that orders reach and the log still has. */
export async function textsToErase(...[orders, archive]: Parameters<typeof textsReached>): Promise<number[]> {
  return (await textsReached(orders, archive)).flatMap(({ position, isEmpty }) => (isEmpty ? [] : position));
}

/** Returns all sealed texts that orders reach, in log order. An event's definition declares its subjects. */
export async function textsReached(
  orders: readonly ErasureOrder[],
  archive: Archive,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<ReachedText[]> {
  const { log } = archive;
  const isReached = reachOf(orders);
  const reached = new Map<number, boolean>();
  const look = (event: StoredEvent) => {
    if (event.sealedDigest === null || !isReached(event, () => othersOf(event, log))) return;
    reached.set(event.position, event.sealed === null);
  };
  for (const { stream } of orders) for (const event of log.read({ stream })) look(event);
  const [low, high] = [beginningOf(orders, log), log.head().position];
  let since = 0;
  const types = await typesOfOthers(archive, high);
  for (const event of search({ types, low, high, direction: 'forwards' }, archive)) {
    if (event !== null) look(event);
    since += 1;
    if (event !== null && since < slice) continue;
    since = 0;
    if (event !== null) onProgress(event.position - low + 1, high - low + 1);
    await turn();
  }
  return [...reached].map(([position, isEmpty]) => ({ position, isEmpty })).sort((a, b) => a.position - b.position);
}

/** Types of events whose texts may belong to others than their stream; undefined: any. */
async function typesOfOthers(archive: Archive, high: number): Promise<readonly string[] | undefined> {
  if (archive.trail === null) return undefined;
  const types = new Set<string>();
  for (const { type, sealed, subjects } of codec.definitions) {
    if (sealed.length > 0 && subjects !== ofItsStream) types.add(type);
  }
  // Those of plugins that are not installed, too.
  for (let low = 1; low <= high; low += stretch) {
    const stored = archive.trail?.typesIn({ low, high: Math.min(high, low + stretch - 1) }) ?? [];
    for (const type of stored) if (isOfPackage(type)) types.add(type);
    await turn();
  }
  return [...types];
}

function othersOf({ position, commit: { i, n } }: StoredEvent, log: Archive['log']): readonly StoredEvent[] {
  const from = position - i;
  return [...log.read({ from, to: from + n - 1 })].filter((other) => other.position !== position);
}

/** Passages of texts in the streams of orders, each so long that hardly any other text has it. */
export function passagesIn(
  positions: readonly number[],
  orders: readonly Pick<ErasureOrder, 'stream'>[],
  log: Pick<EventStore, 'read'>,
): readonly string[] {
  const streams = new Set(orders.map(({ stream }) => stream));
  const passages = new Set<string>();
  for (const from of positions) {
    const [event] = log.read({ from, limit: 1 });
    if (event === undefined || !streams.has(event.stream)) continue;
    const passage = passageIn(event.sealed ?? '');
    if (passage !== undefined) passages.add(passage);
    if (passages.size === maxPassages) break;
  }
  return [...passages];
}

/** The first 6 to 13 words of a text that are written the same everywhere: in JSON, in HTML and as they are. */
function passageIn(text: string): string | undefined {
  for (const [run] of text.matchAll(/(?<![A-Za-z0-9.,])[A-Za-z0-9.,]+(?: [A-Za-z0-9.,]+)*/g)) {
    const words = run.split(' ', 13);
    if (words.length > 5) return words.join(' ');
  }
  return undefined;
}

export function erasableBy(orders: readonly Pick<ErasureOrder, 'stream'>[]): (event: Erasable) => boolean {
  const isReached = reachOf(orders);
  return (event) => isReached({ ...event, sealed: null }, () => []);
}

/**
 * First position to search: the first commit of any of the streams, or of what waited in releases before the items were made; 1 if a stream
 * begins with its order.
 */
function beginningOf(orders: readonly ErasureOrder[], log: Pick<EventStore, 'read'>): number {
  const firsts = orders.map(({ stream }) => {
    const [first] = log.read({ stream, limit: 1 });
    return first === undefined || orderTypes.includes(first.type) ? 1 : first.position - first.commit.i;
  });
  const [waiting] = log.read({ stream: releases.stream, limit: 1 });
  return Math.min(...firsts, waiting?.position ?? Number.POSITIVE_INFINITY);
}

export function commentCorrelations(reached: readonly ReachedText[], log: Pick<EventStore, 'read'>): readonly string[] {
  const ids = reached.flatMap(({ position: from }) => {
    const [event] = log.read({ from, limit: 1 });
    return /^(?:comment-|plugin-contact$)/.test(event?.stream ?? '') ? (event?.correlationId ?? []) : [];
  });
  return [...new Set(ids)];
}

export function idsOf(area: string, orders: readonly Pick<ErasureOrder, 'stream'>[]): Set<number> {
  return new Set(orders.flatMap(({ stream }) => (stream.startsWith(area) ? Number(stream.slice(area.length)) : [])));
}

export type Erasable = Pick<StoredEvent, 'stream' | 'type' | 'v' | 'actor' | 'data'>;
type Sealed = Erasable & Pick<StoredEvent, 'sealed'> & Partial<Pick<StoredEvent, 'position'>>;
type Reaching = Pick<ErasureOrder, 'stream'> & Partial<Pick<ErasureOrder, 'position'>>;

function reachOf(orders: readonly Reaching[]): (event: Sealed, others: () => readonly Sealed[]) => boolean {
  const reached = new Map<string, number>();
  const add = (subject: string, position: number) => {
    reached.set(subject, Math.max(position, reached.get(subject) ?? 0));
  };
  for (const { stream, position = Number.POSITIVE_INFINITY } of orders) {
    add(stream, stream.startsWith('address-') ? position : Number.POSITIVE_INFINITY);
    add('anybody' satisfies Subject, Number.POSITIVE_INFINITY);
  }
  return (event, others) => {
    const { stream, type, v, actor, data, sealed } = event;
    const subjects = codec.subjects({
      stream,
      type,
      v,
      actor,
      data,
      sealed,
      get others() {
        return others().flatMap(about);
      },
    });
    return subjects.some((subject) => (event.position ?? 0) < (reached.get(subject) ?? 0));
  };
}

function about({ stream, type, v, actor, data, sealed }: Sealed): readonly string[] {
  return [stream, ...codec.subjects({ stream, type, v, actor, data, sealed, others: [] })];
}
