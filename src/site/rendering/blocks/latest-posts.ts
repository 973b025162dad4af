import { flagAt, isSet, numberAt, textAt } from '#blocks/attributes.ts';
import { hasBlocks } from '#blocks/blocks.ts';
import { escapeAddress } from '#blocks/escape-address.ts';
import { MORE } from '#blocks/excerpt.ts';
import type { JsonMap } from '#blocks/ordered-json.ts';
import { decodeReferences, escapeAttribute } from '#blocks/references.ts';
import { formatDate, isoDate } from '#domain/time/format.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { CollectionQuery } from '#projections/kernel/collection-query.ts';
import { resultOf } from '#text/prepared-texts.ts';
import { permalink } from '../../addresses/items.ts';
import { imageElement } from '../../media/image.ts';
import { idIn, idsIn, longestList, orderBy, orderOf, rowsOf } from '../listing.ts';
import { wrapped } from '../pieces.ts';
import { momentOf, otherPost, shownTitle } from '../posts.ts';
import type { Here, Make } from '../types.ts';
import { featuredOf } from './post-featured-image.ts';

const LOCKED = 'This content is password protected.';

export const latestPosts: Make = (block, here) => {
  const { attributes } = block;
  const isGrid = textAt(attributes, 'postLayout') === 'grid';
  const columns = numberAt(attributes, 'columns') ?? 3;
  const says = (name: string) => flagAt(attributes, name) === true;
  const classes = [
    'wp-block-latest-posts__list',
    ...(isGrid ? ['is-grid', `columns-${columns}`] : []),
    ...(says('displayPostDate') ? ['has-dates'] : []),
    ...(says('displayAuthor') ? ['has-author'] : []),
  ];
  const rows = rowsOf(queryOf(attributes), here.rendering);
  return wrapped('ul', block, rows.map((row) => `<li>${itemOf(row, attributes, here)}</li>\n`).join(''), { classes });
};

function queryOf(attributes: JsonMap): CollectionQuery {
  const categories = attributes.get('categories');
  const wanted = (Array.isArray(categories) ? categories : []).flatMap((one) =>
    one instanceof Map ? (idIn(one.get('id')) ?? []) : [],
  );
  const author = idIn(attributes.get('selectedAuthor'));
  return {
    kind: 'post',
    statuses: [{ status: 'publish' }],
    offset: 0,
    orderBy: orderBy(textAt(attributes, 'orderBy')),
    order: orderOf(textAt(attributes, 'order')),
    limit: Math.min(Math.max(Math.abs(numberAt(attributes, 'postsToShow') ?? 5), 1), longestList),
    ...(wanted.length === 0 ? {} : { taxonomies: [{ by: 'term', mode: 'any', terms: idsIn(wanted.map(String)) }] }),
    ...(author === undefined ? {} : { authors: [author] }),
  };
}

function itemOf(row: EntryRow, attributes: JsonMap, here: Here): string {
  const { model } = here.rendering;
  const says = (name: string) => flagAt(attributes, name) === true;
  const title = shownTitle(row) || '(no title)';
  const address = escapeAddress(permalink(row, model));
  const { timezone, dateFormat } = model.site();
  const moment = momentOf(row);
  const author = says('displayAuthor') ? (model.user(row.author)?.displayName ?? '') : '';
  return [
    says('displayFeaturedImage') ? pictureOf(row, { attributes, address, title, here }) : '',
    `<a class="wp-block-latest-posts__post-title" href="${address}">${title}</a>`,
    author === '' ? '' : `<div class="wp-block-latest-posts__post-author">by ${author}</div>`,
    says('displayPostDate')
      ? `<time datetime="${isoDate(moment, timezone)}" class="wp-block-latest-posts__post-date">${formatDate(dateFormat, moment, timezone)}</time>`
      : '',
    says('displayPostContent') ? textOf(row, { attributes, address, title, here }) : '',
  ].join('');
}

interface Shown {
  readonly attributes: JsonMap;
  readonly address: string;
  readonly title: string;
  readonly here: Here;
}

function pictureOf(row: EntryRow, { attributes, address, title, here }: Shown): string {
  const { model } = here.rendering;
  const media = featuredOf(otherPost(row, model), here);
  if (media === undefined) return '';
  const bound = (side: 'Width' | 'Height') => {
    const length = numberAt(attributes, `featuredImageSize${side}`);
    return length === undefined ? '' : `max-${side.toLowerCase()}:${length}px;`;
  };
  const image = imageElement(media, model, {
    size: textAt(attributes, 'featuredImageSizeSlug') ?? 'thumbnail',
    classes: 'wp-post-image',
    more: { style: bound('Width') + bound('Height') },
  });
  const align = textAt(attributes, 'featuredImageAlign') ?? '';
  const classes = `wp-block-latest-posts__featured-image${align === '' ? '' : ` align${align}`}`;
  const isLink = flagAt(attributes, 'addLinkToFeaturedImage') === true;
  const inside = isLink ? `<a href="${address}" aria-label="${escapeAttribute(title)}">${image}</a>` : image;
  return `<div class="${escapeAttribute(classes)}">${inside}</div>`;
}

function textOf(row: EntryRow, shown: Shown): string {
  const isFull = textAt(shown.attributes, 'displayPostContentRadio') === 'full_post';
  const text = row.password !== '' ? LOCKED : isFull ? fullText(row, shown.here) : beginningOf(row, shown);
  return `<div class="wp-block-latest-posts__post-${isFull ? 'full-content' : 'excerpt'}">${text}</div>`;
}

function beginningOf(row: EntryRow, { attributes, address, title, here }: Shown): string {
  const { rendering } = here;
  const length = numberAt(attributes, 'excerptLength');
  const excerpt = rendering.excerptText(otherPost(row, rendering.model), {
    within: here.within,
    ...(isSet(attributes.get('excerptLength')) && length !== undefined ? { length } : {}),
  });
  if (!excerpt.endsWith(MORE)) return excerpt;
  const label = `<span class="screen-reader-text">: ${escapeAttribute(title)}</span>`;
  const link = `<a class="wp-block-latest-posts__read-more" href="${address}" rel="noopener">Read more${label}</a>`;
  return `${excerpt.slice(0, -MORE.length)}… ${link}`;
}

function fullText(row: EntryRow, here: Here): string {
  const mark = `content ${row.id}`;
  if (here.within.has(mark)) return '';
  const post = otherPost(row, here.rendering.model);
  const text = decodeReferences(post.texts().content);
  return resultOf('filterMarkup', hasBlocks(text) ? here.inside(text, { post, showing: mark }) : text);
}
