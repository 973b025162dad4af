import type { DatabaseSync } from 'node:sqlite';
import type { EntryEvent } from '#domain/entry/events.ts';
import type { LossEvent } from '#domain/entry/state.ts';
import type { DomainEvent, EventMeta, RecordedEvent } from '#domain/kernel/event.ts';
import type { MediaEvent } from '#domain/media/events.ts';
import { type AssetEvent, cacheAssets } from '#domain/plugins/cache-assets/area.ts';
import { type RenditionEvent, renditions } from '#domain/plugins/renditions/area.ts';
import type { RequestEvent } from '#domain/request/events.ts';
import type { SiteEvent } from '#domain/site/events.ts';
import type { TermEvent } from '#domain/term/events.ts';
import type { UserEvent } from '#domain/user/events.ts';
import { TrailTable } from './audit/trail.ts';
import { type Checkpoint, loadCheckpoint, saveCheckpoint } from './database.ts';
import { EntryProjection } from './entries/projection.ts';
import { EntryTable } from './entries/store.ts';
import { Tally } from './entries/tally.ts';
import { MediaProjection } from './media/projection.ts';
import { MediaTable } from './media/store.ts';
import { NameTable } from './names.ts';
import { AssetQueue } from './plugins/asset-queue.ts';
import { QueryBlocks } from './plugins/query-blocks.ts';
import { areaOf, PluginTable } from './plugins/store.ts';
import { RequestTable } from './requests.ts';
import { RevisionTable } from './revisions.ts';
import { SiteTable } from './site.ts';
import { TermTable } from './terms.ts';
import { UserTable } from './users.ts';

/** What a group of events touched: which entries and media items, and which of the rest. */
export interface Changes {
  readonly entries: Set<number>;
  readonly media: Set<number>;
  /** Terms and images that were deleted: entries that had them have changed too. */
  readonly lost: LossEvent[];
  /** Something that entries show of others is different: a term's name or slug, the site's address. */
  shared: boolean;
  terms: boolean;
  users: boolean;
  site: boolean;
  plugins: boolean;
}

export const noChanges = (): Changes => ({
  entries: new Set(),
  media: new Set(),
  lost: [],
  shared: false,
  terms: false,
  users: false,
  site: false,
  plugins: false,
});

/** Carries events into the tables of one connection. Transactions are the caller's business. */
export class Projector {
  readonly #db: DatabaseSync;
  readonly #entries: EntryProjection;
  readonly #terms: TermTable;
  readonly #users: UserTable;
  readonly #site: SiteTable;
  readonly #requests: RequestTable;
  readonly #media: MediaProjection;
  readonly #trail: TrailTable;
  readonly #plugins: PluginTable;
  readonly #queue: AssetQueue;
  checkpoint: Checkpoint;
  /** How often something was undone. */
  rewinds = 0;

  constructor(db: DatabaseSync) {
    this.#db = db;
    const names = new NameTable(db);
    this.#queue = new AssetQueue(db);
    this.#entries = new EntryProjection({
      table: new EntryTable(db),
      tally: new Tally(db),
      queue: this.#queue,
      queries: new QueryBlocks(db),
      revisions: new RevisionTable(db),
      names,
    });
    this.#terms = new TermTable(db);
    this.#users = new UserTable(db);
    this.#site = new SiteTable(db);
    this.#requests = new RequestTable(db);
    this.#media = new MediaProjection(new MediaTable(db), names);
    this.#trail = new TrailTable(db);
    this.#plugins = new PluginTable(db);
    this.checkpoint = loadCheckpoint(db);
  }

  /** Bytes that `apply` holds back until `flush`. */
  get heldBytes(): number {
    return this.#entries.heldBytes;
  }

  apply(events: readonly RecordedEvent[], changes: Changes): void {
    for (const { event, meta } of events) this.#trail.note(event, meta);
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
    this.rewinds += 1;
    this.checkpoint = checkpoint;
  }

  #applyTo(stream: string, events: readonly RecordedEvent[], changes: Changes): void {
    const [area = '', id = ''] = stream.split('-');
    if (area === 'entry') {
      changes.entries.add(Number(id));
      this.#applyEntry(Number(id), events as RecordedEvent<EntryEvent>[]);
      return;
    }
    for (const { event, meta } of events) this.#applyOne(area, event, meta, changes);
  }

  #applyEntry(id: number, events: readonly RecordedEvent<EntryEvent>[]): void {
    // There is no row any more that an erasure could change.
    const facts = events.filter(({ event }) => event.type !== 'EntryErased');
    if (facts.length > 0) this.#entries.apply(id, facts, this.checkpoint);
  }

  #applyOne(area: string, event: DomainEvent, meta: EventMeta, changes: Changes): void {
    if (area === 'term') this.#applyTerm(event as TermEvent, meta.position, changes);
    else if (area === 'media') this.#applyMedia(event as MediaEvent, meta, changes);
    else if (area === 'user') {
      const user = event as UserEvent;
      changes.users = true;
      this.checkpoint.nextUser = Math.max(this.checkpoint.nextUser, user.data.id + 1);
      this.#users.apply(user, meta);
    } else if (area === 'site') {
      changes.site = true;
      changes.shared = true;
      this.#site.apply(event as SiteEvent);
    } else if (area === 'request') this.#requests.apply(event as RequestEvent, meta);
    else if (area === 'plugin') this.#applyPlugin(event, meta, changes);
  }

  #applyPlugin(event: DomainEvent, meta: EventMeta, changes: Changes): void {
    changes.plugins = true;
    const area = areaOf(meta.stream);
    if (area === undefined) return;
    this.#plugins.apply(area, event, meta);
    if (area.name === cacheAssets.name) this.#queue.apply(event as AssetEvent);
    if (area.name === renditions.name) this.#media.noteRendition(event as RenditionEvent);
  }

  #applyMedia(event: MediaEvent, meta: EventMeta, changes: Changes): void {
    // There is no row any more that an erasure could change.
    if (event.type === 'MediaErased') return;
    const id = Number(meta.stream.slice('media-'.length));
    changes.media.add(id);
    if (event.type === 'MediaDeleted') this.#entries.lose(event);
    this.#media.apply(id, event, { meta, checkpoint: this.checkpoint });
    if (event.type !== 'MediaDeleted') return;
    changes.lost.push(event);
  }

  #applyTerm(event: TermEvent, position: number, changes: Changes): void {
    changes.terms = true;
    if (event.type === 'TermChanged') changes.shared = true;
    this.checkpoint.nextTerm = Math.max(this.checkpoint.nextTerm, event.data.id + 1);
    if (event.type === 'TermDeleted') {
      this.#entries.lose(event);
      changes.lost.push(event);
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
