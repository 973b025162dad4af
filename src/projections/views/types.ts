import type { DatabaseSync } from 'node:sqlite';
import type { EntryRow } from '../entries/row.ts';

/** Borrowed bytes: to be released when sent, and not to be read after that. */
interface Lent {
  readonly bytes: Buffer;
  readonly release: () => void;
}

/** The anonymous answer for a public entry, ready to be sent: the whole record as JSON text in ASCII. */
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

/** Makes the view of an entry; null if it is not public, or depends on more than is considered here. */
export type MakeView = (row: EntryRow) => { readonly text: string; readonly link: string } | null;

export interface ViewsOptions {
  readonly directory: string;
  readonly reader: DatabaseSync;
  readonly make: MakeView;
  /** Identifies what the answers are made with: those of another version are rebuilt. */
  readonly version?: string;
  readonly at: { readonly position: number; readonly hash: string };
  /** Chain hash of the log at a position; null where no commit ends. */
  readonly hashAt: (position: number) => string | null;
  /** Called with a message about damaged views, which are rebuilt. */
  readonly onDamage?: (message: string) => void;
}
