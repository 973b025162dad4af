import { isRefusal } from '#domain/kernel/refusal.ts';
import { entryMeant } from '#projections/audit/meant.ts';
import type { AuditNames } from '#projections/audit/names.ts';
import type { PublicEdge, PublicEntry } from '#projections/audit/public.ts';
import { type Html, html } from '#text/html.ts';
import { actorLink } from './acts.ts';
import { publicIn } from './between.ts';
import { tableLink } from './files.ts';
import { cursorIn, lookUpIn } from './filters.ts';
import { queryOf, type Sheet, sheetNeighbours } from './sheet.ts';
import type { AuditCall } from './store.ts';
import { fullTime, namesInTexts } from './words.ts';

const perPage = 50;

/** What everybody could read at any time in a period, since when and until when, and why. */
export async function publicSheet(call: AuditCall): Promise<Sheet> {
  const { query, store, pause } = call;
  const [from, to, entry] = ['from', 'to', 'entry'].map((name) => query.get(name)?.trim() ?? '') as [
    string,
    string,
    string,
  ];
  const head = html`<h1>What was public</h1>
<p>Posts, pages and products that everybody could read at any time in a period: published, and without a password. “From” and “to” are days, or moments such as 2026-03-01T12:00.</p>
${periodForm({ from, to, entry })}
`;
  const wrong = (text: string): Sheet => ({
    title: 'What was public',
    depth: 0,
    status: 400,
    main: html`${head}<p role="alert" class="notice">${text}</p>`,
  });
  const id = entry === '' ? undefined : entryMeant(entry, lookUpIn(store.reader));
  if (isRefusal(id)) return wrong(id.message);
  const asked = { from: from || undefined, to: to || undefined, entry: id, before: cursorIn(query).before };
  const found = await publicIn({ ...asked, limit: perPage }, call, pause);
  if (isRefusal(found)) return wrong(found.message);
  const names = namesInTexts(store);
  const zone = store.reader.site().timezone;
  const main = html`${head}<p class="fine">${tableLink('public.csv', { from, to, entry })}</p>
${found.entries.length === 0 ? html`<p class="notice">Nothing was.</p>` : spansTable(found.entries, { names, zone, from, to })}
${sheetNeighbours('Pages of this list', { newer: null, older: found.next }, (cursor) => `public${queryOf({ from, to, entry, ...cursor })}`)}`;
  return { title: 'What was public', depth: 0, main };
}

interface Place {
  readonly names: AuditNames;
  readonly zone: string;
  /** As the period was asked for. */
  readonly from: string;
  readonly to: string;
}

function spansTable(entries: readonly PublicEntry[], { names, zone, from: since, to: until }: Place): Html {
  const edge = ({ at, actor, reason, position }: PublicEdge, id: number) =>
    html`<a href="things/entry-${id}/at${queryOf({ position })}">${fullTime(at, zone)}</a><br>${reason}, by ${actorLink({ actor, who: names.login(actor) }, 0)}`;
  const rows = entries.flatMap(({ id, spans }) => {
    const { kind, title } = names.thing(`entry-${id}`);
    const name = html`<th scope="row"><a dir="auto" href="things/entry-${id}">${title || 'Untitled'}</a> <span class="kind">${kind} ${id}</span></th>`;
    if (spans.length === 0)
      return [html`<tr>${name}<td colspan="3">It was not public, or only behind a password.</td></tr>\n`];
    const evidence = html`<a href="things/entry-${id}/proof${queryOf({ public: 'true', from: since, to: until })}" download>Evidence</a>`;
    return spans.map(
      ({ from, to }) =>
        html`<tr>${name}<td>${edge(from, id)}</td><td>${to === null ? 'still at the end' : edge(to, id)}</td><td>${evidence}</td></tr>\n`,
    );
  });
  return html`<div class="wide" tabindex="0" role="region" aria-label="Table of what was public"><table>
<thead><tr><th scope="col">Title</th><th scope="col">Public from</th><th scope="col">Until</th><th scope="col">Texts and approvals, provable</th></tr></thead>
<tbody>
${rows}</tbody></table></div>`;
}

function periodForm({ from, to, entry }: Readonly<Record<'from' | 'to' | 'entry', string>>): Html {
  return html`<form class="filters" method="get" action="public" role="search" aria-label="Choose a period">
<p class="field"><label for="from">From</label><input id="from" name="from" autocomplete="off" placeholder="2026-03-01" value="${from}"></p>
<p class="field"><label for="to">To</label><input id="to" name="to" autocomplete="off" placeholder="now" value="${to}"></p>
<p class="field"><label for="entry">Title, address or no.</label><input id="entry" name="entry" autocomplete="off" placeholder="any" value="${entry}"></p>
<p class="buttons"><button>Show</button></p></form>`;
}
