import { asRead, hasBlockComments, withoutBlockComments } from '#blocks/as-read.ts';
import type { StoredEvent } from '#eventstore/port.ts';
import { changesBetween, changesBy, type TextChange, type TextChanges } from '#projections/audit/changes.ts';
import { inWords } from '#projections/audit/event-summary.ts';
import { isVersion } from '#projections/audit/texts.ts';
import { differenceRows } from '#text/differences.ts';
import { asHtml, type Html, html, plain } from '#text/html.ts';
import { actorLink } from './acts.ts';
import { thingTitle } from './item.ts';
import { proveLink } from './proof.ts';
import { linker, queryOf, type Sheet } from './sheet.ts';
import type { AuditCall } from './store.ts';
import { restoreForm } from './versions.ts';
import { fullTime, namesInTexts } from './words.ts';

/** The texts of an item side by side, before and after; null if there are no such revisions. */
export function compareSheet(call: AuditCall): Sheet | null | Promise<Sheet | null> {
  return compared(call);
}

function compared({ store, path, query, formToken }: AuditCall): Sheet | null {
  const [, stream = ''] = path;
  const { log, reader } = store;
  const one = (name: string): StoredEvent | undefined => {
    const text = query.get(name) ?? '';
    const revision = /^\d{1,15}$/.test(text) ? Number(text) : 0;
    return [...log.read({ stream, from: revision, to: revision })][0];
  };
  const [given, to] = [one('from'), one('to')];
  if (to === undefined || (query.has('from') && given === undefined)) return null;
  const [earlier, later] = given !== undefined && given.revision > to.revision ? [to, given] : [given, to];
  const found = earlier === undefined ? changesBy(later, log) : changesBetween(earlier, later, log);
  if (found === null) return null;
  const names = namesInTexts(store);
  const zone = reader.site().timezone;
  const title = thingTitle(names.thing(stream));
  const link = linker(2);
  const version = (event: StoredEvent | null, empty: string) =>
    event === null
      ? html`${empty}`
      : html`${fullTime(event.at, zone)} <span class="sep">·</span> ${actorLink({ actor: event.actor, who: names.login(event.actor) }, 2)}`;
  const main = html`<p class="crumb"><a href="${link(`things/${encodeURIComponent(stream)}`)}">History of “${title}”</a></p>
<h1>What changed</h1>
<dl class="versions"><div><dt>Before</dt><dd>${version(found.base, 'nothing')}</dd></div>
<div><dt>After</dt><dd>${version(later, '')}</dd></div></dl>
${found.erased ? html`<p class="notice">Content of one of these versions has been erased; it reads as empty here.</p>` : null}
${acting(later, found, { log, formToken, isPair: given !== undefined })}${body(found, query)}`;
  return { title: `What changed in “${title}”`, depth: 2, main };
}

interface Acting {
  readonly log: AuditCall['store']['log'];
  readonly formToken: string | null;
  /** Two versions were chosen: neighbours are those of neither. */
  readonly isPair: boolean;
}

/** Links to the changes before and after this one, to the stored events, and buttons that restore the versions. */
function acting(later: StoredEvent, { base, erased }: TextChanges, { log, formToken, isPair }: Acting): Html {
  const next = after(later, log);
  const restore = (event: StoredEvent | null, label: string) =>
    event === null || erased || !/^(?:entry|media)-/.test(event.stream)
      ? null
      : restoreForm(event.revision, formToken, label);
  const neighbour = (rel: string, event: StoredEvent | null | undefined, text: string) =>
    event
      ? html`<a class="button" rel="${rel}" href="changes${queryOf({ to: event.revision })}">${text}</a>`
      : html`<span></span>`;
  const neighbours = isPair
    ? null
    : html`<nav class="neighbours" aria-label="Changes">${neighbour('prev', base, '← The change before')}${neighbour('next', next, 'The change after →')}</nav>`;
  return html`${neighbours}<div class="buttons">${restore(base, 'Restore the version before')}${next === undefined ? null : restore(later, 'Restore the version after')}${proveLink(later.stream, 'proof', { position: later.position }, 'Prove the version after')}</div>
<p class="fine"><a href="versions">All versions</a> · <a href="../../log/${later.position}">This event as it is stored</a></p>
`;
}

/** The next event with a version of the texts. */
function after({ stream, revision }: StoredEvent, log: Acting['log']): StoredEvent | undefined {
  for (const event of log.read({ stream, from: revision + 1 })) if (isVersion(event)) return event;
  return undefined;
}

function body({ changes, same }: TextChanges, query: URLSearchParams): Html {
  const kept = same.map(inWords).join(', ');
  const withComments = query.get('blocks') === 'shown';
  const shown = changes.map((change) => fieldTables(change, withComments));
  const versions = { from: query.get('from'), to: query.get('to') };
  const toggle = changes.some(({ before, after }) => hasBlockComments(before) || hasBlockComments(after))
    ? html`<p><a class="button" href="changes${queryOf({ ...versions, blocks: withComments ? '' : 'shown' })}">${withComments ? 'Hide' : 'Show'} comments of blocks</a></p>`
    : null;
  return html`${changes.length === 0 ? html`<p class="notice">The texts are the same.</p>` : shown}${toggle}
${kept === '' ? null : html`<p class="fine">Unchanged: ${kept}.</p>`}`;
}

/** The change of a text in its source and, if it has markup, as people read it. */
function fieldTables({ name, before, after }: TextChange, withComments: boolean): Html {
  const title = inWords(name);
  const [old, now] = withComments ? [before, after] : [withoutBlockComments(before), withoutBlockComments(after)];
  // Otherwise a change of comments alone would look like none.
  const source = old === now ? table(`${title}, source`, before, after) : table(`${title}, source`, old, now);
  const [read, reads] = [before, after].map((text) => asRead(text, (line) => plain(line))) as [string, string];
  const hasMarkup = read !== before.trim() || reads !== after.trim();
  if (!hasMarkup || !MARKUP.test(before + after))
    return html`<section aria-labelledby="text-${name}"><h2 id="text-${name}">${title}</h2>
${source}</section>
`;
  const shown =
    read === reads
      ? html`<p class="fine">Readers see the same words.</p>`
      : table(`${title}, as read`, read, reads, 'diff reading');
  return html`<section aria-labelledby="text-${name}"><h2 id="text-${name}">${title}</h2>
${shown}<h3>Source</h3>
${source}</section>
`;
}

const MARKUP = /<[a-z!/]/i;

function table(label: string, before: string, after: string, kind = 'diff'): Html {
  return html`<div class="wide" tabindex="0" role="region" aria-label="${label}, before and after"><table class="${kind}">
<thead><tr><th scope="col">Before</th><th scope="col">After</th></tr></thead>
<tbody>
${asHtml(differenceRows(before, after))}</tbody></table></div>`;
}
