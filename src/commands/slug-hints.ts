import type { DomainEvent } from '#domain/kernel/event.ts';

/** Where the site stands, and how often something was undone. */
interface Standing {
  readonly position: number;
  readonly rewinds: number;
}

/** Slugs with numbers that are known to be taken, so that a name which many have is not looked for from the start each time. */
export class SlugHints {
  readonly #next = new Map<string, number>();
  #at: Standing = { position: -1, rewinds: 0 };

  /** The first number behind a slug that may be free; those before it are taken. */
  next(key: string, { position, rewinds }: Standing): number {
    if (position !== this.#at.position || rewinds !== this.#at.rewinds) this.#next.clear();
    this.#at = { position, rewinds };
    return this.#next.get(key) ?? 2;
  }

  note(key: string, next: number): void {
    if (this.#next.size === most) this.#next.clear();
    this.#next.set(key, next);
  }

  /** Takes note of what is staged at a position: creating entries takes names, all else may give some up. */
  move(events: readonly DomainEvent[], { position, rewinds }: Standing): void {
    const goesOn = position === this.#at.position && rewinds === this.#at.rewinds;
    if (!goesOn || events.some(({ type }) => type !== 'EntryCreated')) this.#next.clear();
    this.#at = { position: position + events.length, rewinds };
  }
}

const most = 1000;
