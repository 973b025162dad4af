export class ChangeNotifier {
  readonly #listeners = new Set<() => void>();

  /** Calls back, without a fault, with every change; answers how to stop that. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
