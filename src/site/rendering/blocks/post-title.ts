import { flagAt, numberAt } from '#text/attributes.ts';
import { permalink } from '../../addresses/entries.ts';
import { aligned, headingOf, linkTo, relOf, targetOf, wrapped } from '../pieces.ts';
import { titleOfPost } from '../posts.ts';
import type { Make } from '../types.ts';

export const postTitle: Make = (block, { post, rendering: { model } }) => {
  const title = titleOfPost(post);
  if (post.row === undefined || title === '') return '';
  const { attributes } = block;
  const more = ` target="${targetOf(attributes)}" ${relOf(attributes).trim()}`;
  const inside = flagAt(attributes, 'isLink') === true ? linkTo(permalink(post.row, model), title, more) : title;
  return wrapped(headingOf(numberAt(attributes, 'level') ?? 2), block, inside, { classes: aligned(attributes) });
};
