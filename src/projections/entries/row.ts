import type { Entry } from '#domain/entry/state.ts';
import type { TextPlaces } from '../text-places.ts';

/** An entry as it is read: its state without the long texts, and what is sent of those. */
export interface EntryRow extends Omit<Entry, keyof Texts>, Rendered {
  readonly ord: number;
  readonly touched: number;
  /** Position of the last event that changed it: what is kept beside it, an autosave say, does not count. */
  readonly version: number;
}

export type Texts = Pick<Entry, 'content' | 'excerpt'>;

/** What is sent of the texts: JSON strings in ASCII; empty while a replay has not come to rendering. */
export interface Rendered {
  readonly titleJson: string;
  readonly excerptJson: string;
  readonly contentJson: string;
}

export interface Written {
  readonly texts: Texts;
  readonly places: TextPlaces;
}
