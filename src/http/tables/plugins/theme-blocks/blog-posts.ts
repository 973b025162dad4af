import { post } from '#domain/entry/kinds.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/model.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { html } from '../../../pages/html.ts';
import { plain, publicItem } from '../../../pages/item.ts';
import { classList } from '../../entries/classes.ts';
import { userLink } from '../../users/record.ts';
import { success } from '../kit/envelopes.ts';
import {
  avatarMarkup,
  beginning,
  categoryLinks,
  type PictureSize,
  passwordMarkup,
  pictureMarkup,
} from '../kit/fragments.ts';
import { findListed, type QueryAttributes, queryAttributes } from './query.ts';

/** One page of posts, each as the pieces that a block is filled with. */
export function listBlogPosts(call: Call<Model>): Answer {
  const attributes = queryAttributes.of(call) ?? {};
  const { rows, pages } = findListed(post, attributes, call);
  if (pages === 0) return success({ maxNumPages: 0 });
  return success({ maxNumPages: pages, queriedPostsData: rows.map((row) => itemOf(row, attributes, call)) });
}

/** How large a block shows images. */
export function imageSize({
  imagesProportion = 'full',
  customImageWidth = 0,
  customImageHeight = 0,
}: QueryAttributes): PictureSize {
  return imagesProportion === 'custom' ? { width: customImageWidth, height: customImageHeight } : imagesProportion;
}

/** The beginning of an entry in plain words; nothing of what is protected. */
export function excerptOf(row: EntryRow, length: number, model: Model): string {
  if (row.password !== '') return '';
  const { excerpt = '' } = model.texts(row.id) ?? {};
  return beginning(plain(String(JSON.parse(excerpt.trim() === '' ? row.contentJson : row.excerptJson))), length);
}

const usualLength = 180;

function itemOf(row: EntryRow, attributes: QueryAttributes, { model, viewer }: Call<Model>): Record<string, unknown> {
  const item = publicItem(row.id, model);
  const author = model.user(row.author);
  const link = item?.address ?? '';
  const long = longDate.format(Date.parse(`${row.date}Z`));
  return {
    postID: row.id,
    blogItemClasses: classList(row, model),
    isPasswordRequired: row.password !== '',
    authorAvatar: avatarMarkup(row.author, model)?.markup ?? '',
    authorName: author?.displayName ?? '',
    authorURL: author === undefined ? '' : userLink(author, model.site().url),
    postCategories: categoryLinks(row, model).markup,
    featuredImage: pictureMarkup(row.featuredMedia, imageSize(attributes), { model, viewer })?.markup ?? '',
    dateLink: link,
    dateBoxed: shortDate.format(Date.parse(`${row.date}Z`)),
    date: long,
    dateClasses: row.modified > row.date ? ['published'] : ['published', 'updated'],
    passwordForm: row.password === '' ? '' : passwordMarkup(link).markup,
    excerpt: excerptOf(row, attributes.excerptLength ?? usualLength, model),
    title: html`${plain(item?.title ?? '')}`.markup,
    permalink: link,
  };
}

const longDate = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });
const shortDate = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
