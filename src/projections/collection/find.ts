import type { CollectionQuery, Found } from '../kernel/collection-query.ts';
import { isAmong } from './filter.ts';
import {
  type Fitting,
  publishedSticky,
  putsStickyFirst,
  relevancePart,
  relevanceQuery,
  type Sources,
} from './fitting.ts';
import { cutPage } from './page.ts';
import { joined, type Member, memberId, membersNamed, mostRelevant } from './relevance.ts';

/**
 * Searches one index, or several as if they were one: those of several kinds, or a large one and a small one with replacements for some
 * of its entries, which are hidden in the large one.
 */

export function find(query: CollectionQuery, parts: readonly Sources[], fits: readonly Fitting[]): Found {
  const page = pageOf(query, parts, fits);
  const members = putsStickyFirst(query) ? withStickyFirst(page, query, parts) : page;
  return { ids: members.map(memberId), total: totalOf(fits) };
}

function pageOf(query: CollectionQuery, parts: readonly Sources[], fits: readonly Fitting[]): readonly Member[] {
  const { orderBy, order, offset, limit } = query;
  if (orderBy === 'include' || orderBy === 'include_slugs') {
    return listed(query, parts, fits).slice(offset, offset + limit);
  }
  if (orderBy === 'relevance') {
    const among = parts.map((part, i) => relevancePart(part, fits[i]!.found));
    return mostRelevant(among, relevanceQuery(query));
  }
  const descending = order === 'desc';
  const total = totalOf(fits);
  // All entries of the other parts may come first, so the page of this part may begin that much earlier.
  const starts = fits.map((fit) => Math.max(0, offset - (total - fit.total)));
  const lists = parts.map(({ index }, i) => {
    const [fit, start] = [fits[i]!, starts[i]!];
    const cut = { by: orderBy, descending, offset: start, limit: offset + limit - start, total: fit.total };
    return membersNamed(index, cutPage(fit, index, cut));
  });
  const skipped = starts.reduce((sum, start) => sum + start, 0);
  return joined(lists, { by: orderBy, descending }).slice(offset - skipped, offset - skipped + limit);
}

function listed(
  { kind, orderBy, include = [], slugs = [] }: CollectionQuery,
  parts: readonly Sources[],
  fits: readonly Fitting[],
): Member[] {
  const shown = parts.map(({ index, idsBySlug }, i) => {
    const member = (id: number): Member[] => {
      const ord = index.ordOf(id);
      return ord !== undefined && isAmong(fits[i]!.found, ord) ? [{ index, ord }] : [];
    };
    return { member, named: (slug: string) => idsBySlug(kind, slug).flatMap(member) };
  });
  const byId = (a: Member, b: Member) => memberId(a) - memberId(b);
  const members =
    orderBy === 'include'
      ? include.flatMap((id) => shown.flatMap(({ member }) => member(id)))
      : slugs.flatMap((slug) => shown.flatMap(({ named }) => named(slug)).sort(byId));
  return [...new Map(members.map((member) => [memberId(member), member])).values()];
}

/**
 * The page with its sticky entries first, then other published sticky ones, newest first, unless the query excludes them; then the rest.
 * It may exceed the limit.
 */
function withStickyFirst(page: readonly Member[], query: CollectionQuery, parts: readonly Sources[]): Member[] {
  const own = page.filter(({ index, ord }) => index.sticky.has(ord));
  const others = page.filter(({ index, ord }) => !index.sticky.has(ord));
  if (query.sticky === false) return [...own, ...others];
  const left = new Set([...own.map(memberId), ...(query.exclude ?? [])]);
  const missing = parts.map(({ index, hidden }) => {
    const ords = publishedSticky(index).filter((ord) => hidden?.has(ord) !== true);
    return membersNamed(index, ords.sort(index.order('date').compare).reverse()).filter(
      (one) => !left.has(memberId(one)),
    );
  });
  return [...own, ...joined(missing, { by: 'date', descending: true }), ...others];
}

function totalOf(fits: readonly Fitting[]): number {
  return fits.reduce((sum, { total }) => sum + total, 0);
}
