export class ChangeNotifier {
  readonly #listeners = new Set<() => void>();

  /** Calls `listener` on every change; it must not throw. Returns a function that ends that. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
