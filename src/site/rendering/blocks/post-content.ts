import { flagAt, isSet, numberAt, textAt } from '#text/attributes.ts';
import { escapeAddress } from '#text/escape-address.ts';
import { firstPage, MORE, teaser } from '#text/excerpt.ts';
import { filterMarkup } from '#text/filter.ts';
import { escapeAttribute } from '#text/references.ts';
import { stripMarkup } from '#text/strip.ts';
import { permalink } from '../../addresses/items.ts';
import { passwordMarkup } from '../password-form.ts';
import { aligned, wrapped } from '../pieces.ts';
import { titleOfPost } from '../posts.ts';
import type { Here, Make } from '../types.ts';

/** The content of the post, except within itself; for a protected post the password form. */
export const postContent: Make = (block, here) => {
  const { post, rendering, within } = here;
  const mark = `content ${post.id}`;
  if (post.row === undefined || within.has(mark)) return '';
  if (post.isLocked) return passwordMarkup(permalink(post.row, rendering.model)).markup;
  const content = rendering.content(post, { within: new Set([...within, mark]), text: shortened(here) });
  return content === '' ? '' : wrapped('div', block, content, { classes: ['entry-content'] });
};

function shortened({ post, rendering }: Here): string {
  const page = firstPage(post.texts().content);
  const cut = teaser(page);
  if (cut === page || post.row === undefined) return page;
  const label = escapeAttribute(`Continue reading ${stripMarkup(titleOfPost(post))}`);
  const address = escapeAddress(`${permalink(post.row, rendering.model)}#more-${post.id}`);
  return `${cut} <a href="${address}" class="more-link"><span aria-label="${label}">(more&hellip;)</span></a>`;
}

export const postExcerpt: Make = (block, { post, rendering, within }) => {
  if (post.row === undefined || within.has(`excerpt ${post.id}`)) return '';
  const { attributes } = block;
  const more = textAt(attributes, 'moreText') ?? '';
  const address = escapeAddress(permalink(post.row, rendering.model));
  const link =
    more === '' ? '' : `<a class="wp-block-post-excerpt__more-link" href="${address}">${filterMarkup(more)}</a>`;
  const text = rendering.excerptText(post, { within: new Set([...within, `excerpt ${post.id}`]) });
  const excerpt = firstWords(more === '' ? text : withoutMore(text), numberAt(attributes, 'excerptLength') ?? 55);
  if (excerpt === '') return '';
  const begun = `<p class="wp-block-post-excerpt__excerpt">${excerpt}`;
  const isBelow = flagAt(attributes, 'showMoreOnNewLine') !== false && isSet(more);
  const end = isBelow ? `</p><p class="wp-block-post-excerpt__more-text">${link}</p>` : ` ${link}</p>`;
  return wrapped('div', block, begun + end, { classes: aligned(attributes) });
};

function withoutMore(text: string): string {
  return text.endsWith(MORE) ? text.slice(0, -MORE.length) : text;
}

function firstWords(text: string, length: number): string {
  const words = stripMarkup(text)
    .split(/[\n\r\t ]+/)
    .filter((word) => word !== '');
  return words.length > length ? `${words.slice(0, length).join(' ')}&hellip;` : words.join(' ');
}
