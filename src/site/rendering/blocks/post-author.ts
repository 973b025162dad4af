import { flagAt, isSet, numberAt, textAt } from '#text/attributes.ts';
import { filterMarkup } from '#text/filter.ts';
import { userLink } from '../../addresses/users.ts';
import { authorOfPost, avatar } from '../people.ts';
import { aligned, linkTo, targetOf, wrapped } from '../pieces.ts';
import type { Make } from '../types.ts';

export const postAuthor: Make = (block, here) => {
  const author = authorOfPost(here);
  if (author === undefined) return '';
  const { attributes } = block;
  const { url } = here.rendering.model.site();
  const says = (name: string) => flagAt(attributes, name) === true;
  const byline = textAt(attributes, 'byline') ?? '';
  const justified = textAt(attributes, 'itemsJustification') ?? '';
  const name = says('isLink')
    ? linkTo(userLink(author, url), author.displayName, ` target="${targetOf(attributes)}"`)
    : author.displayName;
  const inside = [
    flagAt(attributes, 'showAvatar') === false
      ? ''
      : `<div class="wp-block-post-author__avatar">${avatar(author, numberAt(attributes, 'avatarSize') ?? 48, url)}</div>`,
    '<div class="wp-block-post-author__content">',
    byline === '' ? '' : `<p class="wp-block-post-author__byline">${filterMarkup(byline)}</p>`,
    `<p class="wp-block-post-author__name">${name}</p>`,
    says('showBio') ? `<p class="wp-block-post-author__bio">${author.description}</p>` : '',
    '</div>',
  ];
  const classes = [...(justified === '' ? [] : [`items-justified-${justified}`]), ...aligned(attributes)];
  return wrapped('div', block, inside.join(''), { classes });
};

export const postAuthorName: Make = (block, here) => {
  const author = authorOfPost(here);
  if (author === undefined || !isSet(author.displayName)) return '';
  const { attributes } = block;
  const address = userLink(author, here.rendering.model.site().url);
  const more = ` target="${targetOf(attributes)}" class="wp-block-post-author-name__link"`;
  const name = flagAt(attributes, 'isLink') === true ? linkTo(address, author.displayName, more) : author.displayName;
  return wrapped('div', block, name, { classes: aligned(attributes) });
};

export const postAuthorBiography: Make = (block, here) => {
  const text = authorOfPost(here)?.description ?? '';
  return text === '' ? '' : wrapped('div', block, text, { classes: aligned(block.attributes) });
};
