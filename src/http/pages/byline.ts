import { secondsBetween } from '#domain/time/local.ts';
import type { Model } from '#projections/reading/model.ts';
import type { NamedTerm } from '#projections/terms/definition.ts';
import { termLink, userLink } from '#site/addresses/items.ts';
import { termsByName } from '#site/entries/classes.ts';
import type { Item } from '#site/items/item.ts';
import { type Html, html, plain } from '#text/html.ts';

const longDate = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' });

export function byline(item: Item, model: Model): Html {
  const author = model.user(item.author);
  const by =
    author === undefined
      ? null
      : html` by <a rel="author" href="${userLink(author, model.site().url)}">${author.displayName}</a>`;
  return html`<p class="meta">${itemTime(item)}${by}</p>`;
}

export function itemTime({ date, dateGmt }: Item): Html {
  const exact = dateGmt === null ? date : date + offset(secondsBetween(dateGmt, date));
  return html`<time datetime="${exact}">${longDate.format(Date.parse(`${date}Z`))}</time>`;
}

export function termLine({ categories, tags }: Item, model: Model): Html | null {
  const lines = [termList('Categories', categories, model), termList('Tags', tags, model)];
  return lines.every((line) => line === null) ? null : html`<footer class="meta tags">${lines}</footer>`;
}

function termList(label: string, ids: readonly number[], model: Model): Html | null {
  const terms = termsByName(ids, model);
  if (terms.length === 0) return null;
  const link = (term: NamedTerm, index: number) =>
    html`${index === 0 ? '' : ', '}<a rel="tag" href="${termLink(term, model)}">${plain(term.name)}</a>`;
  return html`<p>${label}: ${terms.map(link)}</p>`;
}

function offset(seconds: number): string {
  const minutes = Math.round(Math.abs(seconds) / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  return `${seconds < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
}
