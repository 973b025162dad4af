import { isRefusal } from '#domain/kernel/refusal.ts';
import { Leaps } from '#projections/audit/leaps.ts';
import { entriesMeant, nothingMeant } from '#projections/audit/meant.ts';
import { plainText } from '#projections/audit/names.ts';
import { timelinePage } from '#projections/audit/pages.ts';
import type { AuditQuery } from '#projections/audit/search.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import { type Html, html } from '#text/html.ts';
import { activityChart } from './activity.ts';
import { actsByDay } from './acts.ts';
import { tableLink } from './files.ts';
import { cursorIn, type Filters, filterForm, filtersIn, isFiltered, lookUpIn, queryOfFilters } from './filters.ts';
import { proveLink } from './proof.ts';
import { queryOf, type Sheet, sheetNeighbours } from './sheet.ts';
import type { AuditCall, AuditStore } from './store.ts';
import { kindInWords, namesInTexts, statusInWords } from './words.ts';

/** Seconds after which a live timeline is asked for again. */
const renewal = 15;

export async function timelineSheet({ store, query, origins, pause, formToken }: AuditCall): Promise<Sheet> {
  const { reader, log } = store;
  const { timezone: zone } = reader.site();
  const given = filtersIn(query);
  const meant = meantBy(given, store);
  const filters = typeof meant === 'string' ? { ...given, entry: meant } : given;
  const head = html`<h1>Timeline</h1>
${filterForm(filters, reader)}
`;
  if (typeof meant !== 'string') {
    const status = meant.length === 0 ? 400 : 200;
    return { title: 'Timeline', depth: 0, main: html`${head}${choice(meant, given)}`, status };
  }
  const wanted = queryOfFilters(filters, { store, origins });
  if (isRefusal(wanted)) {
    const main = html`${head}<p role="alert" class="notice">${wanted.message}</p>`;
    return { title: 'Timeline', depth: 0, main, status: 400 };
  }
  const page = await timelinePage(wanted, cursorIn(query), { archive: store, pause });
  const isLive = query.get('live') === 'on' && page.newer === null;
  const leaps = new Leaps(log, store.clock.tolerance);
  const { field } = wanted;
  const options = {
    names: namesInTexts(store),
    leaps,
    zone,
    depth: 0,
    originOf: origins?.originOf,
    log,
    field,
    undoes: formToken !== null,
  };
  const main = html`${head}${page.newer === null ? activityChart(store) : null}<p class="fine">${tableLink('timeline.csv', filters)}${page.newer === null ? liveLink(filters, isLive) : null}${proofOf(wanted)}${formToken === null ? null : undoLink(filters)}</p>
${page.events.length === 0 ? nothing(filters) : actsByDay(page.events, options)}
${sheetNeighbours('Pages of the timeline', page, (cursor) => `./${queryOf({ ...filters, ...cursor })}`)}`;
  return { title: 'Timeline', depth: 0, main, ...(isLive ? { refresh: renewal } : {}) };
}

/** To undo all that fits, where the filters say who did it, or when. */
function undoLink(filters: Filters): Html | null {
  const { type, field, text, ...whose } = filters;
  const isMeant = type + field + text === '' && Object.values(whose).some((value) => value !== '');
  return isMeant ? html` · <a href="undo${queryOf(whose)}">Undo all of this…</a>` : null;
}

/** Of the field of an item that was asked for. */
function proofOf({ stream = '', field }: AuditQuery): Html | null {
  const link = field === undefined ? null : proveLink(stream, `things/${stream}/proof`, { field }, 'Prove this field');
  return link && html` · ${link}`;
}

function liveLink(filters: Filters, isLive: boolean): Html {
  return isLive
    ? html` · Renewed every ${renewal} seconds. <a href="./${queryOf({ ...filters })}">Stop</a>`
    : html` · <a href="./${queryOf({ ...filters, live: 'on' })}">Keep it up to date</a>`;
}

function nothing(filters: Filters) {
  const text = isFiltered(filters) ? 'Nothing that happened fits all of this.' : 'Nothing further.';
  return html`<p class="notice">${text}</p>`;
}

/** What the field for an item means: its number, or entries to choose from. */
function meantBy({ entry }: Filters, { reader }: AuditStore): string | readonly EntryRow[] {
  if (entry === '') return '';
  const ids = entriesMeant(entry, lookUpIn(reader));
  const [only, ...others] = ids;
  if (only !== undefined && others.length === 0) return String(only);
  return ids.flatMap((id) => reader.entry(id) ?? []);
}

function choice(entries: readonly EntryRow[], filters: Filters): Html {
  if (entries.length === 0) return html`<p role="alert" class="notice">${nothingMeant(filters.entry)}</p>`;
  const others = { ...filters, entry: '' };
  return html`<section aria-labelledby="choice"><h2 id="choice">${isFiltered(others) ? 'Which one do you mean? The other filters stay.' : 'Which one do you mean?'}</h2>
<ul class="chips">${entries.map(
    ({ id, title, kind, status }) =>
      html`<li><a href="./${queryOf({ ...filters, entry: id })}">${plainText(title) || 'Untitled'} <span class="kind">${kindInWords(kind)} ${id}, ${statusInWords(status)}</span></a></li>\n`,
  )}</ul></section>`;
}
