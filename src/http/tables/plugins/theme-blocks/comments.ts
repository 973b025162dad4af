import { z } from 'zod';
import type { Model } from '#projections/model.ts';
import type { Answer, Call } from '../../../engine/types.ts';
import { asHtml, html } from '../../../pages/html.ts';
import { canRead } from '../../entries/policy.ts';
import { failure, success } from '../kit/envelopes.ts';
import { lenient } from '../kit/field.ts';

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'span', 'ul', 'ol', 'div'] as const;

export const postID = lenient('postID', z.int().min(1), { required: true });
export const attributes = lenient(
  'attributes',
  z.looseObject({ showCommentsForm: z.boolean(), showCommentsList: z.boolean(), titleTag: z.string() }).partial(),
  { required: true },
);

/** What stands below a post for those who want to say something. No comments are kept, so there is never a list. */
export function renderComments(call: Call<Model>): Answer {
  const { model, viewer } = call;
  const row = model.entry(postID.of(call) ?? 0);
  if (row === undefined || !canRead(viewer, row)) return failure('There is no such post.');
  if (row.commentStatus === 'closed') return success(html`<p class="no-comments">Comments are closed.</p>`.markup);
  const { showCommentsForm = false, titleTag = '' } = attributes.of(call) ?? {};
  return success(showCommentsForm ? formMarkup(row.id, titleTag) : '');
}

function formMarkup(id: number, titleTag: string): string {
  const tag = asHtml(headings.find((heading) => heading === titleTag) ?? 'h3');
  return html`<div id="respond" class="comment-respond">
<${tag} class="comment-reply-title">Leave a reply</${tag}>
<form class="comment-form" method="post">
<input type="hidden" name="comment_post_ID" value="${id}">
<p><label>Comment <textarea name="comment" rows="8" maxlength="65525" required></textarea></label></p>
<p><label>Name <input name="author" autocomplete="name" required></label></p>
<p><label>Email <input name="email" type="email" autocomplete="email" required></label></p>
<p><button>Post comment</button></p>
</form>
</div>`.markup;
}
