import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { momentNamed } from '#domain/time/local.ts';
import type { EventStore } from '#eventstore/port.ts';
import { entries } from '../entries/definition.ts';
import type { CollectionQuery, Found } from '../kernel/collection-query.ts';
import type { Live } from '../reading/live.ts';
import type { Reader } from '../reading/reader.ts';
import { HistoricalStates } from './historical-states.ts';
import { type Finder, PastModel } from './model.ts';
import { Overlay } from './overlay.ts';

/** The site as of a position far back, from a state of its own. Throws where there are no such states. */
export type FarPast = (position: number) => Pick<PastModel, 'find' | 'counts' | 'comments'>;

export interface PastOptions {
  readonly log: EventStore;
  readonly now: Reader;
  readonly live: Live;
  /** Null: unavailable, so that no position counts as far. */
  readonly far: FarPast | null;
  /** Entries that may differ from now; with more, a position needs a state of its own. Each takes about 0.1 ms once. Default: 2000. */
  readonly overlayLimit?: number | undefined;
}

export interface PositionAsOf {
  readonly position: number;
}

const usualOverlayLimit = 2000;
/** Limits of the positions kept, and of the entries in all their overlays: some 8 KB each. */
const maxKept = 32;
const maxEntries = 10_000;

export class Past {
  readonly #options: PastOptions;
  readonly #kept = new Map<number, { readonly model: PastModel; readonly finder: PlacedFinder }>();

  constructor(options: PastOptions) {
    this.#options = options;
  }

  /** The site as of a position, which must be the end of a commit. */
  at(position: number): PastModel {
    const known = this.#kept.get(position) ?? this.#make(position);
    this.#kept.delete(position);
    this.#kept.set(position, known);
    this.#shed();
    return known.model;
  }

  /** The site as of a recent position, without a state of its own however much has changed since. */
  recent(position: number): PastModel {
    const { log, now } = this.#options;
    const finder = new PlacedFinder(position, { ...this.#options, far: null });
    return new PastModel({ position, log, now, finder });
  }

  /** The site as of a moment, given as a position or as a date-time. */
  asOf(moment: string): PastModel | Refusal {
    const { log, now } = this.#options;
    const found = positionOf(moment, { log, zone: now.site().timezone });
    return isRefusal(found) ? found : this.at(found.position);
  }

  #make(position: number) {
    const finder = new PlacedFinder(position, this.#options);
    const { log, now } = this.#options;
    return { finder, model: new PastModel({ position, log, now, finder }) };
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

class PlacedFinder implements Finder {
  readonly #position: number;
  readonly #options: PastOptions;
  #overlay: Overlay | undefined;

  constructor(position: number, options: PastOptions) {
    this.#position = position;
    this.#options = options;
  }

  get size(): number {
    return this.#overlay?.size ?? 0;
  }

  get comments(): Finder['comments'] {
    const { far } = this.#options;
    return far === null ? null : (query) => far(this.#position).comments.find(query);
  }

  get overlayLimit(): number {
    return this.#options.overlayLimit ?? usualOverlayLimit;
  }

  find(query: CollectionQuery): Found {
    return this.#nearest().find(query);
  }

  counts(): ReadonlyMap<number, number> {
    return this.#nearest().counts();
  }

  /** What is nearer to the position: the present with an overlay, or a state of the past. */
  #nearest(): Pick<PastModel, 'find' | 'counts'> {
    const { log, now, live, far } = this.#options;
    const limit = this.overlayLimit;
    // Present changes enlarge the overlay.
    if (this.#overlay?.isFull === true && (far === null || this.size <= 2 * limit)) return this.#overlay;
    if (far !== null && now.of(entries).changedAfter(this.#position, limit) > limit) {
      this.#overlay = undefined;
      return far(this.#position);
    }
    this.#overlay ??= new Overlay({ historical: new HistoricalStates(this.#position, log, now.deletions), now, live });
    this.#overlay.fill();
    return this.#overlay;
  }
}

/** The position of a moment, given as a position or as a date-time (in the site's zone unless it names another). */
export function positionOf(asOf: string, { log, zone }: { log: EventStore; zone: string }): PositionAsOf | Refusal {
  const text = asOf.trim();
  if (/^\d{1,15}$/.test(text)) {
    const position = Number(text);
    const head = log.head().position;
    if (position > head) return refuse('rest_invalid_as_of', `The log ends at position ${head}.`);
    return { position: wholeCommit(position, log) };
  }
  const moment = momentNamed(text, zone);
  if (moment === null) {
    const example = '2026-03-01T12:00:00';
    return refuse('rest_invalid_as_of', `as_of is neither a position nor a date and time such as ${example}.`);
  }
  // To the end of that second: times have seconds, commits have milliseconds.
  return { position: log.positionAt(`${moment}.999Z`) };
}

function wholeCommit(position: number, log: EventStore): number {
  const [event] = position === 0 ? [] : log.read({ from: position, limit: 1 });
  if (event === undefined) return position;
  const { i, n } = event.commit;
  return i === n - 1 ? position : position - i - 1;
}
