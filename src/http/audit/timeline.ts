import { isRefusal } from '#domain/kernel/refusal.ts';
import { Leaps } from '#projections/audit/leaps.ts';
import { timelinePage } from '#projections/audit/pages.ts';
import { html } from '#text/html.ts';
import { actsByDay } from './acts.ts';
import { cursorIn, type Filters, filterForm, filtersIn, isFiltered, queryOfFilters } from './filters.ts';
import { choice, meantBy } from './find-entries.ts';
import { namesInTexts } from './names-in.ts';
import { queryOf, type Sheet, sheetNeighbours } from './sheet.ts';
import type { AuditCall } from './store.ts';

export async function timelineSheet({ store, query, originOf, pause, make }: AuditCall): Promise<Sheet> {
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
  const wanted = queryOfFilters(filters, store);
  if (isRefusal(wanted)) {
    const main = html`${head}<p role="alert" class="notice">${wanted.message}</p>`;
    return { title: 'Timeline', depth: 0, main, status: 400 };
  }
  const page = await timelinePage(wanted, cursorIn(query), { archive: store, pause });
  const leaps = new Leaps(log, store.clock.tolerance);
  const main = await make(() => {
    const options = { names: namesInTexts(store), leaps, zone, depth: 0, originOf };
    return html`${head}${page.events.length === 0 ? nothing(filters) : actsByDay(page.events, options)}
${sheetNeighbours('Pages of the timeline', page, (cursor) => `./${queryOf({ ...filters, ...cursor })}`)}`;
  });
  return { title: 'Timeline', depth: 0, main };
}

function nothing(filters: Filters) {
  const text = isFiltered(filters) ? 'Nothing that happened fits all of this.' : 'Nothing further.';
  return html`<p class="notice">${text}</p>`;
}
