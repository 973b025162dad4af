import { decodeReferences } from '#blocks/references.ts';
import { renderComment } from '#blocks/render-comment.ts';
import { stripMarkup } from '#blocks/strip.ts';
import { formatByPattern } from '#domain/time/pattern.ts';
import type { CommentRow, CommentThread } from '#projections/comments/types.ts';
import type { Model } from '#projections/reading/model.ts';
import { commentHostOf, isOpenToComments } from '#site/comments.ts';
import type { Item } from '#site/items/item.ts';
import { picture } from '#site/rendering/blocks/avatar.ts';
import { authorOf, commentHostLink, exactDate, flatThreads, picturedBy, THREADS } from '#site/rendering/comments.ts';
import { asHtml, type Html, html } from '#text/html.ts';

export interface DiscussionPlace {
  /** Whether visitors without an account may comment. */
  readonly isOpen: boolean;
  /** The comment to reply to; 0: none. */
  readonly answers: number;
  readonly isHeld: boolean;
  /** Page of the comments, the oldest being 1; null: the last. */
  readonly page: number | null;
  /** The comment to show, on whatever page; 0: none. */
  readonly comment: number;
  readonly refused: RefusedComment | null;
}

export interface RefusedComment {
  readonly fields: Readonly<Record<string, string>>;
  readonly status: number;
  readonly reason: string;
}

/** Maximum depth of indented replies. */
const DEEPEST = 5;

/** Maximum comments on a page, unless a single thread has more. */
const COMMENTS = 500;

/** The comments on an item and the comment form; null if there is neither. */
export function discussion(item: Item, model: Model, talk: DiscussionPlace): Html | null {
  const host = commentHostOf(item.id, model);
  // The form does not send the password of a protected item.
  const takesOne = talk.isOpen && item.password === '' && host !== null && isOpenToComments(host);
  const all = model.comments.threads(item.id);
  if (all.length === 0 && !takesOne) return null;
  const pages = commentPages(all);
  const page = talk.page ?? pages.length;
  const count = model.comments.count(item.id);
  const titled = count === 0 ? 'respond-title' : 'comments-title';
  return html`<section class="comments" id="comments" aria-labelledby="${titled}">
${count === 0 ? null : html`<h2 id="comments-title">${count === 1 ? 'One comment' : `${count} comments`}</h2>\n`}${listOf(pages[page - 1] ?? [], { item, model, takesOne, depth: 1 })}
${turning(item, page, pages.length)}${takesOne ? form(item, talk, { model, level: count === 0 ? 'h2' : 'h3' }) : null}
</section>`;
}

/** The approved comments on an item, as a list without links to reply; null if there are none. */
export function commentList(id: number, model: Model): Html | null {
  const listing = { item: { address: '' }, model, takesOne: false, depth: 1 };
  return listOf(commentPages(model.comments.threads(id)).at(-1) ?? [], listing);
}

/** How many pages the comments on an item have; at least one. */
export function pagesOfComments({ id }: Pick<Item, 'id'>, model: Model): number {
  return Math.max(1, commentPages(model.comments.threads(id)).length);
}

function turning({ address }: Item, page: number, pages: number): Html | null {
  if (pages < 2) return null;
  const link = (rel: string, to: number, text: string) =>
    to < 1 || to > pages
      ? html`<span></span>`
      : html`<a rel="${rel}" href="${commentPageAddress(address, to, pages)}">${text}</a>`;
  return html`<nav class="more" aria-label="Comments">
${link('prev', page - 1, '← Older comments')}
${link('next', page + 1, 'Newer comments →')}
</nav>
`;
}

interface Listing {
  readonly item: Pick<Item, 'address'>;
  readonly model: Model;
  readonly takesOne: boolean;
  readonly depth: number;
}

function listOf(threads: readonly CommentThread[], listing: Listing): Html | null {
  if (threads.length === 0) return null;
  const shown = listing.depth >= DEEPEST ? [...flatThreads(threads)] : threads;
  return html`<ol>\n${shown.map((thread) => itemOf(thread, listing))}</ol>`;
}

function itemOf({ comment, answers }: CommentThread, listing: Listing): Html {
  const { model, depth, takesOne, item } = listing;
  const { id } = comment;
  const isDeepest = depth >= DEEPEST;
  const site = model.site();
  const mark = `${item.address.includes('?') ? '&' : '?'}replytocom=${id}#respond`;
  const link =
    takesOne && !isDeepest
      ? html`<p><a rel="nofollow" href="${item.address}${mark}" aria-label="Reply to ${nameOf(comment, model)}">Reply</a></p>\n`
      : null;
  const below = isDeepest ? null : listOf(answers, { ...listing, depth: depth + 1 });
  return html`<li id="comment-${id}"><article>
<p class="meta">${asHtml(picture(picturedBy(comment, model), site.storeUrl, { size: 32, alt: '' }))} ${author(comment, model)}, <a href="#comment-${id}"><time datetime="${exactDate(comment)}">${formatByPattern(comment.date, `${site.dateFormat}, ${site.timeFormat}`)}</time></a></p>
<div class="content">${asHtml(renderComment(comment.content, new URL(site.url).hostname))}</div>
${link}</article>
${below}</li>
`;
}

function author(comment: CommentRow, model: Model): Html {
  const name = asHtml(authorOf(comment, model));
  const url = decodeReferences(comment.url);
  return /^https?:/i.test(url) ? html`<a rel="external nofollow ugc" href="${url}">${name}</a>` : name;
}

function nameOf(comment: CommentRow, model: Model): string {
  return decodeReferences(stripMarkup(authorOf(comment, model)));
}

interface FormPlace {
  readonly model: Model;
  readonly level: 'h2' | 'h3';
}

function form(item: Item, { answers, isHeld, refused }: DiscussionPlace, { model, level }: FormPlace): Html {
  const value = (name: string) => refused?.fields[name] ?? '';
  const answered = model.comments.get(Number(value('parent')) || answers);
  const isHere = answered?.post === item.id && answered.status === 'approved' && answered.kind === 'comment';
  const title = isHere ? `Reply to ${nameOf(answered, model)}` : 'Leave a comment';
  return html`<form method="post" id="respond" class="comment" aria-labelledby="respond-title">
<${level} id="respond-title">${title}</${level}>
${isHere ? html`<p><a href="${item.address}#respond">Cancel reply</a></p>\n` : null}${isHeld ? html`<p role="status"><strong>Thank you. Your comment will appear once it has been approved.</strong></p>\n` : null}${refused === null ? null : html`<p role="alert"><strong>${refused.reason}</strong></p>\n`}<input type="hidden" name="form" value="comment"><input type="hidden" name="post" value="${item.id}"><input type="hidden" name="parent" value="${isHere ? answered.id : 0}">
<p><label for="author_name">Name</label><input id="author_name" name="author_name" maxlength="245" autocomplete="name" required value="${value('author_name')}"></p>
<p><label for="author_email">Email (not published)</label><input id="author_email" name="author_email" type="email" maxlength="100" autocomplete="email" required value="${value('author_email')}"></p>
<p><label for="author_url">Website (optional)</label><input id="author_url" name="author_url" type="url" maxlength="200" autocomplete="url" value="${value('author_url')}"></p>
<p><label for="words">Comment</label><textarea id="words" name="content" rows="6" maxlength="65525" required>${value('content')}</textarea></p>
<p><button>Post comment</button></p>
</form>`;
}

/** Divides threads into pages, the oldest first, so that a new comment changes only the last page. */
function commentPages(threads: readonly CommentThread[]): readonly (readonly CommentThread[])[] {
  const pages: CommentThread[][] = [];
  let count = 0;
  for (const thread of threads) {
    const size = flatThreads([thread]).reduce((sum) => sum + 1, 0);
    const last = pages.at(-1);
    const fits = last !== undefined && last.length < THREADS && count + size <= COMMENTS;
    if (fits) last.push(thread);
    else pages.push([thread]);
    count = fits ? count + size : size;
  }
  return pages;
}

/** Address of a page of the comments on an item; the last page is on the item's own address. */
export function commentPageAddress(address: string, page: number, pages: number): string {
  if (page === pages) return `${address}#comments`;
  return `${address.includes('?') ? `${address}&cpage=${page}` : `${address}comment-page-${page}/`}#comments`;
}

/** The page of an item's comments to show: the one that is named, or that has the comment that is; null: the last. */
export function pageShown(item: Pick<Item, 'id'>, { page, comment }: DiscussionPlace, model: Model): number | null {
  if (page !== null || model.comments.get(comment)?.post !== item.id) return page;
  return pageOf(comment, commentPages(model.comments.threads(item.id)));
}

function pageOf(id: number, pages: readonly (readonly CommentThread[])[]): number {
  const found = pages.findIndex((page) => flatThreads(page).some((thread) => thread.id === id));
  return found < 0 ? Math.max(1, pages.length) : found + 1;
}

/** Address of a comment on the page that shows it; only approved comments are shown. */
export function commentAddress({ id, post }: CommentRow, model: Model): string {
  const pages = commentPages(model.comments.threads(post));
  const page = pageOf(id, pages);
  return commentPageAddress(commentHostLink(post, model), page, pages.length).replace(/#comments$/, `#comment-${id}`);
}
