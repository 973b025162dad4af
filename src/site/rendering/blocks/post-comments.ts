import { escapeAddress } from '#text/escape-address.ts';
import { permalink } from '../../addresses/entries.ts';
import { aligned, wrapped } from '../pieces.ts';
import { titleOfPost } from '../posts.ts';
import type { Make } from '../types.ts';

export const postCommentsCount: Make = (block, { post: { row }, rendering: { model } }) =>
  row === undefined
    ? ''
    : wrapped('div', block, String(model.comments.count(row.id)), { classes: aligned(block.attributes) });

/** A link to the comments or, if there are none, to the form; '' if comments are closed. */
export const postCommentsLink: Make = (block, { post, rendering: { model } }) => {
  if (post.row === undefined || post.row.commentStatus !== 'open') return '';
  const count = model.comments.count(post.row.id);
  const address = escapeAddress(`${permalink(post.row, model)}#${count === 0 ? 'respond' : 'comments'}`);
  const number = count === 0 ? 'No' : count.toLocaleString('en');
  const text = `${number} comment${count === 1 ? '' : 's'}<span class="screen-reader-text"> on ${titleOfPost(post)}</span>`;
  return wrapped('div', block, `<a href=${address}>${text}</a>`, { classes: aligned(block.attributes) });
};
