import { flagAt, numberAt, textAt } from '#text/attributes.ts';
import { escapeAttribute } from '#text/references.ts';
import { wrapperAttributes } from '#text/supports/wrapper.ts';
import { permalink } from '../../tables/entries/links.ts';
import { aligned } from '../pieces.ts';
import { shownTitle } from '../posts.ts';
import type { Make } from '../types.ts';

/** The title of the post, as a heading of some level or as a paragraph. */
export const postTitle: Make = ({ name, attributes }, { post: { row }, rendering: { model } }) => {
  const title = row === undefined ? '' : shownTitle(row);
  if (row === undefined || title === '') return '';
  const level = numberAt(attributes, 'level') ?? 2;
  const element = level === 0 ? 'p' : `h${level}`;
  const wrapper = wrapperAttributes(name, attributes, { classes: aligned(attributes) });
  if (flagAt(attributes, 'isLink') !== true) return `<${element} ${wrapper}>${title}</${element}>`;
  const rel = textAt(attributes, 'rel') ?? '';
  const target = escapeAttribute(textAt(attributes, 'linkTarget') ?? '_self');
  const more = rel === '' ? '' : `rel="${escapeAttribute(rel)}"`;
  const address = escapeAttribute(permalink(row, model));
  return `<${element} ${wrapper}><a href="${address}" target="${target}" ${more}>${title}</a></${element}>`;
};
