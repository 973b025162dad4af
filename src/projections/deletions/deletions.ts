import type { EntryDeletedEvent } from '#domain/entry/events.ts';
import type { DeletionTable } from '../entries/deletion-table.ts';
import type { MediaTable } from '../media/store.ts';
import type { TermTable } from '../terms/definition.ts';
import type { LostUser, UserTable } from '../users/definition.ts';

interface LostParts {
  readonly terms: Pick<TermTable, 'lost'>;
  readonly media: Pick<MediaTable, 'lost'>;
  readonly users: Pick<UserTable, 'lost'>;
  readonly parents: Pick<DeletionTable, 'parent'>;
}

export interface LostParent {
  readonly position: number;
  readonly event: EntryDeletedEvent;
}

export class Deletions {
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

  /** Kept until `forget`: the feed needs them for every event. */
  users(position = Number.MAX_SAFE_INTEGER): readonly LostUser[] {
    this.#users ??= this.#parts.users.lost();
    return this.#users.filter((lost) => lost.position <= position);
  }

  parents(ids: readonly number[], position = Number.MAX_SAFE_INTEGER): readonly LostParent[] {
    const found = new Map<number, LostParent>();
    const left = [...new Set(ids)];
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      const lost = id === 0 || found.has(id) ? undefined : this.#parts.parents.parent(id);
      if (lost === undefined || lost.position > position) continue;
      found.set(id, lost);
      left.push(lost.event.data.heir ?? 0);
    }
    return [...found.values()].sort((a, b) => a.position - b.position);
  }

  forget(): void {
    this.#users = undefined;
  }
}
