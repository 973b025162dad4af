import { textAt } from '#text/attributes.ts';
import { escapeAddress } from '#text/escape-address.ts';
import { filterMarkup } from '#text/filter.ts';
import { wrapperAttributes } from '#text/supports/wrapper.ts';
import { permalink } from '../../addresses/entries.ts';
import { targetOf } from '../pieces.ts';
import { titleOfPost } from '../posts.ts';
import type { Make } from '../types.ts';

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
