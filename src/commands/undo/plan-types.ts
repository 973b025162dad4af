import type { Refusal } from '#domain/kernel/refusal.ts';
import type { Reader } from '#projections/reading/reader.ts';
import type { Session } from '../session.ts';
import type { ItemRef } from './affected.ts';
import type { Reference } from './subjects.ts';

export interface UndoneField {
  readonly name: string;
  readonly now: unknown;
  readonly earlier: unknown;
}

/** Why a change cannot be taken back. */
export interface UndoConflict {
  /** Null: the item as a whole. */
  readonly field: string | null;
  readonly why: 'changed' | 'gone' | 'taken' | 'used' | 'erased' | 'final';
  readonly message: string;
  /** The later change; null: there is none. */
  readonly by: { readonly position: number; readonly at: string; readonly actor: number | null } | null;
}

/** What an undo does to one item. */
export interface UndoneItem extends ItemRef {
  readonly stream: string;
  readonly act: 'change' | 'delete' | 'create' | 'none';
  readonly fields: readonly UndoneField[];
  readonly conflicts: readonly UndoConflict[];
}

/** One that is planned, and can be carried out. */
export interface PlannedItem extends UndoneItem {
  /** Stages what gives back the fields. `left`: names of those that are not given back. */
  readonly apply: (session: Session, left: ReadonlySet<string>) => Refusal | null;
  /** Number of events in its stream when it was planned. */
  readonly revision: number;
  readonly references: readonly Reference[];
  readonly rivals: (reader: Reader) => readonly number[];
  /** The first item that has come to need it, and is no part of the undo; at most one. */
  readonly users: (reader: Reader, isPart: (item: ItemRef) => boolean) => readonly ItemRef[];
}

/** A commit that is undone: its first and last position, when it was made and by whom. */
export interface UndoneCommit {
  readonly first: number;
  readonly last: number;
  readonly at: string;
  readonly actor: number | null;
}

export interface UndoPlan {
  /** In order. */
  readonly commits: readonly UndoneCommit[];
  readonly items: readonly PlannedItem[];
  /** What cannot be taken back and is of no item. */
  readonly final: readonly UndoConflict[];
}
