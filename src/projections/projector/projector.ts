import type { DatabaseSync } from 'node:sqlite';
import type { RecordedEvent } from '#domain/kernel/event.ts';
import type { Changes } from '../kernel/changes.ts';
import type { Checkpoint } from '../kernel/checkpoint.ts';
import { type Fold, type OnEntry, runsOf, Tables } from '../kernel/projection.ts';
import { immediate } from './all.ts';
import { loadCheckpoint, saveCheckpoint } from './database.ts';
import { Followers } from './followers.ts';

/**
 * Applies events to the tables of immediate projections on one connection. The caller manages transactions.
 *
 * Decisions read immediate projections, so each write pays for them; following ones catch up later, from the log. Both are values in one
 * list, from which schema, versions, rebuild, invalidation and comparison follow.
 *
 * Why, and what was rejected: `docs/adr/0032-projections-are-values.md`.
 */
export class Projector {
  readonly #db: DatabaseSync;
  readonly #folds: readonly Fold[];
  readonly followers: Followers;
  checkpoint: Checkpoint;

  constructor(db: DatabaseSync) {
    this.#db = db;
    const tables = new Tables(db);
    const listeners = immediate.flatMap((projection) => projection.onEntry(tables) ?? []);
    const onEntry: OnEntry = (step) => {
      for (const listener of listeners) listener(step);
    };
    this.#folds = immediate.flatMap((projection) => projection.fold({ tables, onEntry }) ?? []);
    this.followers = new Followers(db, tables);
    this.checkpoint = loadCheckpoint(db);
  }

  /** Bytes that `apply` holds back until `flush`. */
  get heldBytes(): number {
    return this.#folds.reduce((sum, { heldBytes = 0 }) => sum + heldBytes, 0);
  }

  apply(events: readonly RecordedEvent[], changes: Changes): void {
    const { checkpoint } = this;
    for (const run of runsOf(events)) {
      for (const fold of this.#folds) fold.apply(run, { checkpoint, changes });
      this.followers.touch(run, changes);
    }
    this.checkpoint.position = events.at(-1)?.meta.position ?? this.checkpoint.position;
  }

  flush(renders = true): void {
    for (const fold of this.#folds) fold.flush?.(renders);
  }

  saveCheckpoint(): void {
    for (const fold of this.#folds) fold.settle?.();
    saveCheckpoint(this.#db, this.checkpoint);
  }

  rewind(checkpoint: Checkpoint): void {
    for (const fold of this.#folds) fold.reset?.(checkpoint);
    this.checkpoint = checkpoint;
  }
}
