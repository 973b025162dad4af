import { flagAt, numberAt } from '#blocks/attributes.ts';
import { escapeAddress } from '#blocks/escape-address.ts';
import type { JsonMap } from '#blocks/ordered-json.ts';
import { paragraphs } from '#blocks/paragraphs.ts';
import { stripMarkup } from '#blocks/strip.ts';
import { wrapperAttributes } from '#blocks/supports/wrapper.ts';
import { formatByPattern } from '#domain/time/pattern.ts';
import type { CommentRow } from '#projections/comments/types.ts';
import type { Model } from '#projections/reading/model.ts';
import { prices } from '#text/cost.ts';
import { userLink } from '../../addresses/items.ts';
import { authorOf, commentLink, exactDate, LOOKED_AT, latestComments as latest, picturedBy } from '../comments.ts';
import { shownTitle } from '../posts.ts';
import type { Make } from '../types.ts';
import { picture } from './avatar.ts';

/** Maximum comments in the list. */
const MOST = 100;
/** Maximum words of a comment. */
const WORDS = 20;

export const latestCommentsBlock: Make = ({ name, attributes }, { rendering }) => {
  const count = Math.min(Math.max(Math.trunc(numberAt(attributes, 'commentsToShow') ?? 5), 0), MOST);
  const { model } = rendering;
  const comments = rendering.kept(`latest comments ${count}`, () =>
    rendering.cost.takes(prices.query + LOOKED_AT * prices.row) ? latest(count, model) : [],
  );
  const has = (what: string): boolean => flagAt(attributes, `display${what}`) ?? true;
  const classes = [
    ...(has('Avatar') ? ['has-avatars'] : []),
    ...(has('Date') ? ['has-dates'] : []),
    ...(has('Excerpt') ? ['has-excerpts'] : []),
    ...(comments.length === 0 ? ['no-comments'] : []),
  ];
  const wrapper = wrapperAttributes(name, attributes, { classes });
  if (comments.length === 0) return `<div ${wrapper}>No comments to show.</div>`;
  return `<ol ${wrapper}>${comments.map((comment) => itemOf(comment, attributes, model)).join('')}</ol>`;
};

function itemOf(comment: CommentRow, attributes: JsonMap, model: Model): string {
  const has = (what: string): boolean => flagAt(attributes, `display${what}`) ?? true;
  const classes = 'wp-block-latest-comments__comment-avatar';
  const image = has('Avatar')
    ? picture(picturedBy(comment, model), model.site().storeUrl, { size: 48, alt: '', classes })
    : '';
  const date = has('Date')
    ? `<time datetime="${exactDate(comment)}" class="wp-block-latest-comments__comment-date">${formatByPattern(comment.date, model.site().dateFormat)}</time>`
    : '';
  const words = has('Excerpt')
    ? `<div class="wp-block-latest-comments__comment-excerpt">${paragraphs(excerptOf(comment, model))}</div>`
    : '';
  return (
    `<li class="wp-block-latest-comments__comment">${image}<article><footer class="wp-block-latest-comments__comment-meta">` +
    `${author(comment, model)} on ${place(comment, model)}${date}</footer>${words}</article></li>`
  );
}

function author(comment: CommentRow, model: Model): string {
  const user = comment.author === 0 ? undefined : model.user(comment.author);
  const own = user === undefined || user.erased ? '' : userLink(user, model.site().url);
  const address = comment.url === '' ? own : comment.url;
  const name = authorOf(comment, model);
  const classes = 'class="wp-block-latest-comments__comment-author"';
  return address === ''
    ? `<span ${classes}>${name}</span>`
    : `<a ${classes} href="${escapeAddress(address)}">${name}</a>`;
}

function place(comment: CommentRow, model: Model): string {
  const row = model.entry(comment.post);
  const title = row === undefined ? '' : shownTitle(row);
  const address = escapeAddress(commentLink(comment, model));
  return `<a class="wp-block-latest-comments__comment-link" href="${address}">${title === '' ? '(no title)' : title}</a>`;
}

/** The first words of a comment; a notice if its post has a password. */
function excerptOf({ content, post }: CommentRow, model: Model): string {
  if ((model.entry(post)?.password ?? '') !== '') return 'Password protected.';
  const words = stripMarkup(content.replaceAll('\n', ' ')).split(/ +/);
  return words.length > WORDS ? `${words.slice(0, WORDS).join(' ')}&hellip;` : words.join(' ');
}
