import type { LossEvent } from '#domain/entry/state.ts';

export interface Changes {
  readonly entries: Set<number>;
  readonly media: Set<number>;
  /** Entries whose status or author changed, so that other people may now read them and their attachments. */
  readonly readable: Set<number>;
  /** Deletions of terms, images, users and parents, which change the entries that refer to them. */
  readonly lost: LossEvent[];
  /** Something that entries show of other items has changed: a term's name or slug, the site's address. */
  shared: boolean;
  /** Keys of the cache versions of everything else, as named by projections in `touches`. */
  readonly keys: Set<string>;
}

export const noChanges = (): Changes => ({
  entries: new Set(),
  media: new Set(),
  readable: new Set(),
  lost: [],
  shared: false,
  keys: new Set(),
});

/** Adds changes to others. */
export function addChanges(to: Changes, more: Changes): void {
  for (const name of ['entries', 'media', 'readable'] as const) for (const id of more[name]) to[name].add(id);
  for (const key of more.keys) to.keys.add(key);
  for (const event of more.lost) to.lost.push(event);
  to.shared ||= more.shared;
}

/** What a commit has changed, or several together. */
export interface Published {
  readonly changes: Changes;
  readonly position: number;
}

/** Receives every commit; null: anything may have changed. */
export type ChangeListener = (published: Published | null) => void;

export class ChangeNotifier {
  readonly #listeners = new Set<ChangeListener>();

  /** Calls `listener` on every change; it must not throw. Returns a function that ends that. */
  listen(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(published: Published | null = null): void {
    for (const listener of this.#listeners) listener(published);
  }
}
