import type { MadeTexts, MovedAnswer, MovedPage, MovedRead, MovedTexts } from '#http/engine/elsewhere.ts';
import type { Published } from '#projections/kernel/change-notifier.ts';

/** Messages between the main thread and a reader thread. They are copied, or moved where they are bytes. */

export type ReaderQuestion =
  | { readonly kind: 'read'; readonly read: MovedRead }
  | { readonly kind: 'page'; readonly url: string }
  | { readonly kind: 'texts'; readonly texts: MovedTexts };

export type ToReader = ReaderQuestion | { readonly kind: 'published'; readonly published: Published };

/** Answers come in the order of the questions; null: the thread cannot answer it. */
export type ReaderAnswer = MovedAnswer | MovedPage | MadeTexts | null;

export type FromReader = { readonly kind: 'ready' } | { readonly kind: 'answer'; readonly answer: ReaderAnswer };
