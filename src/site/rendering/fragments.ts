import { sizeName } from '#domain/media/naming.ts';
import { type Dimensions, fitted } from '#domain/media/sizes.ts';
import { anonymous, type Viewer } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { type Html, html, plain } from '#text/html.ts';
import { avatars, fileUrl, sourceUrl, termLink } from '../addresses/items.ts';
import { termsByName } from '../entries/classes.ts';
import { canReadMedia } from '../rights.ts';
import { contentOf, excerptOf } from './posts.ts';
import { AnswerRendering } from './rendering.ts';

export interface Picture extends Dimensions {
  readonly url: string;
  readonly isSmaller: boolean;
}

/** The size of an image: a named size, or a box that it must fit into. */
export type PictureSize = string | Dimensions;

/** The file of an image in a size, or the full image if there is none; null if the viewer may not see it. */
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

/** An image element; null if there is no image that the viewer may see. */
export function pictureMarkup(id: number, size: PictureSize, seeing: Seeing): Html | null {
  const picture = pictureOf(id, size, seeing);
  if (picture === null) return null;
  const { url, width, height } = picture;
  const text = seeing.model.media(id)?.altText ?? '';
  return html`<img src="${url}" width="${width}" height="${height}" alt="${text}" loading="lazy" decoding="async">`;
}

/** The picture of a user; null if the user does not exist. */
export function avatarMarkup(id: number, model: Model): Html | null {
  const user = model.user(id);
  if (user === undefined) return null;
  const url = avatars(user, model.site().storeUrl)[96] ?? '';
  return html`<img src="${url}" width="96" height="96" alt="${user.displayName}" class="avatar" loading="lazy" decoding="async">`;
}

export function titleOf({ titleJson }: Pick<EntryRow, 'titleJson'>): string {
  return plain(String(JSON.parse(titleJson)));
}

/** The excerpt of an entry as plain text, or its whole content if it has none; also of a protected entry. */
export function entrySummary(row: EntryRow, model: Model): string {
  const { excerpt = '' } = model.texts(row.id) ?? {};
  const rendering = new AnswerRendering({ model, viewer: anonymous, path: '', query: {} });
  return plain(excerpt.trim() === '' ? contentOf(row, rendering) : excerptOf(row, rendering));
}

export function categoryLinks({ categories }: Pick<EntryRow, 'categories'>, model: Model): Html {
  const links = termsByName(categories, model).map(
    (term, index) =>
      html`${index === 0 ? '' : ', '}<a href="${termLink(term, model)}" rel="category tag">${plain(term.name)}</a>`,
  );
  return html`${links}`;
}

export function firstWords(text: string, length: number): string {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.length <= length ? words.join(' ') : `${words.slice(0, length).join(' ')}...`;
}
