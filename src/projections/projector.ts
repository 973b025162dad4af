import type { DatabaseSync } from 'node:sqlite';
import type { EntryEvent } from '#domain/entry/events.ts';
import type { DomainEvent, EventMeta, RecordedEvent } from '#domain/kernel/event.ts';
import type { RequestEvent } from '#domain/request/events.ts';
import type { SiteEvent } from '#domain/site/events.ts';
import type { TermEvent } from '#domain/term/events.ts';
import type { UserEvent } from '#domain/user/events.ts';
import { type Checkpoint, loadCheckpoint, saveCheckpoint } from './database.ts';
import { EntryProjection } from './entries/projection.ts';
import { EntryTable } from './entries/store.ts';
import { Tally } from './entries/tally.ts';
import { RequestTable } from './requests.ts';
import { SiteTable } from './site.ts';
import { TermTable } from './terms.ts';
import { UserTable } from './users.ts';

/** What a group of events touched: which entries, and which of the rest. */
export interface Changes {
  readonly entries: Set<number>;
  terms: boolean;
  users: boolean;
  site: boolean;
}

export const noChanges = (): Changes => ({ entries: new Set(), terms: false, users: false, site: false });

/** Carries events into the tables of one connection. Transactions are the caller's business. */
export class Projector {
  readonly #db: DatabaseSync;
  readonly #entries: EntryProjection;
  readonly #terms: TermTable;
  readonly #users: UserTable;
  readonly #site: SiteTable;
  readonly #requests: RequestTable;
  checkpoint: Checkpoint;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#entries = new EntryProjection(new EntryTable(db), new Tally(db));
    this.#terms = new TermTable(db);
    this.#users = new UserTable(db);
    this.#site = new SiteTable(db);
    this.#requests = new RequestTable(db);
    this.checkpoint = loadCheckpoint(db);
  }

  /** Bytes that `apply` holds back until `flush`. */
  get heldBytes(): number {
    return this.#entries.heldBytes;
  }

  apply(events: readonly RecordedEvent[], changes: Changes): void {
    for (let i = 0; i < events.length; ) {
      const first = events[i] as RecordedEvent;
      const until = endOfStream(events, i);
      this.#applyTo(first.meta.stream, events.slice(i, until), changes);
      i = until;
    }
    this.checkpoint.position = events.at(-1)?.meta.position ?? this.checkpoint.position;
  }

  /** Writes what is held back. Rendering may be left for later while replaying. */
  flush(render = true): void {
    this.#entries.flush(render);
  }

  saveCheckpoint(): void {
    saveCheckpoint(this.#db, this.checkpoint);
  }

  /** Forgets what is held back and stands where it stood before. */
  rewind(checkpoint: Checkpoint): void {
    this.#entries.reset();
    this.checkpoint = checkpoint;
  }

  #applyTo(stream: string, events: readonly RecordedEvent[], changes: Changes): void {
    const [area = '', id = ''] = stream.split('-');
    if (area === 'entry') {
      changes.entries.add(Number(id));
      this.#entries.apply(Number(id), events as RecordedEvent<EntryEvent>[], this.checkpoint);
      return;
    }
    for (const { event, meta } of events) this.#applyOne(area, event, meta, changes);
  }

  #applyOne(area: string, event: DomainEvent, meta: EventMeta, changes: Changes): void {
    if (area === 'term') this.#applyTerm(event as TermEvent, meta.position, changes);
    else if (area === 'user') {
      const user = event as UserEvent;
      changes.users = true;
      this.checkpoint.nextUser = Math.max(this.checkpoint.nextUser, user.data.id + 1);
      this.#users.apply(user, meta);
    } else if (area === 'site') {
      changes.site = true;
      this.#site.apply(event as SiteEvent);
    } else if (area === 'request') this.#requests.apply(event as RequestEvent, meta);
  }

  #applyTerm(event: TermEvent, position: number, changes: Changes): void {
    changes.terms = true;
    this.checkpoint.nextTerm = Math.max(this.checkpoint.nextTerm, event.data.id + 1);
    if (event.type === 'TermDeleted') {
      for (const id of this.#entries.loseTerm(event, position, this.checkpoint)) changes.entries.add(id);
      this.#entries.flush(true);
    }
    this.#terms.apply(event, position);
  }
}

function endOfStream(events: readonly RecordedEvent[], from: number): number {
  const stream = events[from]?.meta.stream;
  let end = from + 1;
  while (events[end]?.meta.stream === stream) end += 1;
  return end;
}
