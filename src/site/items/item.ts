import { DYNAMIC } from '#blocks/dynamic.ts';
import { easeLoading } from '#blocks/images.ts';
import { escapeAttribute } from '#blocks/references.ts';
import { isGiven } from '#blocks/render.ts';
import { upToLast } from '#blocks/up-to-last.ts';
import { kindOf, partOf } from '#domain/entry/kinds.ts';
import { productPart } from '#domain/entry/product.ts';
import { isImageType, mainType } from '#domain/media/types.ts';
import { anonymous } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { type Html, plain } from '#text/html.ts';
import { asciiJson, type JsonText } from '#text/json.ts';
import { resultOf, type TextWork } from '#text/prepared-texts.ts';
import { parseQuery } from '#text/query-string.ts';
import { collectionUrl, mediaLink, mediaUrl, sourceUrl } from '../addresses/items.ts';
import { type Place, placeAt, placeByUrl, placeInQuery, publicPlace } from '../addresses/place.ts';
import { priceMarkup } from '../markup/price.ts';
import { imageElement } from '../media/image.ts';
import { publicRendering } from '../post-lists/in-contents.ts';
import { contentOf, excerptOf, mediaPost, postOf, textIn } from '../rendering/posts.ts';
import type { Post, Reading, TextRendering } from '../rendering/types.ts';

/** A public item that a link can lead to: an entry or a media item. */
export interface Item {
  readonly id: number;
  readonly type: 'post' | 'page' | 'product' | 'attachment';
  readonly address: string;
  readonly record: string;
  readonly author: number;
  /** In the site's time zone; `dateGmt`: in UTC. */
  readonly date: string;
  readonly dateGmt: string | null;
  /** Time of its last change since it is public, UTC: a scheduled one may have been changed before. */
  readonly updatedGmt: string;
  /** For pages: the parent, 0 at the top. */
  readonly parent: number;
  readonly sticky: boolean;
  /** Its page template; '' for none. */
  readonly template: string;
  /** As rendered, with markup and references; marked as such if it is protected. */
  readonly title: string;
  /** '' for none. */
  readonly password: string;
  readonly excerpt: () => string;
  /** `query`: that of its address, which turns pages of lists in it. `rules`: is told those of the classes in it. */
  readonly content: (query?: string, rules?: Reading['rules']) => string;
  /** Its price; null if it is not for sale or the price is unknown. */
  readonly price: Html | null;
  readonly categories: readonly number[];
  readonly tags: readonly number[];
  /** Its featured image, a media item; 0 for none. */
  readonly image: number;
}

interface Showing {
  readonly model: Model;
  readonly rendering: TextRendering;
}

/** The item with an id; undefined if it does not exist or is not public. */
export function publicItem(id: number, model: Model): Item | undefined {
  const place = publicPlace(id, model);
  return place && itemOf(place, model);
}

export function itemOf(place: Place, model: Model): Item {
  return place.type === 'attachment' ? mediaItem(place.row, model) : entryItem(place, model);
}

/** The title as plain text, never empty. */
export function plainTitle({ title }: Item): string {
  return plain(title) || 'Untitled';
}

/** The excerpt as plain text; '' if the item is protected. */
export function plainExcerpt({ password, excerpt }: Item): string {
  return password === '' ? plain(excerpt()) : '';
}

function entryItem({ row, type, address }: Exclude<Place, { type: 'attachment' }>, model: Model): Item {
  const title = textIn(row.titleJson);
  return {
    id: row.id,
    type,
    address,
    record: `${collectionUrl(kindOf(row.kind), model)}/${row.id}`,
    author: row.author,
    date: row.date,
    dateGmt: row.dateGmt,
    updatedGmt: updatedAt(row),
    parent: row.parent,
    sticky: row.sticky,
    template: row.template,
    title: row.password === '' ? title : `Protected: ${title}`,
    password: row.password,
    excerpt: () => excerptWithoutTables(row, model),
    content: (query = '', rules) => contentOf(row, publicRendering(model, { query: parseQuery(query), rules })),
    price: priceMarkup(partOf(productPart, row)),
    categories: row.categories,
    tags: row.tags,
    image: row.featuredMedia,
  };
}

const TABLES = /<!-- wp:table\b.*?<!-- \/wp:table -->/gs;

/** The cells of a table would follow each other as if they were a sentence. */
function excerptWithoutTables(row: EntryRow, model: Model): string {
  const rendering = publicRendering(model);
  const post = row.contentJson.includes('wp-block-table') ? postOf(row, model) : undefined;
  const texts = post?.texts();
  if (post === undefined || texts === undefined || texts.excerpt !== '') return excerptOf(row, rendering);
  const [within, rest] = upToLast(texts.content, '<!-- /wp:table -->');
  const content = within.replace(TABLES, '') + rest;
  return rendering.excerpt({ ...post, texts: () => ({ content, excerpt: '' }) });
}

function updatedAt({ modifiedGmt, dateGmt }: Pick<EntryRow | MediaRow, 'modifiedGmt' | 'dateGmt'>): string {
  return dateGmt !== null && dateGmt > modifiedGmt ? dateGmt : modifiedGmt;
}

function mediaItem(row: MediaRow, model: Model): Item {
  const showing = { model, rendering: publicRendering(model) };
  return {
    id: row.id,
    type: 'attachment',
    address: mediaLink(row, model, anonymous),
    record: `${mediaUrl(model)}/${row.id}`,
    author: row.author,
    date: row.date,
    dateGmt: row.dateGmt,
    updatedGmt: updatedAt(row),
    parent: 0,
    sticky: false,
    template: '',
    title: textIn(row.titleJson),
    password: '',
    excerpt: () => String(JSON.parse(captionJson(row, showing))),
    content: () => String(JSON.parse(descriptionJson(row, showing))),
    price: null,
    categories: [],
    tags: [],
    image: row.image === null ? row.featuredMedia : row.id,
  };
}

/** The description of a media item as shown, as JSON. */
export function descriptionJson(row: MediaRow, { model, rendering }: Showing): JsonText {
  const text = row.descriptionJson === DYNAMIC ? asciiJson(rendering.content(mediaPost(row))) : row.descriptionJson;
  return `${asciiJson(`${attachmentHtml(row, model)}\n`).slice(0, -1)}${text.slice(1)}`;
}

/** The caption of a media item as shown, as JSON. */
export function captionJson(row: MediaRow, { model, rendering }: Showing): JsonText {
  const post = captionPost(row, model);
  if (rendering.isLate) return asciiJson(rendering.excerpt(post));
  const { content, excerpt } = post.texts();
  const { job, texts } = captionWork(excerpt, content);
  const shown = resultOf(job, ...texts);
  return shown === DYNAMIC ? asciiJson(rendering.excerpt(post)) : shown;
}

/** A media item as the subject of its caption, which is made of its file and its description if none is given. */
export function captionPost(row: MediaRow, model: Model): Post {
  const file = attachmentText(row, model);
  return mediaPost(file === '' ? row : { ...row, description: `${file}\n${row.description}` });
}

/** `text`: what the caption is made of if none is given. */
export function captionWork(caption: string, text: string): TextWork {
  return { job: 'excerpt', texts: isGiven(caption) ? [caption, ''] : ['', text] };
}

/** The markup above an item's description: the image, a player, or a link to the file. */
function attachmentHtml(row: MediaRow, model: Model): string {
  const url = sourceUrl(row, model);
  const kind = mainType(row.type);
  if (kind === 'video' || kind === 'audio') return player(kind, url);
  const isImage = isImageType(row.type) && row.image !== null;
  const inner = isImage ? easeLoading(imageElement(row, model, { size: 'medium' })) : row.title || row.name;
  return `<p class="attachment"><a href='${escapeAttribute(url)}'>${inner}</a></p>`;
}

function attachmentText(row: MediaRow, model: Model): string {
  return isImageType(row.type) && row.image !== null ? '' : attachmentHtml(row, model);
}

function player(kind: string, url: string): string {
  const address = escapeAttribute(url);
  return `<${kind} preload="metadata" controls="controls" src="${address}"><a href="${address}">${url}</a></${kind}>`;
}

export function itemAt(path: string, model: Model): Item | undefined {
  return found(placeAt(path, model), model);
}

/** The item named by a plain link (`?p=12`); null if the query is not one. */
export function itemInQuery(query: string, model: Model): Item | undefined | null {
  const place = placeInQuery(query, model);
  return place === null ? null : found(place, model);
}

export function itemByUrl(address: string, model: Model): Item | undefined {
  return found(placeByUrl(address, model), model);
}

function found(place: Place | undefined, model: Model): Item | undefined {
  return place && itemOf(place, model);
}
