import { kindOf, partOf } from '#domain/entry/kinds.ts';
import { productPart } from '#domain/entry/product.ts';
import { anonymous } from '#domain/user/roles.ts';
import type { MediaRow } from '#projections/media/row.ts';
import type { Model } from '#projections/model.ts';
import { worked } from '#text/elsewhere.ts';
import { publicRendering } from '../rendering/rendering-of.ts';
import { contentOf, excerptOf, textIn } from '../rendering/texts.ts';
import { collectionUrl } from '../tables/entries/links.ts';
import { mediaLink, mediaUrl } from '../tables/media/addresses.ts';
import { mediaRecord } from '../tables/media/fields.ts';
import type { Html } from './html.ts';
import { type Place, publicPlace } from './place.ts';
import { priceMarkup } from './price.ts';

/** What a link can lead to and everybody may see: an entry or a media item. */
export interface Item {
  readonly id: number;
  readonly type: 'post' | 'page' | 'product' | 'attachment';
  readonly address: string;
  readonly record: string;
  readonly author: number;
  /** By the clock of the site, and in UTC. */
  readonly date: string;
  readonly dateGmt: string | null;
  /** When it last changed, in UTC. */
  readonly modifiedGmt: string;
  /** Of pages: the one above, 0 at the top. */
  readonly parent: number;
  readonly sticky: boolean;
  /** The page template that it is shown by; '' for none. */
  readonly template: string;
  /** As it is rendered, markup and references included; of protected ones with a word about that. */
  readonly title: string;
  /** '' for none. */
  readonly password: string;
  readonly excerpt: () => string;
  readonly content: () => string;
  /** What it costs; null for what is not sold, or nobody knows. */
  readonly price: Html | null;
  readonly categories: readonly number[];
  readonly tags: readonly number[];
  /** The media item that stands for it in pictures; 0 for none. */
  readonly image: number;
}

/** The item with an id; undefined when there is none, or not for everybody. */
export function publicItem(id: number, model: Model): Item | undefined {
  const place = publicPlace(id, model);
  return place && itemOf(place, model);
}

export function itemOf(place: Place, model: Model): Item {
  return place.type === 'attachment' ? mediaItem(place.row, model) : entryItem(place, model);
}

/** The title in plain words; there are always some. */
export function plainTitle({ title }: Item): string {
  return plain(title) || 'Untitled';
}

/** Marks that lists of the builder fill; an excerpt of one has nothing to fill them with. */
const MARKS = /!#\w+!#/g;

/** The excerpt in plain words; nothing of what is protected. */
export function plainExcerpt({ password, excerpt }: Item): string {
  return password === '' ? plain(excerpt().replace(MARKS, '')) : '';
}

/** Rendered text without its markup. */
export function plain(rendered: string): string {
  return worked('plain', rendered);
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
    modifiedGmt: row.modifiedGmt,
    parent: row.parent,
    sticky: row.sticky,
    template: row.template,
    title: row.password === '' ? title : `Protected: ${title}`,
    password: row.password,
    excerpt: () => excerptOf(row, publicRendering(model)),
    content: () => contentOf(row, publicRendering(model)),
    price: priceMarkup(partOf(productPart, row)),
    categories: row.categories,
    tags: row.tags,
    image: row.featuredMedia,
  };
}

function mediaItem(row: MediaRow, model: Model): Item {
  const record = mediaRecord(row, { context: 'view', viewer: anonymous, model, rendering: publicRendering(model) });
  const rendered = (field: string) => String(JSON.parse(record.json(field)).rendered);
  return {
    id: row.id,
    type: 'attachment',
    address: mediaLink(row, model, anonymous),
    record: `${mediaUrl(model)}/${row.id}`,
    author: row.author,
    date: row.date,
    dateGmt: row.dateGmt,
    modifiedGmt: row.modifiedGmt,
    parent: 0,
    sticky: false,
    template: '',
    title: textIn(row.titleJson),
    password: '',
    excerpt: () => rendered('caption'),
    content: () => rendered('description'),
    price: null,
    categories: [],
    tags: [],
    image: row.image === null ? row.featuredMedia : row.id,
  };
}
