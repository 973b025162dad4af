import { post } from '#domain/entry/kinds.ts';
import { formatByPattern } from '#domain/time/pattern.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { userLink } from '#site/addresses/items.ts';
import { classList } from '#site/entries/classes.ts';
import { publicItem } from '#site/items/item.ts';
import { html } from '#site/markup/html.ts';
import { passwordMarkup } from '#site/rendering/blocks/post-parts.ts';
import {
  avatarMarkup,
  beginningOf,
  categoryLinks,
  entrySummary,
  type PictureSize,
  pictureMarkup,
} from '#site/rendering/fragments.ts';
import { plain } from '#site/rendering/posts.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { success } from '../kit/envelopes.ts';
import { findListed, type QueryAttributes, queryAttributes } from './query.ts';

export function listBlogPosts(call: Call<Model>): Answer {
  const attributes = queryAttributes.of(call) ?? {};
  const { rows, pages } = findListed(post, attributes, call);
  if (pages === 0) return success({ maxNumPages: 0 });
  return success({ maxNumPages: pages, queriedPostsData: rows.map((row) => itemOf(row, attributes, call)) });
}

export function imageSize({
  imagesProportion = 'full',
  customImageWidth = 0,
  customImageHeight = 0,
}: QueryAttributes): PictureSize {
  return imagesProportion === 'custom' ? { width: customImageWidth, height: customImageHeight } : imagesProportion;
}

const usualLength = 180;

function itemOf(row: EntryRow, attributes: QueryAttributes, { model, viewer }: Call<Model>): Record<string, unknown> {
  const item = publicItem(row.id, model);
  const author = model.user(row.author);
  const link = item?.address ?? '';
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
    dateBoxed: formatByPattern(row.date, 'j M'),
    date: formatByPattern(row.date, 'F j, Y'),
    dateClasses: row.modified > row.date ? ['published'] : ['published', 'updated'],
    passwordForm: row.password === '' ? '' : passwordMarkup(link).markup,
    excerpt: row.password === '' ? beginningOf(entrySummary(row, model), attributes.excerptLength ?? usualLength) : '',
    title: html`${plain(item?.title ?? '')}`.markup,
    permalink: link,
  };
}
