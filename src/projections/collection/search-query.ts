import type { CollectionQuery, SearchQuery } from '../kernel/collection-query.ts';

/** In bytes of UTF-8. */
const longestSearch = 1600;

/** The search of a query. An empty or too long one is ignored (interface behaviour, section 17). */
export function searchFor(
  text: string,
  options: Partial<Omit<SearchQuery, 'text'>> = {},
): Pick<CollectionQuery, 'search'> {
  if (text === '' || isTooLong(text)) return {};
  return { search: { text, columns: [], exact: false, skipProtected: false, ...options } };
}

/** A UTF-16 code unit takes at least one byte, so a very long text need not be encoded. */
function isTooLong(text: string): boolean {
  return text.length > longestSearch || Buffer.byteLength(text) > longestSearch;
}
