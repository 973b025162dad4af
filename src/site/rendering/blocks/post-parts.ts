import { flagAt, isSet, numberAt, textAt } from '#blocks/attributes.ts';
import { escapeAddress } from '#blocks/escape-address.ts';
import { firstPage, MORE, teaser } from '#blocks/excerpt.ts';
import { filterMarkup } from '#blocks/filter.ts';
import type { JsonMap } from '#blocks/ordered-json.ts';
import { escapeAttribute } from '#blocks/references.ts';
import { stripMarkup } from '#blocks/strip.ts';
import { wrapperAttributes } from '#blocks/supports/wrapper.ts';
import type { Taxonomy } from '#domain/term/events.ts';
import { termKinds } from '#domain/term/kinds.ts';
import { type CivilMoment, formatDate, isoDate } from '#domain/time/format.ts';
import { type LocalTime, resolveDate, secondsBetween } from '#domain/time/local.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { UserRow } from '#projections/users/definition.ts';
import { costOfText } from '#text/cost.ts';
import { type Html, html } from '#text/html.ts';
import { wordCount } from '#text/word-count.ts';
import { avatars, permalink, termLink, userLink } from '../../addresses/items.ts';
import { termsByName } from '../../entries/classes.ts';
import { headingOf, linkTo, relOf, targetOf, wrapped } from '../pieces.ts';
import { momentOf, titleOfPost } from '../posts.ts';
import { termIdsOf } from '../terms.ts';
import type { Here, Make } from '../types.ts';

export const postTitle: Make = (block, { post, rendering: { model } }) => {
  const title = titleOfPost(post);
  if (post.row === undefined || title === '') return '';
  const { attributes } = block;
  const more = ` target="${targetOf(attributes)}" ${relOf(attributes).trim()}`;
  const inside = flagAt(attributes, 'isLink') === true ? linkTo(permalink(post.row, model), title, more) : title;
  return wrapped(headingOf(numberAt(attributes, 'level') ?? 2), block, inside);
};

export const postAuthor: Make = (block, here) => {
  const author = authorOfPost(here);
  if (author === undefined) return '';
  const { attributes } = block;
  const { url } = here.rendering.model.site();
  const says = (name: string) => flagAt(attributes, name) === true;
  const byline = textAt(attributes, 'byline') ?? '';
  const justified = textAt(attributes, 'itemsJustification') ?? '';
  const name = says('isLink')
    ? linkTo(userLink(author, url), author.displayName, ` target="${targetOf(attributes)}"`)
    : author.displayName;
  const inside = [
    flagAt(attributes, 'showAvatar') === false
      ? ''
      : `<div class="wp-block-post-author__avatar">${avatar(author, numberAt(attributes, 'avatarSize') ?? 48, url)}</div>`,
    '<div class="wp-block-post-author__content">',
    byline === '' ? '' : `<p class="wp-block-post-author__byline">${filterMarkup(byline)}</p>`,
    `<p class="wp-block-post-author__name">${name}</p>`,
    says('showBio') ? `<p class="wp-block-post-author__bio">${author.description}</p>` : '',
    '</div>',
  ];
  const classes = justified === '' ? [] : [`items-justified-${justified}`];
  return wrapped('div', block, inside.join(''), { classes });
};

export const postAuthorName: Make = (block, here) => {
  const author = authorOfPost(here);
  if (author === undefined || !isSet(author.displayName)) return '';
  const { attributes } = block;
  const address = userLink(author, here.rendering.model.site().url);
  const more = ` target="${targetOf(attributes)}" class="wp-block-post-author-name__link"`;
  const name = flagAt(attributes, 'isLink') === true ? linkTo(address, author.displayName, more) : author.displayName;
  return wrapped('div', block, name);
};

export const postAuthorBiography: Make = (block, here) => {
  const text = authorOfPost(here)?.description ?? '';
  return text === '' ? '' : wrapped('div', block, text);
};

/** The author of the post; undefined once the account is erased. */
function authorOfPost({ post: { row }, rendering: { model } }: Here): UserRow | undefined {
  const user = row === undefined ? undefined : model.user(row.author);
  return user?.erased === true ? undefined : user;
}

function avatar(user: UserRow, size: number, url: string, { alt = '', classes = '' } = {}): string {
  const address = (avatars(user, url)[96] ?? '').split('?', 1)[0] ?? '';
  const source = (width: number) => escapeAttribute(`${address}?s=${width}`);
  const names = `avatar avatar-${size} photo${classes === '' ? '' : ` ${classes}`}`;
  return `<img alt='${escapeAttribute(alt)}' src='${source(size)}' srcset='${source(size * 2)} 2x' class='${names}' height='${size}' width='${size}' />`;
}

export const postTerms: Make = ({ name, attributes }, { post: { row }, rendering: { model } }) => {
  const taxonomy = textAt(attributes, 'term') ?? '';
  if (row === undefined || !Object.hasOwn(termKinds, taxonomy)) return '';
  if (!termKinds[taxonomy as Taxonomy].type.viewable) return '';
  const terms = termsByName(termIdsOf(row, taxonomy as Taxonomy), model);
  if (terms.length === 0) return '';
  const part = (kind: 'prefix' | 'suffix') => {
    const text = textAt(attributes, kind);
    return isSet(text) ? `<span class="wp-block-post-terms__${kind}">${text}</span>` : '';
  };
  const given = textAt(attributes, 'separator') ?? ', ';
  const separator = `<span class="wp-block-post-terms__separator">${escapeAttribute(given === '' ? ' ' : given)}</span>`;
  const links = terms.map((term) => linkTo(termLink(term, model), term.name, ' rel="tag"'));
  const wrapper = wrapperAttributes(name, attributes, { classes: [`taxonomy-${taxonomy}`] });
  const begun = filterMarkup(`<div ${wrapper}>${part('prefix')}`);
  return `${begun}${links.join(separator)}${filterMarkup(`${part('suffix')}</div>`)}`;
};

export const postTimeToRead: Make = (block, { post, rendering }) => {
  if (post.row === undefined) return '';
  const { attributes } = block;
  const content = post.isLocked ? '' : post.texts().content;
  const words = rendering.cost.takes(costOfText(content)) ? wordCount(content) : 0;
  const minutes = words / (numberAt(attributes, 'averageReadingSpeed') || 189);
  const text =
    textAt(attributes, 'displayMode') === 'words'
      ? counted(words, 'word')
      : flagAt(attributes, 'displayAsRange') === false
        ? counted(atLeastOne(minutes), 'minute')
        : range(minutes);
  return wrapped('div', block, text);
};

function range(minutes: number): string {
  const [min, max] = [atLeastOne(minutes * 0.8), atLeastOne(minutes * 1.2)];
  return `${min}–${min === max ? min + 1 : max} minutes`;
}

function atLeastOne(minutes: number): number {
  return Math.max(1, Math.round(minutes));
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

export const readMore: Make = ({ name, attributes }, { post, rendering: { model } }) => {
  if (post.row === undefined) return '';
  const title = titleOfPost(post) || `untitled post ${post.id}`;
  const text = textAt(attributes, 'content') ?? '';
  const justified = textAt(attributes, 'justifyContent') ?? '';
  const wrapper = wrapperAttributes(name, attributes, {
    classes: justified === '' ? [] : [`is-justified-${justified}`],
  });
  const address = escapeAddress(permalink(post.row, model));
  const shown = text === '' ? 'Read more' : filterMarkup(text);
  return `<a ${wrapper} href="${address}" target="${targetOf(attributes)}">${shown}<span class="screen-reader-text">: ${title}</span></a>`;
};

export const postDate: Make = (block, { post: { row }, rendering }) => {
  if (row === undefined) return '';
  const { model } = rendering;
  const { attributes } = block;
  const { timezone, dateFormat } = model.site();
  const moment = momentIn(attributes, row, timezone);
  if (moment === null) return '';
  const format = textAt(attributes, 'format');
  const shown =
    format === 'human-diff'
      ? distance(moment, rendering.now())
      : formatDate(isSet(format) ? (format ?? '') : dateFormat, moment, timezone);
  const written = ownDate(attributes) ?? isoDate(moment, timezone);
  const time = `<time datetime="${escapeAttribute(written)}">${shown}</time>`;
  const inside = flagAt(attributes, 'isLink') === true ? linkTo(permalink(row, model), time) : time;
  const classes = showsModified(attributes) ? ['wp-block-post-date__modified-date'] : [];
  return wrapped('div', block, inside, { classes });
};

function momentIn(attributes: JsonMap, row: EntryRow, zone: string): CivilMoment | null {
  const published = momentOf(row);
  if (showsModified(attributes)) {
    return row.modifiedGmt > published.gmt ? { local: row.modified, gmt: row.modifiedGmt } : null;
  }
  const given = ownDate(attributes);
  return given === undefined ? published : resolveDate(given, 'date_gmt', zone);
}

/** The date that the block has itself; without a zone it is UTC. */
function ownDate(attributes: JsonMap): string | undefined {
  const given = textAt(attributes, 'datetime');
  return isSet(given) && field(attributes) === undefined && !showsModified(attributes) ? given : undefined;
}

function showsModified(attributes: JsonMap): boolean {
  return textAt(attributes, 'displayType') === 'modified' || field(attributes) === 'modified';
}

function field(attributes: JsonMap): string | undefined {
  const path = ['metadata', 'bindings', 'datetime'];
  if (textAt(attributes, ...path, 'source') !== 'core/post-data') return undefined;
  return textAt(attributes, ...path, 'args', 'field') ?? textAt(attributes, ...path, 'args', 'key');
}

const UNITS: readonly (readonly [name: string, seconds: number, below: number])[] = [
  ['second', 1, 60],
  ['minute', 60, 3600],
  ['hour', 3600, 86_400],
  ['day', 86_400, 604_800],
  ['week', 604_800, 2_592_000],
  ['month', 2_592_000, 31_536_000],
  ['year', 31_536_000, Number.POSITIVE_INFINITY],
];

function distance({ gmt }: CivilMoment, now: LocalTime): string {
  const seconds = secondsBetween(gmt, now);
  const unit = UNITS.find(([, , below]) => Math.abs(seconds) < below) ?? UNITS.at(-1);
  const [name = '', size = 1] = unit ?? [];
  const count = Math.max(1, Math.round(Math.abs(seconds) / size));
  return `${count} ${name}${count === 1 ? '' : 's'} ${seconds < 0 ? 'from now' : 'ago'}`;
}

/** The content of the post, except within itself; for a protected post the password form. */
export const postContent: Make = (block, here) => {
  const { post, rendering, within } = here;
  const mark = `content ${post.id}`;
  if (post.row === undefined || within.has(mark)) return '';
  if (post.isLocked) return passwordMarkup(permalink(post.row, rendering.model)).markup;
  const content = rendering.content(post, { within: new Set([...within, mark]), text: shortened(here) });
  return content === '' ? '' : wrapped('div', block, content, { classes: ['entry-content'] });
};

function shortened({ post, rendering }: Here): string {
  const page = firstPage(post.texts().content);
  const cut = teaser(page);
  if (cut === page || post.row === undefined) return page;
  const label = escapeAttribute(`Continue reading ${stripMarkup(titleOfPost(post))}`);
  const address = escapeAddress(`${permalink(post.row, rendering.model)}#more-${post.id}`);
  return `${cut} <a href="${address}" class="more-link"><span aria-label="${label}">(more&hellip;)</span></a>`;
}

export const postExcerpt: Make = (block, { post, rendering, within }) => {
  if (post.row === undefined || within.has(`excerpt ${post.id}`)) return '';
  const { attributes } = block;
  const more = textAt(attributes, 'moreText') ?? '';
  const address = escapeAddress(permalink(post.row, rendering.model));
  const link =
    more === '' ? '' : `<a class="wp-block-post-excerpt__more-link" href="${address}">${filterMarkup(more)}</a>`;
  const text = rendering.excerptText(post, { within: new Set([...within, `excerpt ${post.id}`]) });
  const excerpt = firstWords(more === '' ? text : withoutMore(text), numberAt(attributes, 'excerptLength') ?? 55);
  if (excerpt === '') return '';
  const begun = `<p class="wp-block-post-excerpt__excerpt">${excerpt}`;
  const isBelow = flagAt(attributes, 'showMoreOnNewLine') !== false && isSet(more);
  const end = isBelow ? `</p><p class="wp-block-post-excerpt__more-text">${link}</p>` : ` ${link}</p>`;
  return wrapped('div', block, begun + end);
};

function withoutMore(text: string): string {
  return text.endsWith(MORE) ? text.slice(0, -MORE.length) : text;
}

function firstWords(text: string, length: number): string {
  const words = stripMarkup(text)
    .split(/[\n\r\t ]+/)
    .filter((word) => word !== '');
  return words.length > length ? `${words.slice(0, length).join(' ')}&hellip;` : words.join(' ');
}

/** A form for the password of an entry, which the page at its address accepts. */
export function passwordMarkup(address: string): Html {
  return html`<form class="post-password-form" method="post" action="${address}">
<p>This content is protected. Enter its password to read it.</p>
<label>Password <input name="password" type="password" autocomplete="off" required></label> <button>Show</button>
</form>`;
}
