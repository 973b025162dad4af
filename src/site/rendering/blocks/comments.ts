import type { CommentRow, CommentThread } from '#projections/comments/types.ts';
import { flagAt, isSet, numberAt, textAt } from '#text/attributes.ts';
import type { Block } from '#text/blocks.ts';
import type { Scope } from '#text/server-blocks.ts';
import { wrapperAttributes } from '#text/supports/wrapper.ts';
import { isCommented } from '../comments.ts';
import { shownTitle } from '../posts.ts';
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
  const align = textAt(attributes, 'textAlign');
  const wrapper = wrapperAttributes(name, attributes, { classes: isSet(align) ? [`has-text-align-${align}`] : [] });
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
