import { codec } from '#catalogue/events.ts';
import type { DomainEvent } from '#domain/kernel/event.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { ChainedEvent } from '#eventstore/chain.ts';
import type { LogReader } from '#eventstore/log-reader.ts';
import { pieceDone } from '#text/suspended.ts';
import type { Members } from '#transparency/bundle.ts';
import { fieldsOf, isInSealedText, maySet, setsTexts } from '#transparency/histories.ts';

/** An event for a proof, and whether its sealed text is shown. */
export interface Picked {
  readonly event: ChainedEvent;
  readonly isOpen: boolean;
}

interface Logged {
  readonly log: Pick<LogReader, 'salted'>;
  /** Number of events that the checkpoint covers. */
  readonly size: number;
}

/** An item, and the last position that the question is about. */
interface Asked {
  readonly stream: string;
  readonly position: number;
}

export interface AskedPeriod {
  readonly stream: string;
  readonly low: number;
  readonly high: number;
}

/** The whole state of an item at a position: all of its events until then, and the next, which shows how long it lasted. */
export function eventsOfState({ stream, position }: Asked, { log, size }: Logged): readonly Picked[] | Refusal {
  const rows = rowsOf(stream, { log, size }, position);
  if (isRefusal(rows)) return rows;
  return rows.map((event) => ({ event, isOpen: event.position <= position && setsTexts(event) }));
}

/** Version 1 is what was created; each event that changed its texts made another. */
export function versionPosition(stream: string, version: number, { log }: Logged): number | Refusal {
  const made = [...log.salted({ stream, sealed: 'brief' })].filter(setsTexts);
  if (made.length === 0) return nothingThen(stream);
  const found = made[version - 1]?.position;
  return found ?? refuse('version_not_found', `${stream} has versions 1 to ${made.length}.`);
}

/** One field at a position: from the event that last set it. */
export function eventsOfField(field: string, { stream, position }: Asked, at: Logged): readonly Picked[] | Refusal {
  const fields = fieldsOf(stream);
  if (!fields.includes(field)) return refuse('field_not_found', `The fields of ${stream} are ${fields.join(', ')}.`);
  const rows = rowsOf(stream, at, position);
  if (isRefusal(rows)) return rows;
  const isSealed = isInSealedText(field, stream);
  const read = rows.map((event) => ({ event, shown: isSealed ? shownOf(event, at.log) : closed(event) }));
  // An erased text may have set it, but shows nothing.
  const isSetBy = (shown: Shown) => maySet(field, shown) && !(isSealed && shown.opened === null);
  const first = read.findLastIndex(({ event, shown }) => event.position <= position && isSetBy(shown));
  const isOpen = (event: ChainedEvent) => isSealed && event.position <= position && setsTexts(event);
  return read.slice(Math.max(0, first)).map(({ event }) => ({ event, isOpen: isOpen(event) }));
}

/** Whether an item was public in a period: from the event before it that set its status to the first after it. Texts stay sealed. */
export function eventsOfStatus({ stream, low, high }: AskedPeriod, at: Logged): readonly Picked[] | Refusal {
  const rows = rowsOf(stream, at, high);
  if (isRefusal(rows)) return rows;
  const all = [...rows, ...laterRows(rows, at)];
  const isSetBy = (event: ChainedEvent) => maySet('status', closed(event));
  const first = all.findLastIndex((event) => event.position < low && isSetBy(event));
  const end = all.findIndex((event) => event.position > high && isSetBy(event));
  const own = all.slice(Math.max(0, first), end === -1 ? undefined : end + 1);
  const [start, stop] = [own[0]?.position ?? 0, own.at(-1)?.position ?? 0];
  const lost = lossesOf(all, at).filter(({ position }) => position > start && position < Math.max(stop, high + 1));
  return [...own, ...lost].sort((a, b) => a.position - b.position).map((event) => ({ event, isOpen: false }));
}

/** One event. `isOpen`: its sealed text is shown. */
export function eventAt(position: number, isOpen: boolean, { log, size }: Logged): readonly Picked[] | Refusal {
  if (position > size) return tooEarly(size);
  return [...log.salted({ from: position, to: position, sealed: 'brief' })].map((event) => ({ event, isOpen }));
}

/** All of a stream that was ordered to be erased, without texts, and the position of the first event of the order. */
export function eventsOfErasure(
  stream: string,
  { log, size }: Logged,
): { readonly picked: readonly Picked[]; readonly ordered: number } | Refusal {
  const rows = [...log.salted({ stream, sealed: 'brief' })];
  const order = rows.findLast(({ type }) => orderTypes.has(type));
  if (order === undefined) return refuse('erasure_not_found', `Nobody has ordered the erasure of ${stream}.`);
  if (order.position > size) return tooEarly(size);
  const covered = rows.filter(({ position }) => position <= size);
  return {
    picked: covered.map((event) => ({ event, isOpen: false })),
    ordered: order.position - order.commit.i,
  };
}

const orderTypes = new Set(codec.definitions.flatMap((each) => (each.ordersErasure ? each.type : [])));

/** The rows of a stream up to a position, and the next one that the checkpoint covers. */
function rowsOf(stream: string, { log, size }: Logged, position: number): readonly ChainedEvent[] | Refusal {
  const rows: ChainedEvent[] = [];
  for (const event of log.salted({ stream, sealed: 'brief' })) {
    pieceDone();
    if (event.position > position && rows.length === 0) return nothingThen(stream);
    if (event.position > size) {
      if (event.position <= position) return tooEarly(size);
      break;
    }
    rows.push(event);
    if (event.position > position) break;
  }
  return rows.length === 0 ? nothingThen(stream) : rows;
}

function laterRows(rows: readonly ChainedEvent[], { log, size }: Logged): readonly ChainedEvent[] {
  const last = rows.at(-1);
  if (last === undefined) return [];
  const later = [...log.salted({ stream: last.stream, from: last.revision + 1, sealed: 'brief' })];
  return later.filter(({ position }) => position <= size);
}

/** Deletions of accounts that took an entry to the trash: its author's, when nobody inherited it. */
function lossesOf(rows: readonly ChainedEvent[], { log, size }: Logged): ChainedEvent[] {
  const named = (event: ChainedEvent) => closed(event).data as { readonly author?: number; readonly heir?: number };
  const deletions = new Map<number, ChainedEvent>();
  const authors = rows.flatMap((event) => named(event).author ?? []);
  for (const id of authors) {
    const deleted = deletions.has(id) ? undefined : log.salted({ stream: `user-${id}` });
    const found = [...(deleted ?? [])].find(({ type, position }) => type === 'UserDeleted' && position <= size);
    if (found === undefined) continue;
    deletions.set(id, found);
    authors.push(named(found).heir ?? 0);
  }
  let author = 0;
  const inOrder = [...rows, ...deletions.values()].sort((a, b) => a.position - b.position);
  return inOrder.filter((event) => {
    if (event.type !== 'UserDeleted') author = named(event).author ?? author;
    else if (event.stream === `user-${author}`) author = named(event).heir ?? 0;
    return event.type === 'UserDeleted' && author === 0;
  });
}

interface Shown extends DomainEvent<string, Members> {
  readonly stream: string;
  readonly opened: Members | null;
}

function closed({ stream, type, data }: ChainedEvent): Shown {
  return { stream, type, data: JSON.parse(data), opened: null };
}

/** With its sealed text, if that may set a field. */
function shownOf(event: ChainedEvent, log: Logged['log']): Shown {
  const shown = closed(event);
  if (!setsTexts(event)) return shown;
  const [whole] = log.salted({ from: event.position, to: event.position });
  return { ...shown, opened: whole?.sealed ? JSON.parse(whole.sealed) : null };
}

function nothingThen(stream: string): Refusal {
  return refuse('proof_not_found', `There was no ${stream} then.`);
}

function tooEarly(size: number): Refusal {
  return refuse(
    'proof_too_early',
    `The newest checkpoint covers up to position ${size}; the next is made within CHECKPOINT_EVERY seconds.`,
  );
}
