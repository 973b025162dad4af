import type { CommentRow, CommentThread } from '#projections/comments/types.ts';
import type { Model } from '#projections/reading/model.ts';
import { commentHostLink, flatThreads } from '#site/rendering/comments.ts';

/** Maximum threads on a page, and comments unless a single thread has more. */
const THREADS = 50;
const COMMENTS = 500;

/** Divides threads into pages, the oldest first, so that a new comment changes only the last page. */
export function commentPages(threads: readonly CommentThread[]): readonly (readonly CommentThread[])[] {
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

/** Address of a comment on the page that shows it; only approved comments are shown. */
export function commentAddress({ id, post }: CommentRow, model: Model): string {
  const pages = commentPages(model.comments.threads(post));
  const found = pages.findIndex((page) => flatThreads(page).some((thread) => thread.id === id));
  const page = found < 0 ? pages.length : found + 1;
  return commentPageAddress(commentHostLink(post, model), page, pages.length).replace(/#comments$/, `#comment-${id}`);
}
