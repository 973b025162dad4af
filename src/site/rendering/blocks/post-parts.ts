import type { Taxonomy } from '#domain/term/events.ts';
import { termKinds } from '#domain/term/kinds.ts';
import type { UserRow } from '#projections/users/definition.ts';
import { flagAt, isSet, numberAt, textAt } from '#text/attributes.ts';
import { costOfText } from '#text/cost.ts';
import { escapeAddress } from '#text/escape-address.ts';
import { filterMarkup } from '#text/filter.ts';
import { escapeAttribute } from '#text/references.ts';
import { wrapperAttributes } from '#text/supports/wrapper.ts';
import { wordCount } from '#text/word-count.ts';
import { avatars, permalink, termLink, userLink } from '../../addresses/items.ts';
import { termsByName } from '../../entries/classes.ts';
import { aligned, headingOf, linkTo, relOf, targetOf, wrapped } from '../pieces.ts';
import { titleOfPost } from '../posts.ts';
import { termIdsOf } from '../terms.ts';
import type { Here, Make } from '../types.ts';

export const postTitle: Make = (block, { post, rendering: { model } }) => {
  const title = titleOfPost(post);
  if (post.row === undefined || title === '') return '';
  const { attributes } = block;
  const more = ` target="${targetOf(attributes)}" ${relOf(attributes).trim()}`;
  const inside = flagAt(attributes, 'isLink') === true ? linkTo(permalink(post.row, model), title, more) : title;
  return wrapped(headingOf(numberAt(attributes, 'level') ?? 2), block, inside, { classes: aligned(attributes) });
};

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

/** The author of the post; undefined once the account is erased. */
function authorOfPost({ post: { row }, rendering: { model } }: Here): UserRow | undefined {
  const user = row === undefined ? undefined : model.user(row.author);
  return user?.erased === true ? undefined : user;
}

function avatar(user: UserRow, size: number, url: string, { alt = '', classes = '' } = {}): string {
  const address = (avatars(user, url)[96] ?? '').replace(/\?.*$/, '');
  const source = (width: number) => escapeAttribute(`${address}?s=${width}`);
  const names = `avatar avatar-${size} photo${classes === '' ? '' : ` ${classes}`}`;
  return `<img alt='${escapeAttribute(alt)}' src='${source(size)}' srcset='${source(size * 2)} 2x' class='${names}' height='${size}' width='${size}' />`;
}

export const postTerms: Make = ({ name, attributes }, { post: { row }, rendering: { model } }) => {
  const taxonomy = textAt(attributes, 'term') ?? '';
  if (row === undefined || !Object.hasOwn(termKinds, taxonomy)) return '';
  if (!termKinds[taxonomy as Taxonomy].type.viewable) return '';
  const terms = termsByName(termIdsOf(row, taxonomy as Taxonomy), model);
  if (terms.length === 0) return '';
  const part = (kind: 'prefix' | 'suffix') => {
    const text = textAt(attributes, kind);
    return isSet(text) ? `<span class="wp-block-post-terms__${kind}">${text}</span>` : '';
  };
  const given = textAt(attributes, 'separator') ?? ', ';
  const separator = `<span class="wp-block-post-terms__separator">${escapeAttribute(given === '' ? ' ' : given)}</span>`;
  const links = terms.map((term) => linkTo(termLink(term, model), term.name, ' rel="tag"'));
  const wrapper = wrapperAttributes(name, attributes, { classes: [`taxonomy-${taxonomy}`, ...aligned(attributes)] });
  const begun = filterMarkup(`<div ${wrapper}>${part('prefix')}`);
  return `${begun}${links.join(separator)}${filterMarkup(`${part('suffix')}</div>`)}`;
};

export const postTimeToRead: Make = (block, { post, rendering }) => {
  if (post.row === undefined) return '';
  const { attributes } = block;
  const content = post.isLocked ? '' : post.texts().content;
  const words = rendering.cost.takes(costOfText(content)) ? wordCount(content) : 0;
  const minutes = words / (numberAt(attributes, 'averageReadingSpeed') || 189);
  const text =
    textAt(attributes, 'displayMode') === 'words'
      ? counted(words, 'word')
      : flagAt(attributes, 'displayAsRange') === false
        ? counted(atLeastOne(minutes), 'minute')
        : range(minutes);
  return wrapped('div', block, text, { classes: aligned(attributes) });
};

function range(minutes: number): string {
  const [min, max] = [atLeastOne(minutes * 0.8), atLeastOne(minutes * 1.2)];
  return `${min}–${min === max ? min + 1 : max} minutes`;
}

function atLeastOne(minutes: number): number {
  return Math.max(1, Math.round(minutes));
}

function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

export const readMore: Make = ({ name, attributes }, { post, rendering: { model } }) => {
  if (post.row === undefined) return '';
  const title = titleOfPost(post) || `untitled post ${post.id}`;
  const text = textAt(attributes, 'content') ?? '';
  const justified = textAt(attributes, 'justifyContent') ?? '';
  const wrapper = wrapperAttributes(name, attributes, {
    classes: justified === '' ? [] : [`is-justified-${justified}`],
  });
  const address = escapeAddress(permalink(post.row, model));
  const shown = text === '' ? 'Read more' : filterMarkup(text);
  return `<a ${wrapper} href="${address}" target="${targetOf(attributes)}">${shown}<span class="screen-reader-text">: ${title}</span></a>`;
};
