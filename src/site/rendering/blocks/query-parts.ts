import { isSet, numberAt, textAt } from '#blocks/attributes.ts';
import { escapeAddress } from '#blocks/escape-address.ts';
import { escapeAttribute } from '#blocks/references.ts';
import type { Scope, ServerBlock } from '#blocks/server-blocks.ts';
import { wrapperAttributes } from '#blocks/supports/wrapper.ts';
import { namespaceName } from '#domain/site/interface-names.ts';
import { interfaceUrl } from '../../addresses/interface.ts';
import { classList } from '../../entries/classes.ts';
import { wrapped } from '../pieces.ts';
import { otherPost } from '../posts.ts';
import { lastAllowed, queryResultOf } from '../query.ts';
import type { Here, Make, Rendering } from '../types.ts';

/** The parts around the entries of a query: their number, and links to other pages. */

export const queryNoResults: Make = (block, here) => {
  if (queryResultOf(block.scope, here.rendering).ids.length > 0) return '';
  const inside = here.inside(block.block.parts);
  return inside.trim() === '' ? '' : wrapped('div', block, inside);
};

export const queryPagination: Make = (block, here) => {
  const scope = new Map(block.scope);
  for (const name of ['paginationArrow', 'showLabel']) scope.set(name, block.attributes.get(name) ?? null);
  const inside = here.inside(block.block.parts, { scope });
  if (inside.trim() === '') return '';
  const own = { more: { 'aria-label': 'Pagination' } };
  return wrapped('nav', block, inside, own);
};

export const queryPaginationNext: Make = (block, here) => {
  const { page, pages } = queryResultOf(block.scope, here.rendering);
  const last = lastAllowed(block.scope);
  return (last === 0 || last > page) && pages > 0 && pages !== page ? stepTo(page + 1, block, here) : '';
};

export const queryPaginationPrevious: Make = (block, here) => {
  const { page, pages } = queryResultOf(block.scope, here.rendering);
  return page > 1 && pages > 0 ? stepTo(page - 1, block, here) : '';
};

const ARROWS: ReadonlyMap<string, readonly [previous: string, next: string]> = new Map([
  ['arrow', ['←', '→']],
  ['chevron', ['«', '»']],
]);

function stepTo(page: number, { name, attributes, scope }: ServerBlock, { rendering }: Here): string {
  const { parameter, isEnhanced } = queryResultOf(scope, rendering);
  const isNext = name.endsWith('-next');
  const given = textAt(attributes, 'label');
  const text = isSet(given) ? escapeAttribute(given ?? '') : isNext ? 'Next Page' : 'Previous Page';
  const shown = scope.get('showLabel') === false ? '' : text;
  const kind = isNext ? 'next' : 'previous';
  const style = String(scope.get('paginationArrow') ?? 'none');
  const arrow = ARROWS.get(style)?.[isNext ? 1 : 0];
  const sign =
    arrow === undefined
      ? ''
      : `<span class='wp-block-query-pagination-${kind}-arrow is-arrow-${style}' aria-hidden='true'>${arrow}</span>`;
  const label = shown === '' ? ` aria-label="${text}"` : '';
  const navigates = isEnhanced
    ? `data-wp-key="query-pagination-${kind}" data-wp-on--click="core/query::actions.navigate" data-wp-on--mouseenter="core/query::actions.prefetch" data-wp-watch="core/query::callbacks.prefetch" `
    : '';
  const address = escapeAddress(withQuery(requestPath(rendering), { ...rendering.query, [parameter]: page }));
  const inside = isNext ? shown + sign : sign + shown;
  return `<a ${navigates}href="${address}" ${wrapperAttributes(name, attributes)}${label}>${inside}</a>`;
}

/** Maximum links before and after the current page. */
const mostAround = 50;

export const queryPaginationNumbers: Make = (block, here) => {
  const { rendering } = here;
  const { page, pages, parameter, isEnhanced } = queryResultOf(block.scope, rendering);
  const last = lastAllowed(block.scope);
  const total = last === 0 || last > pages ? pages : last;
  if (total < 2) return '';
  const around = Math.min(Math.max(0, Math.trunc(numberAt(block.attributes, 'midSize') ?? 2)), mostAround);
  const { [parameter]: _, ...others } = rendering.query;
  const more = page === 1 ? others : { cst: '', ...others };
  const links: string[] = [];
  let isGap = false;
  for (let number = 1; number <= total; number += 1) {
    const key = isEnhanced ? `data-wp-key="index-${links.length}" ` : '';
    const click = isEnhanced ? 'data-wp-on--click="core/query::actions.navigate" ' : '';
    if (number === page) {
      links.push(`<span ${key}aria-current="page" class="page-numbers current">${number}</span>`);
      isGap = false;
    } else if (number === 1 || number === total || Math.abs(number - page) <= around) {
      const address = withQuery('', { ...(number === 1 ? {} : { [parameter]: number }), ...more });
      links.push(
        `<a ${key}${click}class="page-numbers" href="${escapeAddress(address)}">${number.toLocaleString('en')}</a>`,
      );
      isGap = false;
    } else if (!isGap) {
      links.push(`<span ${key}class="page-numbers dots">&hellip;</span>`);
      isGap = true;
      // Skips the rest of the gap, up to the numbers near the current page or to the last one.
      number = (number < page ? Math.min(page - around, total) : total) - 1;
    }
  }
  return wrapped('div', block, links.join('\n'));
};

export const queryTotal: Make = (block, here) => {
  const { total, perPage, page } = queryResultOf(block.scope, here.rendering);
  const start = total === 0 ? 0 : (page - 1) * perPage + 1;
  const end = Math.min(start + perPage - 1, total);
  const isRange = textAt(block.attributes, 'displayType') === 'range-display';
  const range = start === end ? `Displaying ${start} of ${total}` : `Displaying ${start} – ${end} of ${total}`;
  return wrapped('div', block, isRange ? range : `${total} result${total === 1 ? '' : 's'} found`);
};

/** The path of the request, without its query. */
function requestPath({ model, path }: Rendering): string {
  const site = model.site();
  const root = new URL(interfaceUrl(site)).pathname;
  const [, namespace = ''] = /^\/([^/]+\/[^/]+)/.exec(path) ?? [];
  return `${root}${namespace === '' ? path : `/${namespaceName(site.names, namespace)}${path.slice(namespace.length + 1)}`}`;
}

/** An address with a query; a parameter without a value has no equals sign. */
function withQuery(path: string, query: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(query).flatMap(([name, value]) => written(encodeURIComponent(name), value));
  return parts.length === 0 ? path : `${path}?${parts.join('&')}`;
}

function written(name: string, value: unknown): readonly string[] {
  if (value === '' || value === undefined || value === null) return [name];
  if (typeof value !== 'object') return [`${name}=${encodeURIComponent(String(value))}`];
  return Object.entries(value).flatMap(([key, one]) => written(`${name}%5B${encodeURIComponent(key)}%5D`, one));
}

export const postTemplate: Make = (block, here) => {
  const { attributes, scope } = block;
  const { model } = here.rendering;
  const { ids, isEnhanced } = queryResultOf(scope, here.rendering);
  const rows = ids.flatMap((id) => model.entry(id) ?? []);
  if (rows.length === 0) return '';
  const items = rows.map((row) => {
    const key = isEnhanced ? ` data-wp-key="post-template-item-${row.id}"` : '';
    const classes = ['wp-block-post', ...classList(row, model)].join(' ');
    return `<li${key} class="${escapeAttribute(classes)}">${here.inside(block.block.parts, { post: otherPost(row, model) })}</li>`;
  });
  const columns = numberAt(attributes, 'layout', 'columnCount');
  const isGrid = textAt(attributes, 'layout', 'type') === 'grid' && columns !== undefined && columns !== 0;
  const own = { classes: flexClasses(scope), last: isGrid ? [`columns-${columns}`] : [] };
  return wrapped('ul', block, items.join(''), own);
};

/** Queries of older texts name their columns themselves. */
function flexClasses(scope: Scope): readonly string[] {
  const layout = scope.get('displayLayout');
  if (!scope.has('query') || !(layout instanceof Map) || textAt(layout, 'type') !== 'flex') return [];
  return ['is-flex-container', `columns-${numberAt(layout, 'columns') ?? ''}`];
}
