import type { Changes } from '../kernel/changes.ts';
import { all } from './all.ts';

/** Maximum number of entries with a version of their own; beyond it, all entries count as changed. */
const limit = 100_000;

/** When a deletion affects more entries than this, all of them count as changed: recording each would take milliseconds. */
const maxLosing = 5000;

/** Keys of the cache versions besides `entry:<id>`; `*` stands for everything. */
const keys: ReadonlySet<string> = new Set(['*', 'entries', 'media', ...all.flatMap(({ touches }) => touches)]);

/**
 * Tells when the data that an answer depends on has changed: one number per key, which changes with every commit that affects the key.
 * Keys: `entry:<id>` (also for media items, which share their ids), `entries`, `media`, `*` for everything, and those that projections
 * name in `touches`. An unknown key changes with every commit.
 */
export class CacheVersions {
  readonly #byKey = new Map<string, number>();
  #entries = new Map<number, number>();
  #floor = 0;

  of(key: string): number {
    if (key.startsWith('entry:')) return this.#entries.get(Number(key.slice(6))) ?? this.#floor;
    return this.#byKey.get(keys.has(key) ? key : '*') ?? 0;
  }

  noteAll(position: number): void {
    const between = position + 0.5;
    for (const key of keys) this.#byKey.set(key, between);
    this.#entries = new Map();
    this.#floor = between;
  }

  /** `losing`: entries affected by a deletion. */
  note(changes: Changes, position: number, losing: readonly number[] = []): void {
    this.#byKey.set('*', position);
    if (changes.entries.size + losing.length > 0) this.#byKey.set('entries', position);
    if (changes.media.size > 0) this.#byKey.set('media', position);
    for (const key of changes.keys) this.#byKey.set(key, position);
    const noted = this.#entries.size + changes.entries.size + changes.media.size + losing.length;
    // A user's content appears in many places, and its heir may see more of it.
    const isMuch = losing.length > maxLosing || changes.lost.some(({ type }) => type === 'UserDeleted');
    if (isMuch || noted > limit) {
      this.#entries = new Map();
      this.#floor = position;
    }
    for (const id of changes.entries) this.#entries.set(id, position);
    for (const id of changes.media) this.#entries.set(id, position);
    if (!isMuch) for (const id of losing) this.#entries.set(id, position);
  }
}
