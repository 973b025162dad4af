import { asRead } from '#blocks/as-read.ts';
import type { StoredEvent } from '#eventstore/port.ts';
import { auditAccount } from '#projections/audit/account.ts';
import { blameOf, type EntryBlame } from '#projections/audit/blame.ts';
import { inWords } from '#projections/audit/event-summary.ts';
import { fieldNamed, isErased, isWritten, snake } from '#projections/audit/fields.ts';
import type { AuditNames } from '#projections/audit/names.ts';
import { isVersion, textNamesOf, textsAfter } from '#projections/audit/texts.ts';
import { type Html, html } from '#text/html.ts';
import { actorLink } from './acts.ts';
import { tableLink } from './files.ts';
import { cursorIn, numberGiven } from './filters.ts';
import { thingTitle } from './item.ts';
import { proveLink } from './proof.ts';
import { linker, queryOf, type Sheet, sheetNeighbours } from './sheet.ts';
import type { AuditCall } from './store.ts';
import { fullTime, namesInTexts } from './words.ts';

/** Versions side by side on one page. */
const perPage = 10;

/** Who wrote each sentence of a text, and when; null if the item has no such text. */
export async function blameSheet(call: AuditCall): Promise<Sheet | null> {
  const { store, path, query, pause } = call;
  const [, stream = ''] = path;
  const { log, reader } = store;
  const field = fieldNamed(query.get('field') || 'content');
  const texts = textNamesOf(stream, log).filter(isWritten);
  if (typeof field !== 'string' || !texts.includes(field)) return null;
  const position = numberGiven(query, 'position') ?? log.head().position;
  const found = await blameOf({ stream, field, position }, { log, pause });
  if (found === null) return null;
  const names = namesInTexts(store);
  const title = thingTitle(names.thing(stream));
  const others = texts.filter((name) => name !== field);
  const main = html`${crumb(stream, title)}
<h1>Who wrote what</h1>
<p>Each sentence of the ${inWords(field)} ${query.has('position') ? 'as it stood then' : 'as it is now'}, with whoever last changed it. What was moved, or deleted and brought back, stays its first writer’s.</p>
${found.erased ? html`<p class="notice">Versions have been erased: what is left of them counts for the first version that remains.</p>` : null}
<p class="buttons">${proveLink(stream, 'proof', { position: query.get('position'), field })}</p>
<p class="fine">${tableLink('blame.csv', { field: query.get('field'), position: query.get('position') })}</p>
${sentencesTable(found, { names, zone: reader.site().timezone, stream })}
${others.length === 0 ? null : html`<p class="fine">The same for: ${others.map((name, i) => html`${i === 0 ? '' : ', '}<a href="blame${queryOf({ field: snake(name), position: query.get('position') })}">${inWords(name)}</a>`)}.</p>`}`;
  return { title: `Who wrote “${title}”`, depth: 2, main };
}

interface Place {
  readonly names: AuditNames;
  readonly zone: string;
  readonly stream: string;
}

function sentencesTable({ sentences }: EntryBlame, { names, zone }: Place): Html {
  if (sentences.length === 0) return html`<p class="notice">There is no text.</p>`;
  let last: StoredEvent | null = null;
  const rows = sentences.map(({ text, paragraph, by }, i) => {
    const isSame = by === last;
    const isNew = i > 0 && sentences[i - 1]?.paragraph !== paragraph;
    last = by;
    const who = html`${actorLink({ actor: by.actor, who: names.login(by.actor) }, 2)}<br>${fullTime(by.at, zone)}<br><a href="changes${queryOf({ to: by.revision })}">what changed<span class="hidden"> at position ${by.position}</span></a>`;
    const said = isSame ? html`<span class="hidden">the same</span>` : who;
    return html`<tr${isNew ? html` class="paragraph"` : null}><td class="fine">${said}</td><td class="reading" dir="auto">${text}</td></tr>
`;
  });
  return html`<div class="wide" tabindex="0" role="region" aria-label="Sentences and their writers"><table class="blame">
<thead><tr><th scope="col">Written by</th><th scope="col">Sentence</th></tr></thead>
<tbody>
${rows}</tbody></table></div>`;
}

/** All versions of an item side by side, the newest first; null if it has none. */
export function versionsSheet(call: AuditCall): Sheet | null | Promise<Sheet | null> {
  return versionsOf(call);
}

function versionsOf({ store, path, query }: AuditCall): Sheet | null {
  const [, stream = ''] = path;
  const { log, reader } = store;
  const before = cursorIn(query).before ?? Number.POSITIVE_INFINITY;
  const found: StoredEvent[] = [];
  for (const event of log.read({ stream, direction: 'backwards' })) {
    if (event.revision < before && isVersion(event)) found.push(event);
    if (found.length > perPage) break;
  }
  if (found.length === 0) return null;
  const shown = found.slice(0, perPage);
  const names = namesInTexts(store);
  const title = thingTitle(names.thing(stream));
  const zone = reader.site().timezone;
  const texts = shown.map((event) => textsAfter(event, log) ?? {});
  const fields = [...new Set(texts.flatMap((all) => Object.keys(all).filter((name) => all[name] !== '')))];
  const heads = shown.map((event) => {
    const { actor, who, what, revision } = auditAccount(event, names);
    return html`<th scope="col">${fullTime(event.at, zone)}<br>${actorLink({ actor, who }, 2)} ${what}<br><a href="changes${queryOf({ to: revision })}">what changed<span class="hidden"> with revision ${revision}</span></a> ${proveLink(stream, 'proof', { position: event.position })}</th>`;
  });
  const rows = fields.map(
    (name) => html`<tr><th scope="row">${inWords(name)}</th>${shown.map((event, i) =>
      isErased(event)
        ? html`<td class="version"><em class="erased">erased</em></td>`
        : html`<td class="version" dir="auto">${asRead(texts[i]?.[name] ?? '')}</td>`,
    )}</tr>
`,
  );
  const older = found.length > perPage ? (shown.at(-1)?.revision ?? null) : null;
  const main = html`${crumb(stream, title)}
<h1>All versions</h1>
<p>As people read them, the newest first. “What changed” also shows the source, and restores a version. ${tableLink('versions.csv')}</p>
<div class="wide" tabindex="0" role="region" aria-label="Versions side by side"><table>
<thead><tr><td></td>${heads}</tr></thead>
<tbody>
${rows}</tbody></table></div>
${sheetNeighbours('Pages of this list', { newer: null, older }, ({ before: revision }) => `versions${queryOf({ before: revision })}`)}`;
  return { title: `All versions of “${title}”`, depth: 2, main };
}

export function crumb(stream: string, title: string): Html {
  return html`<p class="crumb"><a href="${linker(2)(`things/${encodeURIComponent(stream)}`)}">History of “${title}”</a></p>`;
}

/** A button that restores a version; `formToken`: null if nobody is logged in by the form. */
export function restoreForm(revision: number, formToken: string | null, label: string): Html | null {
  if (formToken === null) return null;
  return html`<form class="restore" method="post" action="restore"><input type="hidden" name="token" value="${formToken}"><input type="hidden" name="revision" value="${revision}"><button>${label}</button></form>`;
}
