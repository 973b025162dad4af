import { escapeAddress } from '#text/escape-address.ts';
import { firstPage, teaser } from '#text/excerpt.ts';
import { escapeAttribute } from '#text/references.ts';
import { stripMarkup } from '#text/strip.ts';
import { permalink } from '../../addresses/entries.ts';
import { passwordMarkup } from '../password-form.ts';
import { wrapped } from '../pieces.ts';
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
