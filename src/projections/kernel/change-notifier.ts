import type { Changes } from './changes.ts';

/** What a commit has changed. */
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
