import { kindOf } from '#domain/entry/kinds.ts';
import { anonymous } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { canReadEntry } from '../rights/entries.ts';
import { canReadMedia } from '../rights/media.ts';
import { permalink } from './entries.ts';
import { mediaLink } from './media.ts';

export type Place = Found<'post' | 'page' | 'product', EntryRow> | Found<'attachment', MediaRow>;

interface Found<T, R> {
  readonly type: T;
  readonly row: R;
  readonly address: string;
}

/** The place of an entry or media item; undefined if it does not exist or is not public. */
export function publicPlace(id: number, model: Model): Place | undefined {
  const row = model.entry(id);
  if (row !== undefined) {
    return hasPage(row) ? { type: placeType(row.kind), row, address: permalink(row, model) } : undefined;
  }
  const media = model.media(id);
  if (media === undefined || !canReadMedia(anonymous, media, model)) return undefined;
  return { type: 'attachment', row: media, address: mediaLink(media, model, anonymous) };
}

export function frameAddress({ address }: { readonly address: string }): string {
  return address.includes('?') ? `${address}&embed=true` : `${address}embed/`;
}

function hasPage(row: EntryRow): boolean {
  return kindOf(row.kind).type.viewable && canReadEntry(anonymous, row);
}

export function placeType(kind: string): 'post' | 'page' | 'product' {
  return kind === 'page' || kind === 'product' ? kind : 'post';
}
