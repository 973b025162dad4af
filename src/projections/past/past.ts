import type { DatabaseSync } from 'node:sqlite';
import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { momentExamples, momentNamed } from '#domain/time/local.ts';
import { type EventStore, LogUnavailable } from '#eventstore/port.ts';
import { Tables } from '../kernel/projection.ts';
import { openPastReader, storedCheckpoint } from '../projector/database.ts';
import type { Live } from '../reading/live.ts';
import type { Reader } from '../reading/reader.ts';
import { Overlay } from './overlay.ts';
import { type Finder, PastReader } from './reader.ts';

export interface PastOptions {
  readonly log: EventStore;
  /** Path of the projections. */
  readonly path: string;
  readonly now: Reader;
  readonly live: Live;
}

export interface PositionAsOf {
  readonly position: number;
}

/** Limits of the positions kept, and of the entries in their overlays: about a kilobyte each. */
const maxKept = 32;
const maxEntries = 150_000;

/** Events since a position whose differences take some 20 ms to read. */
const manyEvents = 2500;

interface Kept {
  readonly reader: PastReader;
  readonly finder: OverlayFinder;
}

/** The site as of earlier positions, all on one connection. */
export class Past {
  readonly #options: PastOptions;
  readonly #kept = new Map<number, Kept>();
  #opened: { readonly db: DatabaseSync; readonly tables: Tables } | null = null;

  constructor(options: PastOptions) {
    this.#options = options;
    options.now.earlier = (position) => this.at(position);
  }

  /** The site as of a position, which must be the end of a commit. */
  at(position: number): Reader {
    const { now } = this.#options;
    if (position >= now.position) return now;
    const known = this.#kept.get(position) ?? this.#make(position);
    this.#kept.delete(position);
    this.#kept.set(position, known);
    this.#shed();
    return known.reader;
  }

  /** Finds collections on a reader that is ahead of the present one. */
  ahead(reader: Reader): Finder {
    const overlay = new Overlay({ ...this.#options, past: reader });
    overlay.fillAhead();
    return overlay;
  }

  /** The site as of a moment, given as a position or as a date-time. */
  asOf(moment: string): Reader | Refusal {
    const { log, now } = this.#options;
    const found = positionOf(moment, { log, zone: now.site().timezone });
    return isRefusal(found) ? found : this.at(found.position);
  }

  /** Whether a question across all items takes long as of a moment, because of what has changed since. */
  isLongAgo(moment: string): boolean {
    const { log, now } = this.#options;
    const found = positionOf(moment, { log, zone: now.site().timezone });
    return !isRefusal(found) && now.position - found.position > manyEvents;
  }

  close(): void {
    this.#kept.clear();
    this.#opened?.db.close();
    this.#opened = null;
  }

  #make(position: number): Kept {
    const { log, now } = this.#options;
    const opened = this.#opened ?? this.#open();
    // Only while the disk is full: readers then see commits that the file lacks.
    if (storedCheckpoint(opened.db).position < position) {
      throw new LogUnavailable('the projections on disk do not reach this position yet');
    }
    const finder = new OverlayFinder(() => new Overlay({ past: reader, ...this.#options }));
    const reader: PastReader = new PastReader({ position, ...opened, log, now, finder });
    return { reader, finder };
  }

  #open(): { readonly db: DatabaseSync; readonly tables: Tables } {
    const db = openPastReader(this.#options.path, this.#options.log);
    this.#opened = { db, tables: new Tables(db) };
    return this.#opened;
  }

  /** Drops the least recently used positions, but never the newest. */
  #shed(): void {
    let entries = [...this.#kept.values()].reduce((sum, { finder }) => sum + finder.size, 0);
    for (const [position, { finder }] of this.#kept) {
      if (this.#kept.size === 1 || (this.#kept.size <= maxKept && entries <= maxEntries)) return;
      this.#kept.delete(position);
      entries -= finder.size;
    }
  }
}

/** Makes an overlay when something across items is asked for. */
class OverlayFinder implements Finder {
  readonly #make: () => Overlay;
  #overlay: Overlay | undefined;

  constructor(make: () => Overlay) {
    this.#make = make;
  }

  get size(): number {
    return this.#overlay?.size ?? 0;
  }

  find: Finder['find'] = (query) => this.#filled().find(query);
  published: Finder['published'] = (term) => this.#filled().published(term);

  #filled(): Overlay {
    this.#overlay ??= this.#make();
    this.#overlay.fill();
    return this.#overlay;
  }
}

/** The position of a moment, given as a position, or as a day, minute or second (in the site's zone unless it names another). */
export function positionOf(asOf: string, { log, zone }: { log: EventStore; zone: string }): PositionAsOf | Refusal {
  const text = asOf.trim();
  if (/^\d{1,15}$/.test(text)) {
    const position = Number(text);
    const head = log.head().position;
    if (position > head) return refuse('rest_invalid_as_of', `The log ends at position ${head}.`);
    return { position: wholeCommit(position, log) };
  }
  // To its end: times have seconds, commits have milliseconds.
  const moment = momentNamed(text, 'end', zone);
  if (moment !== null) return { position: log.positionAt(moment) };
  return refuse('rest_invalid_as_of', `"${text}" is neither a position nor a day or time such as ${momentExamples}.`);
}

function wholeCommit(position: number, log: EventStore): number {
  const [event] = position === 0 ? [] : log.read({ from: position, limit: 1 });
  if (event === undefined) return position;
  const { i, n } = event.commit;
  return i === n - 1 ? position : position - i - 1;
}
