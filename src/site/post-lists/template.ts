import { formatByPattern } from '#domain/time/pattern.ts';
import { anonymous } from '#domain/user/roles.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Model } from '#projections/reading/model.ts';
import { escapeHtml } from '#text/escape-html.ts';
import { html, plain } from '#text/html.ts';
import { permalink } from '../addresses/items.ts';
import { termsByName } from '../entries/classes.ts';
import { entrySummary, firstWords, pictureMarkup, titleOf } from '../rendering/fragments.ts';
import type { BlockAttributes } from './block-attributes.ts';

export interface Filling {
  readonly model: Model;
  readonly attributes: BlockAttributes;
}

const MARK = /!#(\w+)!#/g;
/** Fills in a template with the values of an entry, which are escaped. */
export function fillTemplate(template: string, row: EntryRow, filling: Filling): string {
  const values = valuesOf(row, filling);
  return withImage(withoutComments(template), row, filling).replace(
    MARK,
    (mark, name: string) => values.get(name)?.() ?? mark,
  );
}

/** Replaces the first image by that of the entry; without one, removes it and the figure around it. */
function withImage(template: string, row: EntryRow, { model, attributes }: Filling): string {
  const start = template.search(/<img\b/i);
  const end = start < 0 ? -1 : template.indexOf('>', start);
  if (end < 0) return template;
  const picture = pictureMarkup(row.featuredMedia, attributes.imageSize, { model, viewer: anonymous });
  if (picture !== null) return template.slice(0, start) + picture.markup + template.slice(end + 1);
  const figure = figureAround(template, start);
  return figure === null
    ? template.slice(0, start) + template.slice(end + 1)
    : template.slice(0, figure.start) + template.slice(figure.end);
}

function figureAround(template: string, at: number): { readonly start: number; readonly end: number } | null {
  const closing = '</figure>';
  const start = template.lastIndexOf('<figure', at);
  const end = template.indexOf(closing, at);
  return start < 0 || end < 0 || template.lastIndexOf(closing, at) > start
    ? null
    : { start, end: end + closing.length };
}

function withoutComments(template: string): string {
  const [first = '', ...rest] = template.split('<!--');
  return first + rest.map((part) => part.slice(part.includes('-->') ? part.indexOf('-->') + 3 : part.length)).join('');
}

function valuesOf(row: EntryRow, { model, attributes }: Filling): ReadonlyMap<string, () => string> {
  return new Map([
    ['title', () => escapeHtml(titleOf(row) || 'Untitled')],
    ['category', () => categories(row, { model, attributes })],
    ['metaSeparator', () => escapeHtml(attributes.separator)],
    ['authorName', () => escapeHtml(model.user(row.author)?.displayName ?? '')],
    ['dateTime', () => row.date],
    ['date', () => formatByPattern(row.date, 'F j, Y')],
    ['commentsNum', () => commentsInWords(model.comments.count(row.id))],
    [
      'excerpt',
      () => escapeHtml(row.password === '' ? firstWords(entrySummary(row, model), attributes.excerptLength) : ''),
    ],
    ['postLink', () => escapeHtml(permalink(row, model))],
    ['readmoreText', () => escapeHtml(attributes.readmoreText)],
  ]);
}

/** As the family counts them in lists of posts. */
export function commentsInWords(count: number): string {
  return count === 1 ? '1 comment' : `${count} comments`;
}

function categories(row: EntryRow, { model, attributes }: Filling): string {
  const names = termsByName(row.categories, model).map(({ name }) => plain(name));
  if (!attributes.categoryHighlighted) return escapeHtml(names.join(', '));
  return names.map((name) => html`<span class="category-highlighted">${name}</span>`.markup).join(' ');
}
