import { withoutBlockComments } from '#blocks/as-read.ts';
import type { StoredEvent } from '#eventstore/port.ts';
import { auditAccount } from '#projections/audit/account.ts';
import { Leaps } from '#projections/audit/leaps.ts';
import type { AuditNames, Thing } from '#projections/audit/names.ts';
import { timelinePage } from '#projections/audit/pages.ts';
import { rawEvent } from '#projections/audit/raw.ts';
import { changeInWords, changesShown } from '#projections/audit/record.ts';
import { isVersion, textsIn } from '#projections/audit/texts.ts';
import { type Html, html } from '#text/html.ts';
import { actsByDay } from './acts.ts';
import { tableLink } from './files.ts';
import { cursorIn } from './filters.ts';
import { proveLink } from './proof.ts';
import { queryOf, type Sheet, sheetNeighbours } from './sheet.ts';
import type { AuditCall } from './store.ts';
import { fullTimeText, namesInTexts } from './words.ts';

/** Everything that happened to one item, the newest first; null if nothing ever did. */
export async function thingSheet({ store, path, query, origins, pause, formToken }: AuditCall): Promise<Sheet | null> {
  const [, stream = ''] = path;
  const { reader, log } = store;
  const leaps = new Leaps(log, store.clock.tolerance);
  const page = await timelinePage({ stream }, cursorIn(query), { archive: store, pause });
  if (page.events.length === 0) return null;
  const zone = reader.site().timezone;
  const here = `./${encodeURIComponent(stream)}`;
  const names = namesInTexts(store);
  const thing = names.thing(stream);
  const title = thingTitle(thing);
  const main = html`<p class="crumb">${thing.kind} ${thing.id}</p>
<h1 dir="auto">${title}</h1>
${ways(page.events, { stream, here })}<p class="fine">${tableLink('../timeline.csv', { stream })}</p>
${compareForm(page.events, { names, zone, here })}
${actsByDay(page.events, { names, leaps, zone, depth: 1, ofOne: true, originOf: origins?.originOf, log, undoes: formToken !== null })}
${sheetNeighbours('Pages of this history', page, (cursor) => here + queryOf(cursor))}`;
  return { title, depth: 1, main };
}

export function thingTitle({ title, kind, id }: Thing): string {
  return title || `Untitled ${kind} ${id ?? ''}`.trim();
}

/** Links to the other views of an item, and to its proofs. */
function ways(
  events: readonly StoredEvent[],
  { stream, here }: { readonly stream: string; readonly here: string },
): Html | null {
  const has = (name: string) => events.some((event) => textsIn(event)?.[name] !== undefined);
  const versions = events.some(isVersion) ? html`<a class="button" href="${here}/versions">All versions</a>` : null;
  const blame =
    versions !== null && (has('content') || has('description'))
      ? html` <a class="button" href="${here}/blame${queryOf({ field: has('content') ? '' : 'description' })}">Who wrote what</a>`
      : null;
  const erasure = events.some(({ type }) => type.endsWith('Erased'))
    ? html` <a class="button" href="${here}/proof?erasure=true">Prove the erasure</a>`
    : null;
  const proof = proveLink(stream, `${here}/proof`);
  if (versions === null && proof === null && erasure === null) return null;
  return html`<p class="buttons">${versions}${blame} ${proof}${erasure}</p>
`;
}

interface FormOptions {
  readonly names: AuditNames;
  readonly zone: string;
  readonly here: string;
}

/** Selects two versions of the texts to compare; null if there are fewer. */
function compareForm(events: readonly StoredEvent[], { names, zone, here }: FormOptions): Html | null {
  const versions = events.map((event) => auditAccount(event, names)).filter(({ hasTexts }) => hasTexts);
  if (versions.length < 2) return null;
  const select = (
    name: string,
    label: string,
    chosen: number,
  ) => html`<p class="field"><label for="${name}">${label}</label>
<select id="${name}" name="${name}">${versions.map(({ revision, at, who, what }, i) => {
    const text = html`${fullTimeText(at, zone)}, ${who} ${what}`;
    return i === chosen
      ? html`<option value="${revision}" selected>${text}</option>`
      : html`<option value="${revision}">${text}</option>`;
  })}</select></p>`;
  return html`<form class="filters compare" method="get" action="${here}/changes" aria-label="Compare two versions">
${select('from', 'Earlier version', 1)}${select('to', 'Later version', 0)}
<p class="buttons"><button>Compare</button></p></form>`;
}

/** Characters of a changed text that are shown in words; what is stored follows in full. */
const longest = 2000;

/** An event in words, and as it is stored; null if there is none at that position. */
export function eventSheet({ store, path, origins, formToken }: AuditCall): Sheet | null | Promise<Sheet | null> {
  const [, position = ''] = path;
  const { log, reader } = store;
  const [event] = /^[1-9]\d{0,14}$/.test(position) ? log.read({ from: Number(position), limit: 1 }) : [];
  if (event === undefined) return null;
  const names = namesInTexts(store);
  const zone = reader.site().timezone;
  const leaps = new Leaps(log, store.clock.tolerance);
  const withoutComments = (text: string | null) => text && withoutBlockComments(text);
  const changes = changesShown(event, { log, longest }).map((change) => ({
    ...change,
    before: withoutComments(change.before),
    after: withoutComments(change.after),
  }));
  const main = html`<p class="crumb">Position ${position} of the log</p>
<h1>One event</h1>
<p class="buttons"><a class="button" href="${position}/proof">Prove this</a></p>
<p class="fine">${tableLink('../timeline.csv', { correlation: event.correlationId })}, with all events of the same request</p>
${actsByDay([event], { names, leaps, zone, depth: 1, originOf: origins?.originOf, log, undoes: formToken !== null })}
${changes.length === 0 ? null : html`<section aria-labelledby="changed"><h2 id="changed">What it changed</h2><ul>${changes.map((change) => html`<li dir="auto">${changeInWords(change, names)}</li>\n`)}</ul></section>`}
<section aria-labelledby="raw"><h2 id="raw">As it is stored</h2>
<p class="fine">Sealed is what an erasure makes unreadable. Secrets are not shown.</p>
<pre>${JSON.stringify(rawEvent(event), null, 2)}</pre></section>`;
  return { title: `Event ${position}`, depth: 1, main };
}
