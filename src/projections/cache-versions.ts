import { all } from './all.ts';
import type { Changes } from './changes.ts';

/** Bounds what is remembered of single entries; when it is full, all of them count as changed. */
const limit = 100_000;

/** When a deletion concerns more entries than this, all of them count as changed: noting each would take milliseconds. */
const mostLosing = 5000;

/** Keys of the cache versions besides `entry:<id>`; `*` stands for everything. */
const keys: ReadonlySet<string> = new Set(['*', 'entries', 'media', ...all.flatMap(({ touches }) => touches)]);

/**
 * Tells when what an answer depends on has changed: a number per key that moves with every commit that concerns
 * it. Keys: `entry:<id>` (also for media items, as ids are counted together), `entries`, `media`, `*` for everything, and
 * what the projections name in `touches`. A key that none of them names moves with every commit.
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

  /** `losing`: entries that a deletion concerns. */
  note(changes: Changes, position: number, losing: readonly number[] = []): void {
    this.#byKey.set('*', position);
    if (changes.entries.size + losing.length > 0) this.#byKey.set('entries', position);
    if (changes.media.size > 0) this.#byKey.set('media', position);
    for (const key of changes.keys) this.#byKey.set(key, position);
    const noted = this.#entries.size + changes.entries.size + changes.media.size + losing.length;
    // What a user wrote is shown in many places, and the heir may see more of it.
    const isMuch = losing.length > mostLosing || changes.lost.some(({ type }) => type === 'UserDeleted');
    if (isMuch || noted > limit) {
      this.#entries = new Map();
      this.#floor = position;
    }
    for (const id of changes.entries) this.#entries.set(id, position);
    for (const id of changes.media) this.#entries.set(id, position);
    if (!isMuch) for (const id of losing) this.#entries.set(id, position);
  }
}
