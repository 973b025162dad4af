import { entryKinds } from '#domain/entry/kinds.ts';
import { entryStatuses } from '#domain/entry/vocabulary.ts';
import type { Refusal } from '#domain/kernel/refusal.ts';
import { type EventGroup, eventGroups, summaryOf } from '#projections/audit/event-summaries.ts';
import { inWords } from '#projections/audit/event-summary.ts';
import { fieldNames, snake } from '#projections/audit/fields.ts';
import { type AuditFilter, auditQuery, type FilterName, filterNames, theSystem } from '#projections/audit/filter.ts';
import type { EntryLookUp } from '#projections/audit/meant.ts';
import { plainText } from '#projections/audit/names.ts';
import type { Cursor } from '#projections/audit/pages.ts';
import type { AuditQuery } from '#projections/audit/search.ts';
import { searchFor } from '#projections/collection/fitting.ts';
import type { CollectionQuery } from '#projections/kernel/collection-query.ts';
import type { Model } from '#projections/reading/model.ts';
import { users } from '#projections/users/definition.ts';
import { type Content, type Html, html } from '#text/html.ts';
import type { AuditSource } from './store.ts';
import { kindInWords } from './words.ts';

export type Filters = Readonly<Record<FilterName, string>>;

/** Maximum number of logins that are suggested. */
const maxSuggested = 1000;

export function filtersIn(query: URLSearchParams): Filters {
  return Object.fromEntries(filterNames.map((name) => [name, query.get(name)?.trim() ?? ''])) as Filters;
}

export function isFiltered(filters: Filters): boolean {
  return filterNames.some((name) => filters[name] !== '');
}

export function queryOfFilters(filters: AuditFilter, { store, origins }: AuditSource): AuditQuery | Refusal {
  const { reader } = store;
  return auditQuery(filters, {
    archive: store,
    zone: reader.site().timezone,
    origins,
    userNamed: (login) => reader.userByLogin(login)?.id,
    entries: lookUpIn(reader),
  });
}

/** Maximum number of entries to choose from. */
const most = 20;

/** Entries as the read model finds them. */
export function lookUpIn(reader: Model): EntryLookUp {
  const [kind = '', ...alsoKinds] = entryKinds.map(({ name }) => name);
  const statuses = entryStatuses.map((status) => ({ status }));
  const found = (query: Pick<CollectionQuery, 'orderBy' | 'slugs' | 'search'>) =>
    reader.present().find({ kind, alsoKinds, statuses, limit: most, offset: 0, order: 'desc', ...query }).ids;
  return {
    bySlug: (slug) => found({ slugs: [slug], orderBy: 'modified' }),
    byTitle(words) {
      const { search } = searchFor(words, { columns: ['title'] });
      return search === undefined ? [] : found({ search, orderBy: 'relevance' });
    },
    inWords(id) {
      const entry = reader.entry(id);
      return entry === undefined ? String(id) : `${kindInWords(entry.kind)} ${id} “${plainText(entry.title)}”`;
    },
  };
}

export function cursorIn(query: URLSearchParams): Cursor {
  return { before: numberGiven(query, 'before'), after: numberGiven(query, 'after') };
}

export function numberGiven(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name) ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The filter form. It works without scripts: its values are in the address, which can be saved and shared. */
export function filterForm(filters: Filters, model: Model): Html {
  const { user, type, from, to, entry, text, stream, correlation, origin } = filters;
  const isNarrow = [stream, correlation, origin].some((value) => value !== '');
  return html`<form class="filters" method="get" role="search" aria-label="Filter the timeline">
${field('user', 'Who', html`<input id="user" name="user" list="logins" autocomplete="off" value="${user}" placeholder="anybody">`)}
${field(
  'type',
  'What',
  html`<select id="type" name="type"><option value="">anything</option>${isListed(type) ? null : option(type, type, type)}
${eventGroups.map((group) => optionsOf(group, type))}</select>`,
)}
${field('from', 'From', html`<input id="from" name="from" type="${dated(from)}" value="${from}">`)}
${field('to', 'To', html`<input id="to" name="to" type="${dated(to)}" value="${to}">`)}
${field('entry', 'Title, address or no.', html`<input id="entry" name="entry" autocomplete="off" value="${entry}" placeholder="any post, page or file">`)}
${field('field', 'Changed field', html`<select id="field" name="field"><option value="">any</option>${fieldOptions(filters.field)}</select>`)}
${field('text', 'Words, old or new', html`<input id="text" name="text" autocomplete="off" value="${text}" placeholder="in any version">`)}
<details class="more-filters"${isNarrow ? html` open` : null}><summary>More</summary>
${field('origin', 'From where', html`<input id="origin" name="origin" autocomplete="off" spellcheck="false" value="${origin}" placeholder="address">`)}
${field('correlation', 'Correlation id', html`<input id="correlation" name="correlation" autocomplete="off" spellcheck="false" value="${correlation}">`)}
${field('stream', 'Any other thing', html`<input id="stream" name="stream" autocomplete="off" spellcheck="false" value="${stream}" placeholder="term-3, user-2, site">`)}
</details>
<p class="buttons"><button>Show</button>${isFiltered(filters) ? html` <a class="button" href="./">Clear</a>` : null}</p>
<datalist id="logins"><option value="${theSystem}"></option>${model
    .present()
    .of(users)
    .all(0, maxSuggested)
    .map(({ login }) => html`<option value="${login}"></option>`)}</datalist>
</form>`;
}

/** A day has a calendar to choose from; a moment is written. */
function dated(text: string): 'date' | 'text' {
  return text === '' || /^\d{4}-\d\d-\d\d$/.test(text) ? 'date' : 'text';
}

function fieldOptions(chosen: string): Html {
  return html`${fieldNames.map((name) => option(snake(name), inWords(name), chosen))}`;
}

function option(value: string, text: string, chosen: string): Html {
  return value === chosen
    ? html`<option value="${value}" selected>${text}</option>`
    : html`<option value="${value}">${text}</option>`;
}

function field(id: string, label: string, input: Content): Html {
  return html`<p class="field"><label for="${id}">${label}</label>${input}</p>`;
}

/** Whether the list of types has what was asked for: in it, types with the same label are one choice. */
function isListed(type: string): boolean {
  const choices = ({ name, types }: EventGroup) => [
    name,
    ...Map.groupBy(types, (one) => summaryOf(one).label)
      .values()
      .map((same) => same.join(',')),
  ];
  return type === '' || eventGroups.some((group) => choices(group).includes(type));
}

function optionsOf({ name, title, types }: EventGroup, chosen: string): Html {
  return html`<optgroup label="${title}">${option(name, `${title}: all`, chosen)}${[...Map.groupBy(types, (type) => summaryOf(type).label)].map(([label, same]) => option(same.join(','), label, chosen))}</optgroup>
`;
}
