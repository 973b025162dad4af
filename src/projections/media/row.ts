import type { Media } from '#domain/media/state.ts';
import { resultOf } from '#text/prepared-texts.ts';

/** A media item as stored: its state, and its rendered texts. */
export interface MediaRow extends Media {
  readonly ord: number;
  readonly touched: number;
  /** JSON strings in ASCII; the description without the file that is shown above it. */
  readonly titleJson: string;
  readonly descriptionJson: string;
}

export function toMediaRow(
  media: Media,
  { ord, touched }: { readonly ord: number; readonly touched: number },
): MediaRow {
  const titleJson = resultOf('title', media.title);
  return { ...media, ord, touched, titleJson, descriptionJson: resultOf('content', media.description, '') };
}
