import { asHtml, type Html, html } from '#text/html.ts';
import type { SourceNotice } from '#wxr/records.ts';
import { tableColumns } from '../output.ts';
import type { ImportCounts, ImportRemark } from './importer.ts';

/** What a plan, an import or a comparison found, for whoever owns the site. */
export interface MigrationReport {
  readonly what: 'plan' | 'import' | 'comparison';
  /** Whether nothing differs, or nothing was left out. */
  readonly isGood: boolean;
  readonly source: string;
  readonly title: string;
  readonly target: string;
  /** UTC, ISO 8601. */
  readonly at: string;
  /** The answer in a sentence or two. */
  readonly summary: readonly string[];
  readonly counts: ImportCounts;
  /** What was not imported, or differs, and why. */
  readonly remarks: readonly ImportRemark[];
  /** What has another id, slug or account here. */
  readonly changes: readonly ImportRemark[];
  readonly notices: readonly SourceNotice[];
}

/** Where a report is noted in the log of the site, and what was signed then. */
export interface ReportSeal {
  readonly position: number;
  /** Signed checkpoint of the log. */
  readonly note: string;
}

const titles = { plan: 'Plan of a move', import: 'Report of a move', comparison: 'Proof of a move' };
const words: Readonly<Record<string, string>> = {
  attachment: 'files',
  author: 'accounts',
  comment: 'comments',
  nav_menu_item: 'items of menus',
  note: 'notes',
  page: 'pages',
  picture: 'pictures that stood in texts',
  post: 'posts',
  product: 'products',
  revision: 'revisions',
  settings: 'settings of the site',
  styles: 'styles of the site',
  template: 'templates',
  term: 'terms',
  wp_block: 'patterns',
  wp_navigation: 'navigations',
};
const columns: Readonly<Record<string, string>> = {
  comes: 'come',
  made: 'new',
  changed: 'changed',
  same: 'the same as before',
  matched: 'here already',
  kept: 'changed here, left',
  refused: 'not imported',
  unread: 'carried along unread',
  equal: 'equal',
  differs: 'different',
};
/** Lines of a list in the text form; the page and the JSON have all. */
const shownLines = 20;

function kindName(kind: string): string {
  return words[kind] ?? kind;
}

/** The report as text. */
export function moveReportText(report: MigrationReport): string {
  const { source, title, target, at, summary, remarks, changes, notices } = report;
  const lines = [
    `${titles[report.what]}: ${title === '' ? source : `${title} (${source})`} → ${target}, ${at.slice(0, 16).replace('T', ' ')} UTC`,
    '',
    ...tableColumns(rowsOf(report)),
    ...listed('Not everything:', remarks.map(remarkLine)),
    ...listed('Other than at the source:', changes.map(remarkLine)),
    ...listed('Repaired or left out while reading:', notices.map(noticeLine)),
    '',
    ...summary,
  ];
  return lines.join('\n');
}

function listed(title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const more = lines.length - shownLines;
  return [
    '',
    title,
    ...lines.slice(0, shownLines).map((line) => `  ${line}`),
    ...(more > 0 ? [`  … and ${more} more: --html FILE has all`] : []),
  ];
}

function rowsOf({ counts }: MigrationReport): string[][] {
  const used = Object.keys(columns).filter((name) => Object.values(counts).some((row) => row[name] !== undefined));
  const head = ['', ...used.map((name) => columns[name] ?? name)];
  return [
    head,
    ...Object.entries(counts).map(([kind, row]) => [kindName(kind), ...used.map((name) => numbered(row[name]))]),
  ];
}

function numbered(count: number | undefined): string {
  return count === undefined ? '–' : count.toLocaleString('en');
}

function remarkLine({ key, message }: ImportRemark): string {
  return `${key}: ${message}`;
}

function noticeLine({ place: { file, line }, message }: SourceNotice): string {
  return `${file}${line > 0 ? `:${line}` : ''}: ${message}`;
}

const style = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1d1b16;background:#fdfcf8}
table{border-collapse:collapse}td,th{padding:.25rem .75rem;border-bottom:1px solid #ddd6c6;text-align:right}
td:first-child,th:first-child{text-align:left}.verdict{font-size:1.3rem;padding:.75rem 1rem;border-left:.4rem solid #4b7a4b;background:#eef5ea}
.verdict.bad{border-color:#a8442f;background:#f9ebe6}pre,code,li{overflow-wrap:anywhere}pre{white-space:pre-wrap;background:#f4f0e4;padding:.75rem}
dt{font-weight:600}dd{margin:0 0 .5rem}`;

/** What the columns mean. */
const meanings: Readonly<Record<string, string>> = {
  matched: 'The new site had an account or term of this name before; it was taken, and not changed.',
  unread: 'The new site has no use for it, or could not take it: it is kept as it is, and an export gives it back.',
  kept: 'Somebody has changed it on the new site since it was imported, so that was left.',
  equal: 'Every field is what it is at the source; of files, every byte.',
};

/** A report as it is noted: what its digest is of. */
export function sealedText(report: MigrationReport): string {
  return JSON.stringify(report).replaceAll('<', '\\u003c');
}

/** The report as a page of its own. */
export function reportPage(report: MigrationReport, seal: ReportSeal | null): string {
  const { source, title, target, at, summary, remarks, changes, notices, isGood, counts } = report;
  const [head = [], ...rows] = rowsOf(report);
  const name = title === '' ? source : title;
  const list = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? null : html`<h2>${heading}</h2><ul>${lines.map((line) => html`<li>${line}</li>`)}</ul>`;
  const [verdict = '', ...rest] = summary;
  const used = Object.entries(meanings).filter(([column]) => Object.values(counts).some((row) => row[column]));
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${titles[report.what]}: ${name}</title><style>${style}</style></head>
<body><h1>${titles[report.what]}</h1>
<p>${name} (${source}) → ${target}, ${at.slice(0, 16).replace('T', ' ')} UTC</p>
<p class="verdict${isGood ? '' : ' bad'}">${isGood ? '✓' : '✗'} ${verdict}</p>
${rest.map((line) => html`<p>${line}</p>`)}
<table><thead><tr>${head.map((cell) => html`<th>${cell}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table>
${used.length === 0 ? null : html`<dl>${used.map(([column, meaning]) => html`<dt>${columns[column] ?? column}</dt><dd>${meaning}</dd>`)}</dl>`}
${list('Not everything', remarks.map(remarkLine))}
${list('Other than at the source', changes.map(remarkLine))}
${list('Repaired or left out while reading', notices.map(noticeLine))}
${seal === null ? null : sealOf(seal)}
<script type="application/json" id="report">${asHtml(sealedText(report))}</script>
</body></html>
`;
  return page.markup;
}

function sealOf({ position, note }: ReportSeal): Html {
  return html`<h2>Noted and signed</h2>
<p>The new site has noted this result at position ${position} of its log, with the SHA-256 of this report (the text of the element
<code>report</code> in this page). <code>prove event ${position} --out result.proof.json</code> writes a file with which anybody can check that, and
when it was noted. The log was signed then:</p>
<details><summary>Signed checkpoint</summary><pre>${note}</pre></details>`;
}
