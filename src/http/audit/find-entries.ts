import { entryKinds } from '#domain/entry/kinds.ts';
import { entryStatuses } from '#domain/entry/vocabulary.ts';
import { plainText } from '#projections/audit/names.ts';
import { searchFor } from '#projections/collection/search-query.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { CollectionQuery } from '#projections/kernel/collection-query.ts';
import { type Html, html } from '#text/html.ts';
import { type Filters, isFiltered } from './filters.ts';
import { queryOf } from './sheet.ts';
import type { AuditStore } from './store.ts';
import { kindInWords, statusInWords } from './words.ts';

/** Maximum number of entries to choose from. */
const most = 20;

/** What the field for an item means: its number, or entries whose slug, address or title the words are, to choose from. */
export function meantBy(filters: Filters, { reader }: AuditStore): string | readonly EntryRow[] {
  const text = filters.entry;
  if (text === '' || /^\d{1,15}$/.test(text)) return text;
  const [kind = '', ...alsoKinds] = entryKinds.map(({ name }) => name);
  const statuses = entryStatuses.map((status) => ({ status }));
  const found = (query: Pick<CollectionQuery, 'orderBy' | 'slugs' | 'search'>) =>
    reader.present().find({ kind, alsoKinds, statuses, limit: most, offset: 0, order: 'desc', ...query }).ids;
  const [path = ''] = text.split(/[?#]/);
  const slug = path.split('/').findLast((segment) => segment !== '') ?? text;
  const bySlug = found({ slugs: [slug.toLowerCase()], orderBy: 'modified' });
  const { search } = searchFor(text, { columns: ['title'] });
  const ids = bySlug.length > 0 || search === undefined ? bySlug : found({ search, orderBy: 'relevance' });
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0) return String(only);
  return ids.flatMap((id) => reader.entry(id) ?? []);
}

export function choice(entries: readonly EntryRow[], filters: Filters): Html {
  if (entries.length === 0)
    return html`<p role="alert" class="notice">No post or page has the title, slug or address “${filters.entry}”. What was deleted is found by its number.</p>`;
  const others = { ...filters, entry: '' };
  return html`<section aria-labelledby="choice"><h2 id="choice">${isFiltered(others) ? 'Which one do you mean? The other filters stay.' : 'Which one do you mean?'}</h2>
<ul class="chips">${entries.map(
    ({ id, title, kind, status }) =>
      html`<li><a href="./${queryOf({ ...filters, entry: id })}">${plainText(title) || 'Untitled'} <span class="kind">${kindInWords(kind)} ${id}, ${statusInWords(status)}</span></a></li>\n`,
  )}</ul></section>`;
}
