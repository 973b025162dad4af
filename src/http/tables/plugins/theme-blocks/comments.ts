import { z } from 'zod';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { permalink } from '#site/addresses/items.ts';
import { asHtml, type Html, html } from '#site/markup/html.ts';
import { canReadEntry } from '#site/rights.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { commentList } from '../../../pages/discussion.ts';
import { failure, success } from '../kit/envelopes.ts';
import { lenient } from '../kit/field.ts';

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'span', 'ul', 'ol', 'div'] as const;

export const postID = lenient('postID', z.int().min(1), { required: true });
export const attributes = lenient(
  'attributes',
  z.looseObject({ showCommentsForm: z.boolean(), showCommentsList: z.boolean(), titleTag: z.string() }).partial(),
  { required: true },
);

/** The part below a post: its comments as the public sees them, and a form that its page accepts. */
export function renderComments(call: Call<Model>): Answer {
  const { model, viewer } = call;
  const row = model.entry(postID.of(call) ?? 0);
  if (row === undefined || !canReadEntry(viewer, row)) return failure('There is no such post.');
  const { showCommentsForm = false, showCommentsList = false, titleTag = '' } = attributes.of(call) ?? {};
  const list = showCommentsList && row.password === '' ? commentList(row.id, model) : null;
  const shown = list === null ? null : html`<div id="comments" class="comments">${list}</div>\n`;
  const form = showCommentsForm ? formOf(row, titleTag, model) : null;
  return success(html`${shown}${row.commentStatus === 'closed' ? closed : form}`.markup);
}

const closed = html`<p class="no-comments">Comments are closed.</p>`;

function formOf(row: EntryRow, titleTag: string, model: Model): Html {
  const tag = asHtml(headings.find((heading) => heading === titleTag) ?? 'h3');
  return html`<div id="respond" class="comment-respond">
<${tag} class="comment-reply-title">Leave a reply</${tag}>
<form class="comment-form" method="post" action="${permalink(row, model)}">
<input type="hidden" name="form" value="comment"><input type="hidden" name="post" value="${row.id}"><input type="hidden" name="parent" value="0">
<p><label>Comment <textarea name="content" rows="8" maxlength="65525" required></textarea></label></p>
<p><label>Name <input name="author_name" maxlength="245" autocomplete="name" required></label></p>
<p><label>Email <input name="author_email" type="email" maxlength="100" autocomplete="email" required></label></p>
<p><button>Post comment</button></p>
</form>
</div>`;
}
