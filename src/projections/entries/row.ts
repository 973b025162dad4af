import type { Entry } from '#domain/entry/state.ts';
import type { TextPlaces } from '../kernel/text-places.ts';

/** An entry as stored: its state without the long texts, and its rendered texts. */
export interface EntryRow extends Omit<Entry, keyof Texts>, Rendered {
  readonly ord: number;
  /** Where the commit begins that wrote the row. */
  readonly since: number;
  readonly touched: number;
  /** Position of the last event that changed the entry itself: data kept beside it, such as an autosave, does not count. */
  readonly version: number;
}

export type Texts = Pick<Entry, 'content' | 'excerpt'>;

/** Rendered texts: JSON strings in ASCII; empty while a replay has not rendered them. */
export interface Rendered {
  readonly titleJson: string;
  readonly excerptJson: string;
  readonly contentJson: string;
}

export interface WrittenRow {
  readonly texts: Texts;
  readonly places: TextPlaces;
}
