import { flagAt, isSet, numberAt, textAt } from '#blocks/attributes.ts';
import { escapeAddress } from '#blocks/escape-address.ts';
import type { JsonMap } from '#blocks/ordered-json.ts';
import { decodeReferences, escapeAttribute } from '#blocks/references.ts';
import { stripMarkup } from '#blocks/strip.ts';
import { formatDate, isoDate } from '#domain/time/format.ts';
import { toLocal } from '#domain/time/local.ts';
import type { FeedItem } from '#text/feed-items.ts';
import { isOwn } from '../../addresses/place.ts';
import { wrapped } from '../pieces.ts';
import type { Make, Rendering } from '../types.ts';

const noFeed = notice('An error has occurred, which probably means the feed is down. Try again later.');
const notYet = notice('This feed is not there yet. It is being fetched and will be shown soon.', 'info');
const ownFeed = notice('Feeds of this site are not shown here. Use a list of its latest posts.');

export const rss: Make = (block, { rendering }) => {
  const { attributes } = block;
  const address = (textAt(attributes, 'feedURL') ?? '').trim();
  if (address === '') return noFeed;
  if (isOwn(address, rendering.model)) return ownFeed;
  const found = itemsOf(address, rendering);
  if (found === undefined) return notYet;
  const items = JSON.parse(found ?? '[]') as readonly FeedItem[];
  if (items.length === 0) return noFeed;
  const shown = items.slice(0, Math.max(0, Math.trunc(numberAt(attributes, 'itemsToShow') ?? 5)));
  const isGrid = textAt(attributes, 'blockLayout') === 'grid';
  const classes = [
    ...(isGrid ? ['is-grid', `columns-${Math.trunc(numberAt(attributes, 'columns') ?? 2)}`] : []),
    ...(flagAt(attributes, 'displayDate') === true ? ['has-dates'] : []),
    ...(flagAt(attributes, 'displayAuthor') === true ? ['has-authors'] : []),
    ...(flagAt(attributes, 'displayExcerpt') === true ? ['has-excerpts'] : []),
  ];
  const list = shown.map((item) => itemMarkup(item, attributes, rendering)).join('');
  return wrapped('ul', block, list, { classes });
};

/** As JSON; null if they cannot be had, undefined if they are not there yet. */
function itemsOf(address: string, rendering: Rendering): string | null | undefined {
  rendering.now();
  const present = rendering.model.present();
  return present === rendering.model ? present.feeds.of(address) : null;
}

function itemMarkup(item: FeedItem, attributes: JsonMap, rendering: Rendering): string {
  const title = plain(item.title) || '(no title)';
  const address = escapeAddress(item.link);
  const rel = (textAt(attributes, 'rel') ?? '').trim();
  const more =
    (flagAt(attributes, 'openInNewTab') === true ? ' target="_blank"' : '') +
    (rel === '' ? '' : ` rel="${escapeAttribute(rel)}"`);
  const linked = address === '' ? title : `<a href='${address}'${more}>${title}</a>`;
  const date = flagAt(attributes, 'displayDate') === true ? dateMarkup(item, rendering) : '';
  const name = flagAt(attributes, 'displayAuthor') === true ? plain(item.author) : '';
  const author = name === '' ? '' : `<span class="wp-block-rss__item-author">by ${name}</span>`;
  const excerpt = flagAt(attributes, 'displayExcerpt') === true ? excerptMarkup(item, attributes) : '';
  return `<li class='wp-block-rss__item'><div class='wp-block-rss__item-title'>${linked}</div>${date}${author}${excerpt}</li>`;
}

function dateMarkup({ date }: FeedItem, { model }: Rendering): string {
  const time = Date.parse(date);
  const year = new Date(time).getUTCFullYear();
  if (Number.isNaN(time) || year < 1 || year > 9999) return '';
  const { timezone, dateFormat } = model.site();
  const gmt = new Date(time).toISOString().slice(0, 19);
  const moment = { gmt, local: toLocal(gmt, timezone) };
  const shown = escapeAttribute(formatDate(dateFormat, moment, timezone));
  return `<time datetime="${isoDate(moment, timezone)}" class="wp-block-rss__item-publish-date">${shown}</time> `;
}

function excerptMarkup({ description }: FeedItem, attributes: JsonMap): string {
  if (!isSet(description)) return '';
  const words = stripMarkup(decodeReferences(description))
    .split(/\s+/)
    .filter((word) => word !== '');
  const length = Math.max(0, Math.trunc(numberAt(attributes, 'excerptLength') ?? 55));
  const text = words.slice(0, length).join(' ');
  const shown = escapeAttribute(text.replace(/\[(?:\.\.\.|…)\]$/, '')).trimEnd();
  const isCut = words.length > length || shown.length < escapeAttribute(text).length;
  return `<div class="wp-block-rss__item-excerpt">${shown}${isCut ? ' [&hellip;]' : ''}</div>`;
}

function plain(text: string): string {
  return escapeAttribute(stripMarkup(decodeReferences(text)).trim());
}

function notice(text: string, kind = 'error'): string {
  return `<div class="components-placeholder"><div class="notice notice-${kind}">${text}</div></div>`;
}
