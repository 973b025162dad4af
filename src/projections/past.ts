import type { EntryEvent } from '#domain/entry/events.ts';
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
import type { RevisionTexts } from '#domain/entry/texts.ts';
import type { DomainEvent, RecordedEvent } from '#domain/kernel/event.ts';
import type { MediaEvent } from '#domain/media/events.ts';
import { evolveMedia, losesFeatured, type Media, mediaStream } from '#domain/media/state.ts';
import type { SiteEvent } from '#domain/site/events.ts';
import { defaultSite, evolveSite, type Site, siteStream } from '#domain/site/state.ts';
import type { Taxonomy, TermEvent } from '#domain/term/events.ts';
import { evolveTerm, type Term, termStream } from '#domain/term/state.ts';
import type { UserEvent } from '#domain/user/events.ts';
import { evolveUser, type User, userStream } from '#domain/user/state.ts';
import type { EventStore } from '#eventstore/port.ts';
import { toRecorded } from './catchup.ts';
import type { Found } from './collection/types.ts';
import { render } from './entries/render.ts';
import type { EntryRow, Texts } from './entries/row.ts';
import { type MediaRow, toRow } from './media/row.ts';
import type { Model } from './model.ts';
import { lineage, type Reader } from './reader.ts';
import { type RevisionRow, toRevisionRow } from './revisions.ts';
import type { TermRow } from './terms.ts';
import type { UserRow } from './users.ts';

interface Folded {
  readonly entry: Entry;
  /** Positions of the last event that concerned it, and of the last that changed it. */
  readonly touched: number;
  readonly version: number;
  /** Made when it is asked for. */
  row?: EntryRow;
}

/**
 * The site as it stood at a position, folded from the log as far as it is asked for. It answers what items need;
 * collections of the past are not its business, nor are the names that were taken then: a slug that is offered
 * is the one from the title, without a number. Counts of published entries are left at 0.
 */
export class PastModel implements Model {
  readonly position: number;
  readonly #log: EventStore;
  readonly #now: Reader;
  readonly #entries = new Map<number, Folded | null>();

  constructor(position: number, log: EventStore, now: Reader) {
    this.position = position;
    this.#log = log;
    this.#now = now;
  }

  present(): Model {
    return this.#now;
  }

  site(): Site {
    const fold = (site: Site, { event }: RecordedEvent) => evolveSite(site, event as SiteEvent);
    return this.#events(siteStream).reduce(fold, defaultSite);
  }

  entry(id: number): EntryRow | undefined {
    const known = this.#fold(id);
    if (known === null) return undefined;
    const { entry, touched, version } = known;
    known.row ??= { ...entry, ...render(entry), ord: 0, touched, version };
    return known.row;
  }

  view(): undefined {
    return undefined;
  }

  viewList(): undefined {
    return undefined;
  }

  texts(id: number): Texts | undefined {
    const known = this.#fold(id);
    return known === null ? undefined : { content: known.entry.content, excerpt: known.entry.excerpt };
  }

  /** Known only as long as it is there now. */
  revision(id: number): RevisionRow | undefined {
    const now = this.#now.revision(id);
    return now && this.revisions(now.parent).find((revision) => revision.id === id);
  }

  revisions(parent: number): readonly RevisionRow[] {
    const rows = new Map<number, RevisionRow>();
    if (this.#fold(parent) === null) return [];
    for (const { event, meta } of this.#events(entryStream(parent))) {
      const change = revisionChange(event as EntryEvent);
      if (change === null) continue;
      if ('dropped' in change) rows.delete(change.dropped);
      else rows.set(change.kept.id, toRevisionRow(change.kept, parent, meta));
    }
    return [...rows.values()].sort(newestFirst);
  }

  revisionTexts(revision: RevisionRow): RevisionTexts {
    return this.#now.revisionTexts(revision);
  }

  lineage(id: number): readonly number[] {
    return lineage(id, (entry) => this.#fold(entry)?.entry.parent ?? 0);
  }

  slugTaken(): boolean {
    return false;
  }

  named(): readonly number[] {
    return [];
  }

  nameTaken(): boolean {
    return false;
  }

  media(id: number): MediaRow | undefined {
    const own = this.#events(mediaStream(id)).map(({ event, meta }) => ({
      event: event as MediaEvent,
      position: meta.position,
    }));
    const lost = own.length === 0 ? [] : this.#now.lostMedia(this.position);
    let media: Media | null = null;
    let touched = 0;
    for (const { event, position } of [...own, ...lost].sort((a, b) => a.position - b.position)) {
      const isOthers = event.type === 'MediaDeleted' && event.data.id !== id;
      if (isOthers && (media === null || !losesFeatured(media, event))) continue;
      media = evolveMedia(media, event);
      touched = position;
    }
    return media === null ? undefined : toRow(media, { ord: 0, touched });
  }

  term(id: number): TermRow | undefined {
    const fold = (term: Term | null, { event }: RecordedEvent) => evolveTerm(term, event as TermEvent);
    const term = this.#events(termStream(id)).reduce<Term | null>(fold, null);
    return term === null ? undefined : { ...term, touched: this.position, published: 0 };
  }

  termBySlug(taxonomy: Taxonomy, slug: string): TermRow | undefined {
    return this.terms(taxonomy).find((term) => term.slug === slug);
  }

  terms(taxonomy: Taxonomy): readonly TermRow[] {
    const ids = Array.from({ length: this.#now.termCount() }, (_, i) => i + 1);
    return ids.flatMap((id) => this.term(id) ?? []).filter((term) => term.taxonomy === taxonomy);
  }

  user(id: number): UserRow | undefined {
    const fold = (user: User | null, { event, meta }: RecordedEvent) => evolveUser(user, event as UserEvent, meta.at);
    const user = this.#events(userStream(id)).reduce<User | null>(fold, null);
    return user === null ? undefined : { ...user, published: 0 };
  }

  userByLogin(login: string): UserRow | undefined {
    return this.users().find((user) => user.login === login);
  }

  userBySlug(slug: string): UserRow | undefined {
    return this.users().find((user) => user.slug === slug);
  }

  users(): readonly UserRow[] {
    return this.#now.users().flatMap(({ id }) => this.user(id) ?? []);
  }

  find(): Found {
    throw new Error('collections of the past are not kept');
  }

  #fold(id: number): Folded | null {
    const known = this.#entries.get(id);
    if (known !== undefined) return known;
    const own = this.#events(entryStream(id)).map(({ event, meta }) => ({
      event: event as EntryFact,
      position: meta.position,
    }));
    // The loss of a term or an image reaches into entries from another stream.
    const lost: { event: EntryFact; position: number }[] =
      own.length === 0 ? [] : [...this.#now.lostTerms(this.position), ...this.#now.lostMedia(this.position)];
    let entry: Entry | null = null;
    let touched = 0;
    let version = 0;
    for (const { event, position } of [...own, ...lost].sort((a, b) => a.position - b.position)) {
      if (isLoss(event) && (entry === null || !concerns(entry, event))) continue;
      entry = evolveEntry(entry, [event]);
      touched = position;
      if (changesEntry(event)) version = position;
    }
    const folded = entry === null ? null : { entry, touched, version };
    this.#entries.set(id, folded);
    return folded;
  }

  #events(stream: string): RecordedEvent<DomainEvent>[] {
    const events: RecordedEvent[] = [];
    for (const stored of this.#log.read({ stream })) {
      if (stored.position > this.position) break;
      events.push(toRecorded(stored));
    }
    return events;
  }
}
