import { isSet, textAt } from '#text/attributes.ts';
import { escapeAddress } from '#text/escape-address.ts';
import { wrapperAttributes } from '#text/supports/wrapper.ts';
import { CONTENT, namespaceUrl } from '../../addresses/interface.ts';
import { canEditEntry } from '../../rights/entries.ts';
import type { Make } from '../types.ts';

/** A comment form, which the interface accepts as it is; '' if comments are not possible. */
export const commentsForm: Make = ({ name, attributes }, { post: { row }, rendering: { model, viewer } }) => {
  if (row === undefined || row.commentStatus !== 'open') return '';
  if (row.password !== '' && !canEditEntry(viewer, row)) return '';
  const align = textAt(attributes, 'textAlign');
  const classes = ['comment-respond', ...(isSet(align) ? [`has-text-align-${align}`] : [])];
  const wrapper = wrapperAttributes(name, attributes, { classes });
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
