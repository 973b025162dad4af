import { numberAttribute, textAttribute, truthAttribute } from '#text/block-attributes.ts';
import { escapeText } from '#text/escape.ts';
import { wrapperOf } from '#text/wrapper.ts';
import { permalink } from '../../tables/entries/links.ts';
import { aligned } from '../pieces.ts';
import { shownTitle } from '../posts.ts';
import type { Make } from '../types.ts';

/** The title of the post, as a heading of some level or as a paragraph. */
export const postTitle: Make = ({ name, attributes }, { post: { row }, rendering: { model } }) => {
  const title = row === undefined ? '' : shownTitle(row);
  if (row === undefined || title === '') return '';
  const level = numberAttribute(attributes, 'level', 2);
  const element = level === 0 ? 'p' : `h${level}`;
  const wrapper = wrapperOf({ name, attributes }, { classes: aligned(attributes) });
  if (!truthAttribute(attributes, 'isLink')) return `<${element}${wrapper}>${title}</${element}>`;
  const rel = textAttribute(attributes, 'rel');
  const target = escapeText(textAttribute(attributes, 'linkTarget', '_self'));
  const more = rel === '' ? '' : `rel="${escapeText(rel)}"`;
  const address = escapeText(permalink(row, model));
  return `<${element}${wrapper}><a href="${address}" target="${target}" ${more}>${title}</a></${element}>`;
};
