import { codec } from '#catalogue/events.ts';
import type { DomainEvent } from '#domain/kernel/event.ts';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { ChainedEvent } from '#eventstore/chain.ts';
import type { LogReader } from '#eventstore/sqlite/log-reader.ts';
import { fieldsOf, isInSealedText, maySet, PASSWORD, provableTexts, setsTexts, valueSetBy } from '#proofs/histories.ts';
import type { Members } from '#proofs/opened.ts';
import { SEED } from '#text/field-seals.ts';

/** An event for a proof. */
export interface Picked {
  readonly event: ChainedEvent;
  /**
   * The sealed fields whose values are to be shown, beside the names of all; null: nothing is shown, not even the names. Where one seal
   * covers all fields of the event, either means all of them.
   */
  readonly opens: readonly string[] | null;
}

export interface Logged {
  readonly log: Pick<LogReader, 'salted'>;
  /** Number of events that the checkpoint covers. */
  readonly size: number;
}

/** An item, and the last position that the question is about. */
interface Asked {
  readonly stream: string;
  readonly position: number;
  /** Whether passwords are shown, too. */
  readonly password?: boolean | undefined;
}

export interface AskedPeriod {
  readonly stream: string;
  readonly low: number;
  readonly high: number;
}

/** The history of an item until a position: all of its events until then, with their texts, and the next, which shows how long it lasted. */
export function eventsOfHistory(
  { stream, position, password = false }: Asked,
  { log, size }: Logged,
): readonly Picked[] | Refusal {
  const rows = rowsOf(stream, { log, size }, position);
  if (isRefusal(rows)) return rows;
  const wanted = [...provableTexts(stream), ...(password ? [PASSWORD] : [])];
  return rows.map((event) => {
    const isOpen = event.position <= position && wanted.some((field) => maySet(field, shownOf(event)));
    return { event, opens: isOpen ? wanted : null };
  });
}

/** The state of an item at a position: all of its events until then, but only the texts that it had then. */
export function eventsOfState(asked: Asked, at: Logged): readonly Picked[] | Refusal {
  const rows = rowsOf(asked.stream, at, asked.position);
  if (isRefusal(rows)) return rows;
  const wanted = [...provableTexts(asked.stream), ...(asked.password === true ? [PASSWORD] : [])];
  return standing(wanted, rows, asked.position).picked;
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
  const { picked, first } = standing([field], rows, position);
  return picked.slice(first);
}

/**
 * What shows the fields that were set last: in each event that set one, that one. From the first of these on, names show that no other
 * event set any of them. An erased text may have set them, but shows nothing.
 */
function standing(fields: readonly string[], rows: readonly ChainedEvent[], position: number) {
  const all = rows.map((event) => ({ event, shown: shownOf(event) }));
  const [[stream = ''] = []] = all.map(({ shown }) => [shown.stream]);
  const isSealed = (field: string) => isInSealedText(field, stream);
  const setters = fields.map((field) => {
    const isSetBy = (shown: ShownEvent) => maySet(field, shown) && !(isSealed(field) && shown.names === null);
    return { field, place: all.findLastIndex(({ event, shown }) => event.position <= position && isSetBy(shown)) };
  });
  const first = Math.max(0, Math.min(...setters.map(({ place }) => place)));
  const picked = all.map(({ event, shown }, i): Picked => {
    const opens = setters.flatMap(({ field, place }) => (place === i && isSealed(field) ? field : []));
    const mayHide = fields.some((field) => isSealed(field) && maySet(field, { ...shown, names: null }));
    return { event, opens: i >= first && event.position <= position && mayHide ? opens : null };
  });
  return { picked, first };
}

/**
 * Whether an item was public in a period: from the event before it that set its status to the first after it. Of sealed texts only
 * passwords that were empty are opened: without one, everybody could read it.
 */
export function eventsOfStatus({ stream, low, high }: AskedPeriod, at: Logged): readonly Picked[] | Refusal {
  const rows = rowsOf(stream, at, high);
  if (isRefusal(rows)) return rows;
  const all = [...rows, ...laterRows(rows, at)];
  const shown = all.map(shownOf);
  const before = (field: string) => all.findLastIndex((event, i) => event.position < low && setsField(field, shown[i]));
  const [status, password] = [before('status'), before(PASSWORD)];
  const isPasswordKnown = shown.some((one) => setsField(PASSWORD, one));
  const end = all.findIndex((event, i) => event.position > high && setsField('status', shown[i]));
  const own = all.slice(
    Math.max(0, isPasswordKnown ? Math.min(status, password) : status),
    end === -1 ? undefined : end + 1,
  );
  const [start, stop] = [own[0]?.position ?? 0, own.at(-1)?.position ?? 0];
  const lost = lossesOf(all, at).filter(({ position }) => position > start && position < Math.max(stop, high + 1));
  const isUnprotected = (event: ChainedEvent) =>
    event.position <= high && shownOf(event).opened?.[PASSWORD] === '' && maySet(PASSWORD, shownOf(event));
  const opens = (event: ChainedEvent) => (isUnprotected(event) ? [PASSWORD] : null);
  if (isPasswordKnown && !wasPublic(own.map(shownOf), low, high)) return neverPublic(stream);
  return [...own, ...lost].sort((a, b) => a.position - b.position).map((event) => ({ event, opens: opens(event) }));
}

export function setsField(field: string, shown: ShownEvent | undefined): boolean {
  return shown !== undefined && maySet(field, shown) && (field !== PASSWORD || shown.names !== null);
}

/** Whether it was public at some moment of a period, or not even published. */
function wasPublic(events: readonly ShownEvent[], low: number, high: number): boolean {
  let [status, password]: [unknown, unknown] = [undefined, undefined];
  let isProtected = false;
  for (const [i, event] of events.entries()) {
    if (event.position > high) break;
    if (setsField('status', event)) status = valueSetBy('status', event);
    if (setsField(PASSWORD, event)) password = event.opened?.[PASSWORD];
    const next = events[i + 1]?.position ?? high + 1;
    if (next <= low || status !== 'publish') continue;
    if (password === '') return true;
    isProtected = true;
  }
  return !isProtected;
}

function neverPublic(stream: string): Refusal {
  return refuse(
    'not_public',
    `${stream} had a password whenever it was published in that period: no visitor could read it without the password.`,
  );
}

/** One event. `isOpen`: its sealed fields are shown; `password`: a password among them, too. */
export function eventAt(
  position: number,
  { isOpen, password = false }: { readonly isOpen: boolean; readonly password?: boolean },
  { log, size }: Logged,
): readonly Picked[] | Refusal {
  if (position > size) return tooEarly(size);
  return [...log.salted({ from: position, to: position, sealed: 'brief' })].map((event) => {
    const names = shownOf(event).names ?? [];
    return { event, opens: isOpen ? names.filter((name) => password || name !== PASSWORD) : null };
  });
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
    picked: covered.map((event) => ({ event, opens: null })),
    ordered: order.position - order.commit.i,
  };
}

const orderTypes = new Set(codec.definitions.flatMap((each) => (each.ordersErasure ? each.type : [])));

/** The rows of a stream up to a position, and the next one that the checkpoint covers. */
function rowsOf(stream: string, { log, size }: Logged, position: number): readonly ChainedEvent[] | Refusal {
  const rows: ChainedEvent[] = [];
  for (const event of log.salted({ stream, sealed: 'brief' })) {
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

export interface ShownEvent extends DomainEvent<string, Members> {
  readonly position: number;
  readonly stream: string;
  /** Null: erased, or without sealed fields. */
  readonly opened: Members | null;
  readonly names: readonly string[] | null;
}

function closed({ position, stream, type, data }: ChainedEvent): ShownEvent {
  return { position, stream, type, data: JSON.parse(data), opened: null, names: null };
}

/** With its sealed fields, in brief. */
export function shownOf(event: ChainedEvent): ShownEvent {
  if (event.sealed === null) return closed(event);
  const { [SEED]: _, ...opened } = JSON.parse(event.sealed) as Members;
  return { ...closed(event), opened, names: Object.keys(opened) };
}

function nothingThen(stream: string): Refusal {
  return refuse('proof_not_found', `There was no ${stream} then.`);
}

function tooEarly(size: number): Refusal {
  return refuse(
    'proof_too_early',
    `The newest checkpoint covers up to position ${size}; "checkpoint make" makes the next at once, and the server within CHECKPOINT_EVERY seconds.`,
  );
}
