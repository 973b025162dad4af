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
  readonly version: number;
  readonly kind: string;
  readonly link: string;
}

export interface ViewList extends Lent {
  readonly digest: string;
}

/** Makes the view of an entry; null where not everybody may see it, or where more goes into it than is looked at here. */
export type MakeView = (row: EntryRow) => { readonly text: string; readonly link: string } | null;

export interface ViewsOptions {
  readonly directory: string;
  readonly reader: DatabaseSync;
  readonly make: MakeView;
  /** Changes with the names of the interface: answers that were made under others are made again. */
  readonly names?: string;
  readonly at: { readonly position: number; readonly hash: string };
  /** Chain hash of the log at a position; null where no commit ends. */
  readonly hashAt: (position: number) => string | null;
  /** Told of views that are not what was made; they are made again. */
  readonly onDamage?: (message: string) => void;
}
