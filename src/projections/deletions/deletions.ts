import type { EntryDeletedEvent } from '#domain/entry/events.ts';
import type { DeletionTable } from '../entries/deletion-table.ts';
import type { DeletedUser, UserTable } from '../users/definition.ts';

interface DeletionParts {
  readonly users: Pick<UserTable, 'deleted'>;
  readonly parents: Pick<DeletionTable, 'parents' | 'countAfter'>;
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
    const found: DeletedParent[] = [];
    const seen = new Set<number>([0]);
    const left = [...ids];
    for (let id = left.pop(); id !== undefined; id = left.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      for (const deletion of this.#parts.parents.parents(id)) {
        if (deletion.position > position) continue;
        found.push(deletion);
        left.push(deletion.event.data.heir ?? 0);
      }
    }
    return found.sort((a, b) => a.position - b.position);
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
