import { sizeName } from '#domain/media/naming.ts';
import { type Dimensions, fitted } from '#domain/media/sizes.ts';
import type { Viewer } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/model.ts';
import { type Html, html } from '../../../pages/html.ts';
import { plain } from '../../../pages/item.ts';
import { publicRendering } from '../../../rendering/rendering-of.ts';
import { contentOf, excerptOf } from '../../../rendering/texts.ts';
import { termsByName } from '../../entries/classes.ts';
import { fileUrl, sourceUrl } from '../../media/addresses.ts';
import { canReadMedia } from '../../media/policy.ts';
import { termLink } from '../../terms/links.ts';
import { avatars } from '../../users/links.ts';

export interface Picture extends Dimensions {
  readonly url: string;
  readonly isSmaller: boolean;
}

/** An image in a size: one of the names that sizes have, or a box that it has to fit into. */
export type PictureSize = string | Dimensions;

/** The file of an image in a size, the image itself where that does not exist; null when the viewer may not see it. */
export function pictureOf(id: number, size: PictureSize, { model, viewer }: Seeing): Picture | null {
  const row = id === 0 ? undefined : model.media(id);
  if (row === undefined || row.image === null || !canReadMedia(viewer, row, model)) return null;
  const cut = row.sizes.find(({ name }) => name === size);
  if (cut !== undefined) {
    const { width, height } = cut;
    return { url: fileUrl(row, sizeName(row.name, cut), model), width, height, isSmaller: true };
  }
  const full = row.shown ?? row.image;
  const { width, height } = typeof size === 'string' ? full : fitted(full, size);
  return { url: sourceUrl(row, model), width, height, isSmaller: false };
}

export interface Seeing {
  readonly model: Model;
  readonly viewer: Viewer;
}

/** An image element; null when there is none to see. */
export function pictureMarkup(id: number, size: PictureSize, seeing: Seeing): Html | null {
  const picture = pictureOf(id, size, seeing);
  if (picture === null) return null;
  const { url, width, height } = picture;
  const text = seeing.model.media(id)?.altText ?? '';
  return html`<img src="${url}" width="${width}" height="${height}" alt="${text}" loading="lazy" decoding="async">`;
}

/** The picture of a user; null when there is no such user. */
export function avatarMarkup(id: number, model: Model): Html | null {
  const user = model.user(id);
  if (user === undefined) return null;
  const url = avatars(user, model.site().url)[96] ?? '';
  return html`<img src="${url}" width="96" height="96" alt="${user.displayName}" class="avatar" loading="lazy" decoding="async">`;
}

export function titleOf({ titleJson }: Pick<EntryRow, 'titleJson'>): string {
  return plain(String(JSON.parse(titleJson)));
}

/** What an entry says in plain words, also if it is protected: its excerpt, or all of it where it has none. */
export function summaryOf(row: EntryRow, model: Model): string {
  const { excerpt = '' } = model.texts(row.id) ?? {};
  const rendering = publicRendering(model);
  return plain(excerpt.trim() === '' ? contentOf(row, rendering) : excerptOf(row, rendering));
}

export function categoryLinks({ categories }: Pick<EntryRow, 'categories'>, model: Model): Html {
  const links = termsByName(categories, model).map(
    (term, index) =>
      html`${index === 0 ? '' : ', '}<a href="${termLink(term, model)}" rel="category tag">${plain(term.name)}</a>`,
  );
  return html`${links}`;
}

/** The beginning of a plain text: at most so many characters, the last of them telling that there is more. */
export function beginning(text: string, characters: number): string {
  const all = Array.from(text);
  if (all.length <= characters) return text;
  return characters < 1
    ? ''
    : `${all
        .slice(0, characters - 1)
        .join('')
        .trimEnd()}…`;
}

export function firstWords(text: string, length: number): string {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.length <= length ? words.join(' ') : `${words.slice(0, length).join(' ')}...`;
}
