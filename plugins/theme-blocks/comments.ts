import { asHtml, html, type PluginCall, type PluginHtml, type PluginReader, z } from 'palimpsest/plugin';
import { failure, required, success } from './values.ts';

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'span', 'ul', 'ol', 'div'] as const;

const shape = z
  .looseObject({ showCommentsForm: z.boolean(), showCommentsList: z.boolean(), titleTag: z.string() })
  .partial();

export const commentArgs = { postID: required(z.int().min(1)), attributes: required(shape) };

/** The part below a post: its comments as the public sees them, and a form that its page accepts. */
export function renderComments({ model, view, params, mayRead }: PluginCall<PluginReader>) {
  const id = Number(params['postID'] ?? 0);
  const entry = mayRead(id) ? model.entry(id) : undefined;
  if (entry === undefined) return failure('There is no such post.');
  const attributes = (params['attributes'] ?? {}) as z.infer<typeof shape>;
  const { showCommentsForm = false, showCommentsList = false, titleTag = '' } = attributes;
  const list = showCommentsList && !entry.isProtected ? view.comments(id) : null;
  const shown = list === null ? null : html`<div id="comments" class="comments">${list}</div>\n`;
  const form = showCommentsForm ? formOf(id, titleTag, view.entry(id)?.address ?? '') : null;
  return success(html`${shown}${entry.commentStatus === 'closed' ? closed : form}`.markup);
}

const closed = html`<p class="no-comments">Comments are closed.</p>`;

function formOf(id: number, titleTag: string, address: string): PluginHtml {
  const tag = asHtml(headings.find((heading) => heading === titleTag) ?? 'h3');
  return html`<div id="respond" class="comment-respond">
<${tag} class="comment-reply-title">Leave a reply</${tag}>
<form class="comment-form" method="post" action="${address}">
<input type="hidden" name="form" value="comment"><input type="hidden" name="post" value="${id}"><input type="hidden" name="parent" value="0">
<p><label>Comment <textarea name="content" rows="8" maxlength="65525" required></textarea></label></p>
<p><label>Name <input name="author_name" maxlength="245" autocomplete="name" required></label></p>
<p><label>Email <input name="author_email" type="email" maxlength="100" autocomplete="email" required></label></p>
<p><button>Post comment</button></p>
</form>
</div>`;
}
