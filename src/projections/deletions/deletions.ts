import type { EntryDeletedEvent } from '#domain/entry/events.ts';
import type { DeletionTable } from '../entries/deletion-table.ts';
import type { DeletedUser, UserTable } from '../users/definition.ts';

interface DeletionParts {
  readonly users: Pick<UserTable, 'deleted'>;
  readonly parents: Pick<DeletionTable, 'parent' | 'countAfter'>;
}

export interface DeletedParent {
  readonly position: number;
  readonly event: EntryDeletedEvent;
}

export class Deletions {
  readonly #parts: DeletionParts;
  #users: readonly DeletedUser[] | undefined;

  constructor(parts: DeletionParts) {
    this.#parts = parts;
  }

  /** Kept until `forget`: the feed needs them for every event. */
  users(position = Number.MAX_SAFE_INTEGER): readonly DeletedUser[] {
    this.#users ??= this.#parts.users.deleted();
    return this.#users.filter((deletion) => deletion.position <= position);
  }

  parents(ids: readonly number[], position = Number.MAX_SAFE_INTEGER): readonly DeletedParent[] {
    const found = new Map<number, DeletedParent>();
    const left = [...new Set(ids)];
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      const deletion = id === 0 || found.has(id) ? undefined : this.#parts.parents.parent(id);
      if (deletion === undefined || deletion.position > position) continue;
      found.set(id, deletion);
      left.push(deletion.event.data.heir ?? 0);
    }
    return [...found.values()].sort((a, b) => a.position - b.position);
  }

  /** Numbers of users and parents deleted after a position. */
  since(position: number): { readonly users: number; readonly parents: number } {
    const users = this.users().filter((deletion) => deletion.position > position).length;
    return { users, parents: this.#parts.parents.countAfter(position) };
  }

  forget(): void {
    this.#users = undefined;
  }
}
