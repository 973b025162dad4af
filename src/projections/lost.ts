import type { MediaTable } from './media/store.ts';
import type { TermTable } from './terms.ts';
import type { LostUser, UserTable } from './users.ts';

interface LostParts {
  readonly terms: Pick<TermTable, 'lost'>;
  readonly media: Pick<MediaTable, 'lost'>;
  readonly users: Pick<UserTable, 'lost'>;
}

/** Deletions that reach into other streams, up to a position or all of them, in log order. */
export class Lost {
  readonly #parts: LostParts;
  #users: readonly LostUser[] | undefined;

  constructor(parts: LostParts) {
    this.#parts = parts;
  }

  terms(position = Number.MAX_SAFE_INTEGER): ReturnType<TermTable['lost']> {
    return this.#parts.terms.lost(position);
  }

  media(position = Number.MAX_SAFE_INTEGER): ReturnType<MediaTable['lost']> {
    return this.#parts.media.lost(position);
  }

  /** Kept until `forget`: the feed asks for them with every event. */
  users(position = Number.MAX_SAFE_INTEGER): readonly LostUser[] {
    this.#users ??= this.#parts.users.lost();
    return this.#users.filter((lost) => lost.position <= position);
  }

  forget(): void {
    this.#users = undefined;
  }
}
