import type { EntryEvent } from '#domain/entry/events.ts';
import { type Entry, type EntryFact, evolveEntry } from '#domain/entry/state.ts';
import type { EventMeta, RecordedEvent } from '#domain/kernel/event.ts';
import type { TermDeletedEvent } from '#domain/term/events.ts';
import type { Checkpoint } from '../database.ts';
import { renderBodies, unrendered } from './render.ts';
import type { EntryRow } from './row.ts';
import type { EntryTable } from './store.ts';
import type { Tally } from './tally.ts';

interface Held {
  ord: number;
  touched: number;
  entry: Entry;
  textsChanged: boolean;
}

/**
 * Folds the events of posts and pages into rows. Rows are held back until `flush`, so that a replay, which meets
 * the same entry again and again, writes it once; what is written depends on the events alone, not on when.
 */
export class EntryProjection {
  readonly #table: EntryTable;
  readonly #tally: Tally;
  readonly #held = new Map<number, Held | null>();
  #heldBytes = 0;

  constructor(table: EntryTable, tally: Tally) {
    this.#table = table;
    this.#tally = tally;
  }

  /** Rough size of what waits to be written, bytes. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Folds events of one entry, in order. */
  apply(id: number, events: readonly RecordedEvent<EntryEvent>[], checkpoint: Checkpoint): void {
    for (const { event, meta } of events) this.#note(id, event, meta, checkpoint);
    this.#fold(
      id,
      events.map(({ event }) => event),
      events.at(-1)?.meta.position ?? 0,
      checkpoint,
    );
  }

  /** Folds the loss of a term into every entry that has it; answers their ids. */
  loseTerm(event: TermDeletedEvent, position: number, checkpoint: Checkpoint): readonly number[] {
    this.flush(true);
    const ids = this.#table.withTerm(event.data.id);
    for (const id of ids) this.#fold(id, [event], position, checkpoint);
    return ids;
  }

  /** Writes what was held back; `render` false leaves that for `renderMissing`. */
  flush(render: boolean): void {
    for (const [id, held] of this.#held) {
      if (held === null) this.#table.remove(id);
      else this.#write(held, render);
    }
    this.#held.clear();
    this.#heldBytes = 0;
  }

  /** Forgets what was held back (the transaction was rolled back). */
  reset(): void {
    this.#held.clear();
    this.#heldBytes = 0;
  }

  #note(id: number, event: EntryEvent, meta: EventMeta, checkpoint: Checkpoint): void {
    if (event.type === 'EntryCreated') checkpoint.nextId = Math.max(checkpoint.nextId, id + 1);
    if (event.type !== 'EntryRevised' && event.type !== 'EntryRevisionKept') return;
    const { revision, modified, modifiedGmt } = event.data;
    if (revision === null) return;
    checkpoint.nextId = Math.max(checkpoint.nextId, revision + 1);
    this.#table.saveRevision({
      id: revision,
      parent: id,
      author: meta.actor ?? 0,
      position: meta.position,
      date: modified,
      dateGmt: modifiedGmt,
    });
  }

  #fold(id: number, facts: readonly EntryFact[], position: number, checkpoint: Checkpoint): void {
    const held = this.#hold(id);
    const before = held?.entry ?? null;
    const after = evolveEntry(before, facts);
    this.#tally.move(before, after);
    // Also for an entry that is gone again by the end of these events: numbers must not depend on how events are grouped.
    const ord = held?.ord ?? checkpoint.nextOrd++;
    if (after === null) {
      this.#held.set(id, null);
      return;
    }
    const textsChanged = before === null || held?.textsChanged || textsDiffer(before, after);
    this.#heldBytes += sizeOf(after) - (held ? sizeOf(held.entry) : 0);
    this.#held.set(id, { ord, touched: position, entry: after, textsChanged: textsChanged === true });
  }

  #hold(id: number): Held | null {
    const held = this.#held.get(id);
    if (held !== undefined) return held;
    const row = this.#table.row(id);
    const bodies = row === undefined ? undefined : this.#table.bodies(id);
    if (row === undefined || bodies === undefined) return null;
    const { ord, touched, ...rest } = row;
    const { content, excerpt, footnotes } = bodies;
    return { ord, touched, entry: { ...rest, content, excerpt, footnotes }, textsChanged: false };
  }

  #write({ ord, touched, entry, textsChanged }: Held, render: boolean): void {
    const row: EntryRow = { ...entry, ord, touched };
    this.#table.save(row);
    if (textsChanged) this.#table.saveBodies(entry.id, render ? renderBodies(entry) : unrendered(entry));
  }
}

function textsDiffer(a: Entry, b: Entry): boolean {
  return a.title !== b.title || a.content !== b.content || a.excerpt !== b.excerpt || a.footnotes !== b.footnotes;
}

function sizeOf(entry: Entry): number {
  return 600 + entry.title.length + entry.content.length + entry.excerpt.length + entry.footnotes.length;
}
