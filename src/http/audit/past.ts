import { hasBlockComments, withoutBlockComments } from '#blocks/as-read.ts';
import { kindOf } from '#domain/entry/kinds.ts';
import { textNames } from '#domain/entry/texts.ts';
import { type AuditNames, plainText } from '#projections/audit/names.ts';
import { entryAt, type StandingEntry } from '#projections/audit/standing.ts';
import { textsBefore } from '#projections/audit/texts.ts';
import { type Html, html } from '#text/html.ts';
import { proveLink } from './proof.ts';
import { linker, type Sheet, visitRoot } from './sheet.ts';
import type { AuditCall } from './store.ts';
import { fullTimeText, kindInWords, namesInTexts, statusInWords } from './words.ts';

/** An entry at a position, with its texts as they were written; null if it did not exist then. */
export async function pastSheet({ store, path, query, pause }: AuditCall): Promise<Sheet | null> {
  const [, stream = ''] = path;
  const { log } = store;
  const id = /^entry-(\d{1,15})$/.exec(stream)?.[1];
  const position = query.get('position') ?? '';
  if (id === undefined || !/^\d{1,15}$/.test(position)) return null;
  const entry = await entryAt(Number(id), Number(position), {
    log,
    deletions: store.reader.present().deletions,
    pause,
  });
  if (entry === null) return null;
  const title = plainText(entry.title) || `Untitled ${kindInWords(entry.kind)} ${entry.id}`;
  const names = textNames.filter((name) => name !== 'title' && entry[name] !== '');
  const texts = textsBefore(stream, entry.revision + 1, names, log);
  const main = html`<p class="crumb"><a href="${linker(2)(`things/${stream}`)}">History of ${kindInWords(entry.kind)} ${entry.id}</a></p>
<h1 dir="auto">${title}</h1>
<p class="buttons">${proveLink(stream, 'proof', { position })}</p>
<p class="fine">As it stood then.${entry.status === 'publish' ? html` <a href="${linker(2)(`${visitRoot}${position}/`)}?${kindOf(entry.kind).plainLink}=${entry.id}">See the page as visitors saw it</a>` : null}</p>
<details class="fine"><summary>For programs</summary>Position ${position} of the log: <code>?as_of=${position}</code></details>
<dl class="facts">${facts(entry, namesInTexts(store), store.reader.site().timezone)}</dl>
${names.map((name) => text(name, texts[name] ?? ''))}`;
  return { title: `${title}, as it stood`, depth: 2, main };
}

function facts(entry: StandingEntry, names: AuditNames, zone: string): Html[] {
  const { status, slug, author, date, changedAt, password } = entry;
  const rows: readonly (readonly [string, string])[] = [
    ['Status', statusInWords(status)],
    ['Slug', slug || 'none'],
    ['Author', names.login(author)],
    ['Date', date.replace('T', ' ')],
    ['Last changed', fullTimeText(changedAt, zone)],
    ['Password', password === '' ? 'none' : 'set'],
  ];
  return rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`);
}

function text(name: string, value: string): Html {
  return html`<section aria-labelledby="text-${name}"><h2 id="text-${name}">${name}</h2>
<pre>${withoutBlockComments(value)}</pre>${
    hasBlockComments(value)
      ? html`
<details class="fine"><summary>With the comments of blocks</summary><pre>${value}</pre></details>`
      : null
  }</section>
`;
}
