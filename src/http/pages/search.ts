import { searchFor } from '#projections/collection/search-query.ts';
import type { Model } from '#projections/reading/model.ts';
import { type Html, html } from '#text/html.ts';
import { parseQuery } from '#text/query-string.ts';
import type { ListingPage } from './listing.ts';

/** The posts that match a search; null if the query is not a search. */
export function searchIn(query: string, model: Model): ListingPage | null {
  const words = query.includes('s=') ? parseQuery(query)['s'] : undefined;
  if (typeof words !== 'string') return null;
  const text = words.trim();
  const { search } = searchFor(text, { skipProtected: true });
  const address = `${model.site().url}/`;
  const found = search === undefined ? { include: [] } : { search, orderBy: 'relevance' as const };
  const title = text === '' ? 'Search' : `Search: ${text}`;
  return { title, description: '', address, query: found, words: text, parameters: `s=${encodeURIComponent(text)}` };
}

export function searchForm(model: Model, words = ''): Html {
  const { pathname } = new URL(`${model.site().url}/`);
  return html`<form role="search" aria-label="This site" action="${pathname}" method="get">
<label for="s">Search</label>
<input id="s" name="s" type="search" value="${words}" maxlength="400" required>
<button>Search</button>
</form>`;
}
