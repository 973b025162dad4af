import { flagAt, numberAt } from '#blocks/attributes.ts';
import type { Block } from '#blocks/blocks.ts';
import { escapeAddress } from '#blocks/escape-address.ts';
import type { Scope } from '#blocks/server-blocks.ts';
import { wrapperAttributes } from '#blocks/supports/wrapper.ts';
import type { CommentRow, CommentThread } from '#projections/comments/types.ts';
import { CONTENT, namespaceUrl } from '../../addresses/interface.ts';
import { permalink } from '../../addresses/items.ts';
import { canEditEntry } from '../../rights.ts';
import { isCommented } from '../comments.ts';
import { wrapped } from '../pieces.ts';
import { shownTitle, titleOfPost } from '../posts.ts';
import type { Here, Make } from '../types.ts';

/** Maximum depth of nested lists of replies. */
const DEEPEST = 5;

/** The container of comments; '' if there are none and comments are closed. */
export const commentsBlock: Make = ({ block }, here) => {
  const { row } = here.post;
  const isOpen = row?.commentStatus === 'open';
  return isOpen || (row !== undefined && here.rendering.model.comments.count(row.id) > 0)
    ? here.inside(block.parts)
    : '';
};

export const commentsTitle: Make = ({ name, attributes }, here) => {
  const { row } = here.post;
  if (row === undefined || !isCommented(here)) return '';
  const wrapper = wrapperAttributes(name, attributes);
  const element = `h${Math.trunc(numberAt(attributes, 'level') ?? 2)}`;
  const text = titleOf(here.rendering.model.comments.count(row.id), {
    title: (flagAt(attributes, 'showPostTitle') ?? true) ? ` to &#8220;${shownTitle(row)}&#8221;` : '',
    isCounted: flagAt(attributes, 'showCommentsCount') ?? true,
  });
  return `<${element} id="comments" ${wrapper}>${text}</${element}>`;
};

function titleOf(count: number, { title, isCounted }: { readonly title: string; readonly isCounted: boolean }): string {
  if (!isCounted) return `${count === 1 ? 'Response' : 'Responses'}${title}`;
  return count === 1 ? `One response${title}` : `${count.toLocaleString('en')} responses${title}`;
}

export const commentTemplate: Make = ({ name, attributes, block, scope }, here) => {
  const { row } = here.post;
  if (row === undefined || !isCommented(here)) return '';
  const threads = here.rendering.model.comments.threads(row.id);
  if (threads.length === 0) return '';
  return `<ol ${wrapperAttributes(name, attributes)}>${listOf(threads, { block, scope, here })}</ol>`;
};

interface Listing {
  readonly block: Block;
  readonly scope: Scope;
  readonly here: Here;
}

interface Placed {
  readonly thread: CommentThread;
  readonly depth: number;
}

/** Uses an explicit stack, because threads can be deeper than the call stack allows. */
function listOf(threads: readonly CommentThread[], { block, scope, here }: Listing): string {
  let html = '';
  const rest: (string | Placed)[] = threads.map((thread) => ({ thread, depth: 1 })).reverse();
  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    if (typeof part === 'string') {
      html += part;
      continue;
    }
    const { depth, thread } = part;
    const { answers, comment } = thread;
    const said = new Map([...scope, ['commentId', { number: String(comment.id) }] as const]);
    const shown = here.inside(block.parts, { scope: said });
    const isList = answers.length > 0 && depth < DEEPEST;
    html += `<li id="comment-${comment.id}" class="${classesOf(comment, depth, here)}">${shown}${isList ? '<ol>' : ''}`;
    rest.push(isList ? '</ol></li>' : '</li>');
    for (const answer of answers.toReversed()) rest.push({ thread: answer, depth: Math.min(depth + 1, DEEPEST) });
  }
  return html;
}

function classesOf({ author }: CommentRow, depth: number, here: Here): string {
  const { model, counters } = here.rendering;
  const user = author === 0 ? undefined : model.user(author);
  const isOdd = counters.next('comment') % 2 === 0;
  const isOddThread = depth === 1 && counters.next('thread') % 2 === 0;
  return [
    'comment',
    ...(user === undefined || user.erased
      ? []
      : ['byuser', `comment-author-${user.slug.replace(/[^A-Za-z0-9_-]/g, '')}`]),
    ...(user !== undefined && author === here.post.row?.author ? ['bypostauthor'] : []),
    ...(isOdd ? ['odd', 'alt'] : ['even']),
    ...(depth > 1 ? [] : isOddThread ? ['thread-odd', 'thread-alt'] : ['thread-even']),
    `depth-${depth}`,
  ].join(' ');
}

/** A comment form, which the interface accepts as it is; '' if comments are not possible. */
export const commentsForm: Make = ({ name, attributes }, { post: { row }, rendering: { model, viewer } }) => {
  if (row === undefined || row.commentStatus !== 'open') return '';
  if (row.password !== '' && !canEditEntry(viewer, row)) return '';
  const wrapper = wrapperAttributes(name, attributes, { classes: ['comment-respond'] });
  const action = escapeAddress(`${namespaceUrl(model.site(), CONTENT)}/comments`);
  const known = viewer.id === 0 ? '' : `<p class="logged-in-as">${LOGGED_IN}</p>`;
  const asked = viewer.id === 0 ? PERSON : '';
  return (
    `<div id="respond" ${wrapper}><h3 id="reply-title" class="comment-reply-title">Leave a Reply</h3>` +
    `<form action="${action}" method="post" id="commentform" class="comment-form">${known}${WORDS}${asked}` +
    '<p class="form-submit wp-block-button"><input name="submit" type="submit" id="submit" class="wp-block-button__link wp-element-button" value="Post Comment" />' +
    ` <input type='hidden' name='post' value='${row.id}' id='comment_post_ID' />` +
    `<input type='hidden' name='parent' id='comment_parent' value='0' /></p></form></div>`
  );
};

const REQUIRED = '<span class="required">*</span>';
const LOGGED_IN = `Required fields are marked ${REQUIRED}`;
const WORDS = `<p class="comment-form-comment"><label for="comment">Comment ${REQUIRED}</label> <textarea id="comment" name="content" cols="45" rows="8" maxlength="65525" required></textarea></p>`;
const PERSON = `<p class="comment-form-author"><label for="author">Name ${REQUIRED}</label> <input id="author" name="author_name" type="text" value="" size="30" maxlength="245" autocomplete="name" required /></p>
<p class="comment-form-email"><label for="email">Email ${REQUIRED}</label> <input id="email" name="author_email" type="email" value="" size="30" maxlength="100" autocomplete="email" required /></p>
<p class="comment-form-url"><label for="url">Website</label> <input id="url" name="author_url" type="url" value="" size="30" maxlength="200" autocomplete="url" /></p>
`;

export const postCommentsCount: Make = (block, { post: { row }, rendering: { model } }) =>
  row === undefined ? '' : wrapped('div', block, String(model.comments.count(row.id)));

/** A link to the comments or, if there are none, to the form; '' if comments are closed. */
export const postCommentsLink: Make = (block, { post, rendering: { model } }) => {
  if (post.row === undefined || post.row.commentStatus !== 'open') return '';
  const count = model.comments.count(post.row.id);
  const address = escapeAddress(`${permalink(post.row, model)}#${count === 0 ? 'respond' : 'comments'}`);
  const number = count === 0 ? 'No' : count.toLocaleString('en');
  const text = `${number} comment${count === 1 ? '' : 's'}<span class="screen-reader-text"> on ${titleOfPost(post)}</span>`;
  return wrapped('div', block, `<a href=${address}>${text}</a>`);
};
