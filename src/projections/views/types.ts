import type { DatabaseSync } from 'node:sqlite';
import type { EntryRow } from '../entries/row.ts';

/** Bytes that are lent: when they were sent, `release` may be called, and they must not be looked at after that. */
interface Lent {
  readonly bytes: Buffer;
  readonly release: () => void;
}

/** What everybody is sent of a public entry, ready to be sent: the whole record as JSON text in ASCII. */
export interface View extends Lent {
  /** Of the bytes. */
  readonly digest: string;
  /** Position of the last event that changed the entry. */
  readonly version: number;
  /** Kind of the entry. */
  readonly kind: string;
  /** The entry's permalink. */
  readonly link: string;
}

/** Views of several entries as one JSON list. */
export interface ViewList extends Lent {
  /** Of the entries, their versions and their views. */
  readonly digest: string;
}

/** Makes the view of an entry; null where not everybody may see it, or where more goes into it than is looked at here. */
export type MakeView = (row: EntryRow) => { readonly text: string; readonly link: string } | null;

export interface ViewsOptions {
  /** Where the views are kept. It can be deleted while nobody uses it. */
  readonly directory: string;
  /** The projections. */
  readonly reader: DatabaseSync;
  readonly make: MakeView;
  /** Changes with the names of the interface: answers that were made under others are made again. */
  readonly names?: string;
  /** Where the projections stand, and the chain hash there. */
  readonly at: { readonly position: number; readonly hash: string };
  /** Chain hash of the log at a position; null where no commit ends. */
  readonly hashAt: (position: number) => string | null;
  /** Told of views that are not what was made; they are made again. */
  readonly onDamage?: (message: string) => void;
}
