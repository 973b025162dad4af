import { entryKinds } from '#domain/entry/kinds.ts';
import { entryStream } from '#domain/entry/state.ts';
import { entryStatuses } from '#domain/entry/vocabulary.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { addSeconds } from '#domain/time/local.ts';
import { summaryOf } from '#projections/audit/event-summaries.ts';
import { type AuditNames, plainText } from '#projections/audit/names.ts';
import { type PeriodPositions, positionsOf } from '#projections/audit/period.ts';
import { type StandingEntry, standingPage } from '#projections/audit/standing.ts';
import { type Html, html } from '#text/html.ts';
import { actorLink } from './acts.ts';
import { cursorIn } from './filters.ts';
import { queryOf, type Sheet, sheetNeighbours } from './sheet.ts';
import type { AuditCall, AuditStore } from './store.ts';
import { dayInWords, dayOf, fullTimeText, kindInWords, namesInTexts, statusInWords } from './words.ts';

/** A day of the site: its changes, and the entries at its end. */
export async function daySheet({ store, query, pause }: AuditCall): Promise<Sheet> {
  const { log, reader } = store;
  const zone = reader.site().timezone;
  const latest = dayOf(log.head().at ?? '1970-01-01T00:00:00.000Z', zone);
  const date = query.get('date') || latest;
  const kind = query.get('kind') ?? '';
  const status = query.get('status') ?? '';
  const form = dayForm({ date, kind, status });
  const stretch = positionsOf({ from: date, to: date }, { log, zone });
  if (isRefusal(stretch) || date.length !== 'YYYY-MM-DD'.length) {
    const main = html`<h1>The site on a day</h1>\n${form}<p role="alert" class="notice">“${date}” is no day.</p>`;
    return { title: 'The site on a day', depth: 0, main, status: 400 };
  }
  const wanted = { position: stretch.high, kind: kind || undefined, status: status || undefined };
  const found = await standingPage(
    { ...wanted, before: cursorIn(query).before },
    { archive: store, deletions: store.reader.present().deletions, pause },
  );
  await store.followed();
  const main = html`<h1>The site at the end of ${dayInWords(date)}</h1>
${form}${momentForm(date)}
<nav class="neighbours" aria-label="Days"><a class="button" rel="prev" href="day${queryOf({ date: shifted(date, -1), kind, status })}">← The day before</a>
<a class="button" rel="next" href="day${queryOf({ date: shifted(date, 1), kind, status })}">The day after →</a></nav>
${happened(stretch, date, store)}
<section aria-labelledby="stood"><h2 id="stood">Posts and pages as they stood</h2>
<details class="fine"><summary>For programs</summary>Position ${stretch.high} of the log: <code>cms/v2/posts?as_of=${stretch.high}</code></details>
${found.entries.length === 0 ? html`<p class="notice">${found.older === null ? 'None.' : 'None among those looked at so far.'}</p>` : entryTable(found.entries, { position: stretch.high, names: namesInTexts(store), zone })}
${sheetNeighbours('Pages of this list', { newer: null, older: found.older }, (cursor) => `day${queryOf({ date, kind, status, ...cursor })}`)}</section>`;
  return { title: `The site on ${date}`, depth: 0, main };
}

function happened({ low, high }: PeriodPositions, date: string, store: AuditStore): Html {
  const names = namesInTexts(store);
  const { types, actors } = store.trail.tally({ low, high });
  const total = types.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0)
    return html`<section aria-labelledby="happened"><h2 id="happened">What happened</h2><p>Nothing was written on that day.</p></section>`;
  return html`<section aria-labelledby="happened"><h2 id="happened">What happened</h2>
<p><a href="./${queryOf({ from: date, to: date })}">${total} ${total === 1 ? 'event' : 'events'}</a>, by ${actors.map(
    ([actor, count], i) => html`${i === 0 ? '' : ', '}${actorLink({ actor, who: names.login(actor) }, 0)} (${count})`,
  )}.</p>
<ul class="chips">${types.map(
    ([type, count]) =>
      html`<li><a href="./${queryOf({ from: date, to: date, type })}">${summaryOf(type).label} <b>${count}</b></a></li>`,
  )}</ul></section>`;
}

interface Shown {
  readonly position: number;
  readonly names: AuditNames;
  readonly zone: string;
}

function entryTable(entries: readonly StandingEntry[], { position, names, zone }: Shown): Html {
  return html`<div class="wide" tabindex="0" role="region" aria-label="Table of posts and pages"><table>
<thead><tr><th scope="col">Title</th><th scope="col">Status</th><th scope="col">Author</th><th scope="col">Date</th><th scope="col">Last changed</th></tr></thead>
<tbody>
${entries.map(
  (
    entry,
  ) => html`<tr><th scope="row"><a dir="auto" href="things/${entryStream(entry.id)}/at${queryOf({ position })}">${plainText(entry.title) || 'Untitled'}</a> <span class="kind">${kindInWords(entry.kind)} ${entry.id}</span></th>
<td><span class="badge ${entry.status}">${statusInWords(entry.status)}</span></td><td>${names.login(entry.author)}</td>
<td>${entry.date.replace('T', ' ')}</td><td>${fullTimeText(entry.changedAt, zone)}</td></tr>
`,
)}</tbody></table></div>`;
}

function dayForm({ date, kind, status }: Readonly<Record<'date' | 'kind' | 'status', string>>): Html {
  const options = <T extends string>(values: readonly T[], chosen: string, inWords: (value: T) => string) =>
    values.map((value) =>
      value === chosen
        ? html`<option value="${value}" selected>${inWords(value)}</option>`
        : html`<option value="${value}">${inWords(value)}</option>`,
    );
  return html`<form class="filters" method="get" action="day" role="search" aria-label="Choose a day">
<p class="field"><label for="date">Day</label><input id="date" name="date" type="date" required value="${date}"></p>
<p class="field"><label for="kind">Kind</label><select id="kind" name="kind"><option value="">any</option>${options(
    entryKinds.map(({ name }) => name),
    kind,
    kindInWords,
  )}</select></p>
<p class="field"><label for="status">Status</label><select id="status" name="status"><option value="">any</option>${options(entryStatuses, status, statusInWords)}</select></p>
<p class="buttons"><button>Show</button></p></form>
`;
}

/** Leads to the pages of the site as visitors saw them. */
function momentForm(date: string): Html {
  return html`<form class="filters" method="get" action="visit" aria-label="See the site at a moment">
<p class="field"><label for="at">The pages at a moment</label><input id="at" name="at" type="datetime-local" required value="${date}T12:00"></p>
<p class="buttons"><button>See the site</button></p></form>
`;
}

function shifted(day: string, days: number): string {
  return addSeconds(`${day}T12:00:00`, days * 86_400).slice(0, 10);
}
