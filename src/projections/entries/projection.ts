import type { EntryEvent } from '#domain/entry/events.ts';
import { revisionChange } from '#domain/entry/revisions.ts';
import { changesEntry, type Entry, type EntryFact, evolveEntry, isLoss, type LossEvent } from '#domain/entry/state.ts';
import type { RecordedEvent } from '#domain/kernel/event.ts';
import type { Changes } from '../kernel/changes.ts';
import type { Checkpoint } from '../kernel/checkpoint.ts';
import type { Applying, EventRun, Fold, OnEntry } from '../kernel/projection.ts';
import { nowhere, placesAfter, placesKept, samePlaces, type TextPlaces } from '../kernel/text-places.ts';
import type { NameTable } from './names.ts';
import { render, stillRendered, unrendered } from './render.ts';
import { type RevisionTable, toRevisionRow } from './revisions.ts';
import type { Rendered } from './row.ts';
import type { EntryTable } from './store.ts';
import type { Tally } from './tally.ts';
import type { EntryWrites } from './writes.ts';

interface Held {
  ord: number;
  touched: number;
  version: number;
  entry: Entry;
  /** Rendered texts; parts are absent if their texts have changed since, or a replay has not rendered them yet. */
  rendered: Partial<Rendered>;
  places: TextPlaces;
  textsDiffer: boolean;
}

interface Moved {
  readonly touched: number;
  readonly version: number | null;
  readonly places: TextPlaces;
}

export interface EntryParts {
  readonly table: EntryTable;
  readonly writes: EntryWrites;
  readonly tally: Tally;
  readonly revisions: RevisionTable;
  readonly names: NameTable;
  readonly onEntry: OnEntry;
}

/**
 * Folds the events of entries into rows. Rows are held back until `flush`, so that a replay, which meets the same entry repeatedly,
 * writes it once; what is written depends on the events alone, not on when.
 */
export class EntryProjection implements Fold {
  readonly #table: EntryTable;
  readonly #writes: EntryWrites;
  readonly #tally: Tally;
  readonly #revisions: RevisionTable;
  readonly #names: NameTable;
  readonly #onEntry: OnEntry;
  readonly #held = new Map<number, Held | null>();
  #heldBytes = 0;

  constructor({ table, writes, tally, revisions, names, onEntry }: EntryParts) {
    this.#table = table;
    this.#writes = writes;
    this.#revisions = revisions;
    this.#names = names;
    this.#tally = tally;
    this.#onEntry = onEntry;
  }

  /** Approximate bytes of rows held back. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  apply({ area, id, events }: EventRun, applying: Applying): void {
    const { changes } = applying;
    for (const { event } of events) if (isLoss(event as EntryFact)) this.#takeAway(event as LossEvent, changes);
    if (area === 'entry') {
      changes.entries.add(id);
      // The row that an erasure would change no longer exists.
      const facts = (events as RecordedEvent<EntryEvent>[]).filter(({ event }) => event.type !== 'EntryErased');
      if (facts.length > 0) this.#applyTo(id, facts, applying);
    }
  }

  #takeAway(event: LossEvent, changes: Changes): void {
    this.#lose(event);
    changes.lost.push(event);
    // Media items are inherited as well.
    if (event.type === 'UserDeleted' || event.type === 'EntryDeleted') changes.keys.add('media');
  }

  #applyTo(id: number, events: readonly RecordedEvent<EntryEvent>[], applying: Applying): void {
    // A new entry has no row: looking for it takes as long as writing it.
    const held = events[0]?.event.type === 'EntryCreated' ? null : this.#hold(id);
    let places = held?.places ?? nowhere;
    for (const { event, meta } of events) {
      places = placesAfter(places, event, meta.position);
      this.#note(id, { event, meta }, places, applying.checkpoint);
    }
    this.#noteNames(id, held, events);
    const facts = events.map(({ event }) => event);
    const touched = events.at(-1)?.meta.position ?? 0;
    const version = events.findLast(({ event }) => changesEntry(event))?.meta.position ?? null;
    this.#fold(id, held, facts, { touched, version, places }, applying);
  }

  /** Called before a loss: losses are applied to rows when read, so rows held back have to be written first. */
  #lose(event: LossEvent): void {
    this.flush(true);
    if (event.type === 'TermDeleted' && event.data.heir !== 0) {
      this.#tally.inherit(event.data.heir, this.#table.publishedIn(event.data.id));
    }
    if (event.type === 'UserDeleted') this.#tally.pass(event.data.heir, this.#table.publishedBy(event.data.id));
  }

  /** Writes what is held back; `renders` false leaves rendering to `renderMissing`. */
  flush(renders: boolean): void {
    // By id, the order of rows in the file: otherwise a replay would write each page repeatedly.
    for (const [id, held] of [...this.#held].sort(([a], [b]) => a - b)) {
      if (held === null) this.#remove(id);
      else this.#write(held, renders);
    }
    this.#held.clear();
    this.#heldBytes = 0;
  }

  reset(): void {
    this.#held.clear();
    this.#heldBytes = 0;
    this.#writes.settle();
  }

  settle(): void {
    this.#writes.settle();
  }

  #note(id: number, { event, meta }: RecordedEvent<EntryEvent>, places: TextPlaces, checkpoint: Checkpoint): void {
    if (event.type === 'EntryCreated') checkpoint.nextId = Math.max(checkpoint.nextId, id + 1);
    if (event.type === 'EntryDeleted') this.#writes.lose(event.data, meta.position);
    const change = revisionChange(event);
    if (change === null) return;
    if ('dropped' in change) {
      this.#revisions.remove(change.dropped);
      return;
    }
    checkpoint.nextId = Math.max(checkpoint.nextId, change.kept.id + 1);
    const kept = placesKept(places, event, meta.position);
    this.#revisions.save(toRevisionRow(change.kept, { parent: id, places: kept }, meta));
  }

  #noteNames(id: number, held: Held | null, events: readonly RecordedEvent<EntryEvent>[]): void {
    let slug: string | undefined;
    // No event says that an entry lost its name when it was trashed with its author.
    this.#names.note(id, held?.entry.trashed?.slug ?? '');
    for (const { event } of events) {
      if (event.type === 'EntryCreated') slug = event.data.slug;
      else if (event.type === 'EntrySlugChanged' || event.type === 'EntryDeleted') {
        this.#names.note(id, slug ?? held?.entry.slug ?? '');
        slug = event.type === 'EntrySlugChanged' ? event.data.slug : '';
      }
    }
  }

  #fold(id: number, held: Held | null, facts: readonly EntryFact[], at: Moved, applying: Applying): void {
    const { checkpoint, changes } = applying;
    const before = held?.entry ?? null;
    const after = evolveEntry(before, facts);
    this.#onEntry({ id, before, after, isChange: at.version !== null });
    // Nothing can be attached to a new entry.
    if (before !== null && (after === null || standingDiffers(before, after))) changes.readable.add(id);
    // Even for an entry that these events also delete: numbers must not depend on how events are grouped.
    const ord = held?.ord ?? checkpoint.nextOrd++;
    if (after === null) {
      this.#keep(id, null);
      return;
    }
    const changed = before === null || textsDiffer(before, after);
    const known = held?.rendered ?? {};
    const rendered = changed && before !== null ? stillRendered(known, before, after) : known;
    const version = at.version ?? held?.version ?? 0;
    const old = held?.places ?? nowhere;
    const { places } = at;
    const differ = changed || held?.textsDiffer === true || !samePlaces(places, old);
    this.#keep(id, { ord, touched: at.touched, version, entry: after, rendered, places, textsDiffer: differ });
  }

  #keep(id: number, now: Held | null): void {
    const before = this.#held.get(id);
    this.#heldBytes += sizeOf(now) - (before === undefined ? 0 : sizeOf(before));
    this.#held.set(id, now);
  }

  #hold(id: number): Held | null {
    const held = this.#held.get(id);
    if (held !== undefined) return held;
    const [row, written] = [this.#table.row(id), this.#table.written(id)];
    if (row === undefined || written === undefined) return null;
    const { ord, touched, version, titleJson, excerptJson, contentJson, ...entry } = row;
    return {
      ord,
      touched,
      version,
      entry: { ...entry, ...written.texts },
      // Empty texts were left unrendered by a replay: they are rendered with the rest.
      rendered: titleJson === '' ? {} : { titleJson, excerptJson, contentJson },
      places: written.places,
      textsDiffer: false,
    };
  }

  #remove(id: number): void {
    this.#writes.remove(id);
    this.#revisions.removeOf(id);
  }

  #write({ ord, touched, version, entry, rendered, places, textsDiffer }: Held, renders: boolean): void {
    const isWhole = 'contentJson' in rendered && 'excerptJson' in rendered;
    const shown = renders || isWhole ? render(entry, rendered) : unrendered;
    this.#writes.save({ ...entry, ...shown, ord, touched, version });
    if (textsDiffer) this.#writes.saveTexts(entry.id, { texts: entry, places });
  }
}

function textsDiffer(a: Entry, b: Entry): boolean {
  return a.title !== b.title || a.content !== b.content || a.excerpt !== b.excerpt || a.footnotes !== b.footnotes;
}

/** Whether the set of users who may read an entry may have changed. */
function standingDiffers(a: Entry, b: Entry): boolean {
  return a.status !== b.status || a.author !== b.author || a.trashed?.status !== b.trashed?.status;
}

function sizeOf(held: Held | null): number {
  if (held === null) return 100;
  const { entry, rendered } = held;
  const { title, content, excerpt, footnotes } = entry;
  const { titleJson = '', excerptJson = '', contentJson = '' } = rendered;
  const texts = [title, content, excerpt, footnotes, titleJson, excerptJson, contentJson];
  return texts.reduce((sum, text) => sum + text.length, 600);
}
