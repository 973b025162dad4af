import { flagAt, isSet, numberAt, textAt } from '#text/attributes.ts';
import { escapeAddress } from '#text/escape-address.ts';
import { MORE } from '#text/excerpt.ts';
import { filterMarkup } from '#text/filter.ts';
import { stripMarkup } from '#text/strip.ts';
import { permalink } from '../../addresses/entries.ts';
import { aligned, wrapped } from '../pieces.ts';
import type { Make } from '../types.ts';

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
