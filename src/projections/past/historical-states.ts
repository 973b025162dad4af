import type { EntryDeletedEvent, EntryEvent } from '#domain/entry/events.ts';
import { newestFirst, revisionChange } from '#domain/entry/revisions.ts';
import {
  changesEntry,
  concerns,
  type Entry,
  type EntryFact,
  entryStream,
  evolveEntry,
  isLoss,
} from '#domain/entry/state.ts';
import type { DomainEvent, RecordedEvent } from '#domain/kernel/event.ts';
import type { MediaDeletedEvent, MediaEvent } from '#domain/media/events.ts';
import { concernsMedia, evolveMedia, type Media, type MediaLossEvent, mediaStream } from '#domain/media/state.ts';
import type { TermDeletedEvent, TermEvent } from '#domain/term/events.ts';
import { evolveTerm, type Term, termStream } from '#domain/term/state.ts';
import type { UserDeletedEvent } from '#domain/user/events.ts';
import type { EventStore } from '#eventstore/port.ts';
import { type RevisionRow, toRevisionRow } from '../entries/revisions.ts';
import { eventsUntil } from '../kernel/events-until.ts';
import { nowhere, placesAfter, placesKept } from '../kernel/text-places.ts';

export interface Folded<S> {
  readonly state: S;
  readonly touched: number;
}

export interface FoldedEntry extends Folded<Entry> {
  readonly version: number;
}

export interface DeletionsUntil {
  terms(position: number): readonly Placed<TermDeletedEvent>[];
  media(position: number): readonly Placed<MediaDeletedEvent>[];
  users(position: number): readonly Placed<UserDeletedEvent>[];
  parents(ids: readonly number[], position: number): readonly Placed<EntryDeletedEvent>[];
}

interface Placed<E> {
  readonly event: E;
  readonly position: number;
}

/** States as of a position, folded from the log; null: the item did not exist. */
export class HistoricalStates {
  readonly position: number;
  readonly #log: Pick<EventStore, 'read'>;
  readonly #deletions: DeletionsUntil;
  #deletedTerms: readonly Placed<TermDeletedEvent>[] | undefined;
  #deletedMedia: readonly Placed<MediaDeletedEvent>[] | undefined;
  #deletedUsers: readonly Placed<UserDeletedEvent>[] | undefined;

  constructor(position: number, log: Pick<EventStore, 'read'>, deletions: DeletionsUntil) {
    this.position = position;
    this.#log = log;
    this.#deletions = deletions;
  }

  entry(id: number): FoldedEntry | null {
    const own = this.#placed<EntryFact>(entryStream(id));
    // The loss of a term, an image, the author or the parent is an event of another stream.
    const deletions: Placed<EntryFact>[] =
      own.length === 0 ? [] : [...this.#terms(), ...this.#media(), ...this.#users(), ...this.#parents(own)];
    let state: Entry | null = null;
    let touched = 0;
    let version = 0;
    for (const { event, position } of inOrder(own, deletions)) {
      if (isLoss(event) && (state === null || !concerns(state, event))) continue;
      state = evolveEntry(state, [event]);
      touched = position;
      if (changesEntry(event)) version = position;
    }
    return state && { state, touched, version };
  }

  revisions(parent: number): readonly RevisionRow[] {
    const rows = new Map<number, RevisionRow>();
    let places = nowhere;
    for (const { event, meta } of this.#events(entryStream(parent)) as RecordedEvent<EntryEvent>[]) {
      places = placesAfter(places, event, meta.position);
      const change = revisionChange(event);
      if (change === null) continue;
      if ('dropped' in change) rows.delete(change.dropped);
      else {
        const kept = placesKept(places, event, meta.position);
        rows.set(change.kept.id, toRevisionRow(change.kept, { parent, places: kept }, meta));
      }
    }
    return [...rows.values()].sort(newestFirst);
  }

  media(id: number): Folded<Media> | null {
    const own = this.#placed<MediaEvent>(mediaStream(id));
    let state: Media | null = null;
    let touched = 0;
    const deletions = own.length === 0 ? [] : [...this.#media(), ...this.#users(), ...this.#parents(own)];
    for (const { event, position } of inOrder<MediaEvent | MediaLossEvent>(own, deletions)) {
      const isOwn = event.type === 'MediaDeleted' && event.data.id === id;
      if (isMediaLoss(event) && !isOwn && (state === null || !concernsMedia(state, event))) continue;
      state = evolveMedia(state, event);
      touched = position;
    }
    return state && { state, touched };
  }

  term(id: number): Folded<Term> | null {
    const own = this.#placed<TermEvent>(termStream(id));
    const deletions = this.#terms().filter(({ event }) => event.data.id !== id);
    let state: Term | null = null;
    let touched = 0;
    for (const { event, position } of inOrder<TermEvent>(own, own.length === 0 ? [] : deletions)) {
      if (event.data.id === id) state = evolveTerm(state, event);
      else if (event.type === 'TermDeleted' && state !== null && isParent(event, state))
        state = withParentOf(state, event);
      else continue;
      touched = position;
    }
    return state && { state, touched };
  }

  #terms(): readonly Placed<TermDeletedEvent>[] {
    this.#deletedTerms ??= this.#deletions.terms(this.position);
    return this.#deletedTerms;
  }

  #media(): readonly Placed<MediaDeletedEvent>[] {
    this.#deletedMedia ??= this.#deletions.media(this.position);
    return this.#deletedMedia;
  }

  #users(): readonly Placed<UserDeletedEvent>[] {
    this.#deletedUsers ??= this.#deletions.users(this.position);
    return this.#deletedUsers;
  }

  #parents(own: readonly Placed<EntryFact | MediaEvent>[]): readonly Placed<EntryDeletedEvent>[] {
    const named = own.flatMap(({ event: { data } }) => ('parent' in data && data.parent ? data.parent : []));
    return named.length === 0 ? [] : this.#deletions.parents(named, this.position);
  }

  #placed<E>(stream: string): Placed<E>[] {
    return this.#events(stream).map(({ event, meta }) => ({ event: event as E, position: meta.position }));
  }

  #events(stream: string): RecordedEvent<DomainEvent>[] {
    return eventsUntil(this.#log, stream, this.position);
  }
}

function isMediaLoss(event: MediaEvent | MediaLossEvent): event is MediaLossEvent {
  return event.type === 'MediaDeleted' || event.type === 'UserDeleted' || event.type === 'EntryDeleted';
}

function isParent({ data }: TermDeletedEvent, { parent, taxonomy }: Term): boolean {
  return parent === data.id && taxonomy === data.taxonomy;
}

function withParentOf(term: Term, { data }: TermDeletedEvent): Term {
  return { ...term, parent: data.parent };
}

function inOrder<E>(own: readonly Placed<E>[], deletions: readonly Placed<E>[]): readonly Placed<E>[] {
  return deletions.length === 0 ? own : [...own, ...deletions].sort((a, b) => a.position - b.position);
}
