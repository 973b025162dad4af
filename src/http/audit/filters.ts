import { isRefusal, type Refusal, refuse } from '#domain/kernel/refusal.ts';
import { eventGroups, summaryOf, typesNamed } from '#projections/audit/event-summaries.ts';
import { itemStream } from '#projections/audit/names.ts';
import type { Cursor } from '#projections/audit/pages.ts';
import { positionsOf } from '#projections/audit/period.ts';
import type { AuditQuery } from '#projections/audit/search.ts';
import type { Model } from '#projections/reading/model.ts';
import { users } from '#projections/users/definition.ts';
import { type Content, type Html, html } from '#text/html.ts';
import type { AuditStore } from './store.ts';

export interface Filters {
  readonly who: string;
  readonly what: string;
  readonly from: string;
  readonly to: string;
  readonly entry: string;
  readonly request: string;
}

const names = ['who', 'what', 'from', 'to', 'entry', 'request'] as const satisfies (keyof Filters)[];
/** Maximum number of logins that are suggested. */
const maxSuggested = 1000;
/** Stands for the system itself in place of a login. */
export const theSystem = '(system)';

export function filtersIn(query: URLSearchParams): Filters {
  const [who = '', what = '', from = '', to = '', entry = '', request = ''] = names.map(
    (name) => query.get(name)?.trim() ?? '',
  );
  return { who, what, from, to, entry, request };
}

export function isFiltered(filters: Filters): boolean {
  return names.some((name) => filters[name] !== '');
}

export function queryOfFilters(filters: Filters, { reader, log }: AuditStore): AuditQuery | Refusal {
  const { from, to } = filters;
  const positions = positionsOf(
    { from: from || undefined, to: to || undefined },
    { log, zone: reader.site().timezone },
  );
  if (isRefusal(positions)) return positions;
  const actor = actorOf(filters.who, reader);
  if (isRefusal(actor)) return actor;
  const types = filters.what === '' ? undefined : typesNamed(filters.what);
  if (types === null) return refuse('invalid_type', `There is no event type "${filters.what}".`);
  const stream = filters.entry === '' ? undefined : itemStream(Number(filters.entry), log);
  return { ...positions, actor, types, stream, correlationId: filters.request || undefined };
}

export function cursorIn(query: URLSearchParams): Cursor {
  const number = (name: string) => {
    const text = query.get(name);
    return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
  };
  return { before: number('before'), after: number('after') };
}

/** The filter form. It works without scripts: its values are in the address, which can be saved and shared. */
export function filterForm(filters: Filters, model: Model): Html {
  return html`<form class="filters" method="get" role="search" aria-label="Filter the timeline">
${field('who', 'Who', html`<input id="who" name="who" list="logins" autocomplete="off" value="${filters.who}" placeholder="anybody">`)}
${field(
  'what',
  'What',
  html`<select id="what" name="what"><option value="">anything</option>
${eventGroups.map((group) => optionsOf(group, filters.what))}</select>`,
)}
${field('from', 'From', html`<input id="from" name="from" type="date" value="${filters.from}">`)}
${field('to', 'To', html`<input id="to" name="to" type="date" value="${filters.to}">`)}
${field('entry', 'Title, address or no.', html`<input id="entry" name="entry" autocomplete="off" value="${filters.entry}" placeholder="any post, page or file">`)}
${field('request', 'Correlation id', html`<input id="request" name="request" autocomplete="off" spellcheck="false" value="${filters.request}">`)}
<p class="buttons"><button>Show</button>${isFiltered(filters) ? html` <a class="button" href="./">Clear</a>` : null}</p>
<datalist id="logins"><option value="${theSystem}"></option>${model
    .present()
    .of(users)
    .all(0, maxSuggested)
    .map(({ login }) => html`<option value="${login}"></option>`)}</datalist>
</form>`;
}

function field(id: string, label: string, input: Content): Html {
  return html`<p class="field"><label for="${id}">${label}</label>${input}</p>`;
}

function optionsOf({ name, title, types }: (typeof eventGroups)[number], chosen: string): Html {
  const option = (value: string, text: string) =>
    value === chosen
      ? html`<option value="${value}" selected>${text}</option>`
      : html`<option value="${value}">${text}</option>`;
  return html`<optgroup label="${title}">${option(name, `${title}: all`)}${types.map((type) => option(type, summaryOf(type).label))}</optgroup>
`;
}

function actorOf(who: string, model: Model): number | null | undefined | Refusal {
  if (who === '') return undefined;
  if (who === theSystem) return null;
  if (/^\d{1,15}$/.test(who) && model.userByLogin(who) === undefined) return Number(who);
  return model.userByLogin(who)?.id ?? refuse('invalid_username', `There is no user "${who}".`);
}
