import { flagAt, isSet, textAt } from '#blocks/attributes.ts';
import { escapeAddress } from '#blocks/escape-address.ts';
import { escapeAttribute } from '#blocks/references.ts';
import { renderComment } from '#blocks/render-comment.ts';
import { stripMarkup } from '#blocks/strip.ts';
import { wrapperAttributes } from '#blocks/supports/wrapper.ts';
import { formatByPattern } from '#domain/time/pattern.ts';
import type { CommentRow } from '#projections/comments/types.ts';
import { authorOf, commentHostLink, commentIn, commentLink, exactDate } from '../comments.ts';
import type { Here, Make } from '../types.ts';

/** Depth from which comments cannot be replied to. */
const DEEPEST = 5;

/** A part of a comment in an element of its own; '' outside comments, or if there is nothing to show. */
function part(make: (comment: CommentRow, block: Parameters<Make>[0], here: Here) => string): Make {
  return (block, here) => {
    const comment = commentIn(block.scope.get('commentId'), here.rendering.model);
    const inside = comment === undefined ? '' : make(comment, block, here);
    if (inside === '') return '';
    const { name, attributes } = block;
    return `<div ${wrapperAttributes(name, attributes)}>${inside}</div>`;
  };
}

export const commentAuthorName = part((comment, { attributes }, { rendering: { model } }) => {
  const author = authorOf(comment, model);
  const target = textAt(attributes, 'linkTarget') ?? '_self';
  if (comment.url === '' || flagAt(attributes, 'isLink') === false || target === '') return author;
  return `<a rel="external nofollow ugc" href="${escapeAddress(comment.url)}" target="${escapeAttribute(target)}" >${author}</a>`;
});

export const commentContent = part(({ content }, _, { rendering: { model } }) =>
  renderComment(content, new URL(model.site().url).hostname),
);

export const commentDate = part((comment, { attributes }, { rendering: { model } }) => {
  const pattern = textAt(attributes, 'format');
  const isPlain = !isSet(pattern) || pattern === 'human-diff';
  const date = formatByPattern(comment.date, isPlain ? model.site().dateFormat : (pattern ?? ''));
  const isLink = flagAt(attributes, 'isLink') ?? true;
  const shown = isLink ? `<a href="${escapeAddress(commentLink(comment, model))}">${date}</a>` : date;
  return `<time datetime="${exactDate(comment)}">${shown}</time>`;
});

export const commentReplyLink = part((comment, _, { post: { row }, rendering: { model } }) => {
  if (row?.commentStatus !== 'open' || depthOf(comment, (id) => model.comments.get(id)) >= DEEPEST) return '';
  const label = escapeAttribute(`Reply to ${stripMarkup(authorOf(comment, model))}`);
  const { id, post } = comment;
  const address = escapeAddress(`${commentHostLink(post, model)}?replytocom=${id}`);
  const data = `data-commentid="${id}" data-postid="${post}" data-belowelement="comment-${id}" data-respondelement="respond"`;
  return `<a rel="nofollow" class="comment-reply-link" href="${address}#respond" ${data} data-replyto="${label}" aria-label="${label}">Reply</a>`;
});

function depthOf(comment: CommentRow, find: (id: number) => CommentRow | undefined): number {
  let depth = 1;
  for (let above = find(comment.parent); above !== undefined && depth < DEEPEST; above = find(above.parent)) depth++;
  return depth;
}
