import { createHash } from 'node:crypto';
import type { Site } from '#domain/site/state.ts';
import { loadedPlugins } from '#plugin/loaded.ts';
import { asHtml, type Content, type Html, html } from '#text/html.ts';

export interface Sheet {
  readonly title: string;
  /** How many folders below the root the page is: links are relative, so that they work wherever the site is. */
  readonly depth: number;
  readonly main: Content;
  readonly status?: number;
  /** Seconds after which a browser asks for it again. Default: never. */
  readonly refresh?: number;
}

/** Path of the site as visitors saw it; a position or a moment follows. */
export const visitRoot = 'site/';

/** Path of a section; null: of none. */
export type AuditSection = string | null;

const sections: readonly { readonly path: string; readonly title: string }[] = [
  { path: '', title: 'Timeline' },
  { path: 'day', title: 'The site on a day' },
  { path: 'public', title: 'What was public' },
  { path: 'logins', title: 'Log-ins' },
  { path: 'messages', title: 'Messages' },
  ...loadedPlugins.flatMap(({ pages }) => pages),
  { path: 'health', title: 'Health' },
];

/** Designed for long lists: quiet and dense, in the reader's own fonts and colour scheme. */
export const css = `
:root {
  color-scheme: light dark;
  --ink: light-dark(#1d2430, #e4e7ec);
  --soft: light-dark(#596273, #9da7b6);
  --paper: light-dark(#f6f5f2, #14171c);
  --sheet: light-dark(#ffffff, #1c2027);
  --line: light-dark(#dedbd3, #333a45);
  --edge: light-dark(#8b93a1, #6f7a8a);
  --accent: light-dark(#1f4fa3, #9cc1ff);
  --on-accent: light-dark(#ffffff, #10203c);
  --added: light-dark(#e3f4e5, #16301d);
  --added-strong: light-dark(#b4e0ba, #24572f);
  --removed: light-dark(#fdeaea, #391d20);
  --removed-strong: light-dark(#f6c3c3, #6b2c31);
  --notice: light-dark(#fff5d9, #33290f);
  font: 1rem/1.5 system-ui, sans-serif;
}
* { box-sizing: border-box; }
body { background: var(--paper); color: var(--ink); margin: 0 auto; max-width: 68rem; overflow-wrap: anywhere; padding: 0 1.25rem 4rem; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { border-radius: 3px; outline: 3px solid var(--accent); outline-offset: 2px; }
.top { align-items: baseline; border-bottom: 1px solid var(--line); display: grid; gap: .25rem 2rem; grid-template-columns: minmax(0, 1fr) auto; margin-bottom: 2rem; padding: 1rem 0 0; }
.top nav { grid-column: 1 / -1; grid-row: 2; overflow-x: auto; }
.top ul { display: flex; gap: 0 1.5rem; list-style: none; margin: 0; padding: 0; }
.top nav a { border-bottom: 3px solid transparent; color: inherit; display: inline-block; padding: .375rem 0 .5rem; text-decoration: none; white-space: nowrap; }
.top nav a:hover { border-color: var(--edge); }
.top nav a[aria-current] { border-color: var(--accent); font-weight: 600; }
.name { font-weight: 700; margin: 0; }
.name a { color: inherit; text-decoration: none; }
.name span { color: var(--soft); font-weight: 400; }
.account { align-items: baseline; display: flex; gap: .75rem; }
.account p { color: var(--soft); margin: 0; }
.account button { background: none; border: 0; color: var(--accent); min-height: 0; padding: .375rem 0; text-decoration: underline; text-underline-offset: .15em; }
.login { background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; display: grid; gap: 1rem; max-width: 26rem; padding: 1.25rem; }
h1, h2 { line-height: 1.25; text-wrap: balance; }
h1 { font-size: 1.75rem; margin: 0 0 1rem; }
h2 { font-size: 1.0625rem; margin: 2rem 0 .75rem; }
h2::first-letter, .crumb::first-letter, dt::first-letter { text-transform: uppercase; }
.crumb { color: var(--soft); margin: 0 0 .25rem; }
.fine, .kind, .sep { color: var(--soft); }
.fine { font-size: .875rem; }
.fine a { color: inherit; }
code, pre, .diff td { font: .875em/1.55 ui-monospace, "Cascadia Mono", Menlo, monospace; }
.filters { align-items: end; background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; display: grid; gap: .75rem 1rem; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); margin-bottom: 1.5rem; padding: 1rem; }
.field, .buttons { margin: 0; }
.buttons { display: flex; gap: .5rem; }
label { display: block; font-size: .875rem; font-weight: 600; margin-bottom: .25rem; }
input, select, button, .button { background: var(--sheet); border: 1px solid var(--edge); border-radius: 6px; color: var(--ink); font: inherit; line-height: 1.4; min-height: 2.5rem; padding: .4375rem .625rem; }
input, select { width: 100%; }
::placeholder { color: var(--soft); opacity: 1; }
button, .button { cursor: pointer; display: inline-block; font-weight: 600; padding-inline: 1rem; text-decoration: none; }
button { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.button:hover { border-color: var(--accent); }
.day h2 { background: var(--paper); margin-bottom: .5rem; padding: .375rem 0; position: sticky; top: 0; }
.acts { background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; list-style: none; margin: 0; padding: 0; }
.act { display: grid; gap: 0 1.25rem; grid-template-columns: 5rem minmax(0, 1fr) auto; padding: .75rem 1rem; }
.act + .act { border-top: 1px solid var(--line); }
.act p { margin: 0; }
.act ul { list-style: none; margin: .125rem 0 .25rem; padding: 0; }
.act .values { margin-left: 1rem; }
summary { cursor: pointer; }
.activity svg { background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; display: block; height: auto; margin: .75rem 0; width: 100%; }
.legend { display: flex; flex-wrap: wrap; font-size: .875rem; gap: .25rem 1rem; list-style: none; margin: 0 0 1rem; padding: 0; }
.swatch { border-radius: 3px; display: inline-block; height: .75rem; margin-right: .375rem; width: .75rem; }
.p0 { background: #4269d0; fill: #4269d0; }
.p1 { background: #efb118; fill: #efb118; }
.p2 { background: #3ca951; fill: #3ca951; }
.p3 { background: #ff725c; fill: #ff725c; }
.p4 { background: #a463f2; fill: #a463f2; }
.p5 { background: #9498a0; fill: #9498a0; }
.values { color: var(--soft); font-size: .875rem; }
.more-filters { align-self: center; }
.more-filters[open] { display: grid; gap: .75rem 1rem; grid-column: 1 / -1; }
.act code { color: var(--soft); font-size: .8125em; margin-left: .375rem; }
.act .more { margin-left: .375rem; white-space: nowrap; }
.time { color: var(--soft); font-variant-numeric: tabular-nums; }
.about a { text-decoration: none; }
.about a:hover { text-decoration: underline; }
.about .who { color: inherit; font-weight: 600; }
.about strong { font-weight: 600; }
.act .fine { font-size: .8125rem; text-align: right; }
.erased, .ahead { background: var(--notice); border-radius: 4px; font-style: normal; padding: 0 .375rem; }
.notice { background: var(--notice); border: 1px solid var(--line); border-radius: 10px; margin: 1rem 0; padding: .75rem 1rem; }
.neighbours { display: flex; gap: 1rem; justify-content: space-between; margin: 1.5rem 0; }
.versions, .facts { background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; display: grid; gap: .75rem 1.5rem; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); margin: 0; padding: 1rem; }
.facts div:has(.hash) { grid-column: 1 / -1; }
.hash { user-select: all; }
dt { color: var(--soft); font-size: .875rem; }
dd { margin: 0; }
.verdict { font-weight: 600; }
.verdict label { font: inherit; }
progress { accent-color: var(--accent); margin-right: .75rem; max-width: 60%; width: 24rem; }
.wide { position: relative; background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
:not(.wide) > table { display: block; overflow-x: auto; }
th, td { border-top: 1px solid var(--line); padding: .5rem .75rem; text-align: start; vertical-align: top; }
thead th { border-top: 0; color: var(--soft); font-size: .875rem; font-weight: 600; }
tbody th { font-weight: 500; min-width: 14rem; }
td { white-space: nowrap; }
.kind { font-size: .875rem; font-weight: 400; }
.diff { min-width: 34rem; table-layout: fixed; }
.compare { grid-template-columns: 1fr 1fr auto; }
.diff td { border-top: 0; height: 1.75rem; padding: .125rem .75rem; white-space: pre-wrap; }
.diff.reading td { font: inherit; }
.diff td + td, .diff th + th { border-left: 1px solid var(--line); }
.diff .removed { background: var(--removed); }
.diff .added { background: var(--added); }
.diff .none { background: var(--paper); }
.diff del, .diff ins { border-radius: 3px; color: inherit; padding: .0625rem 0; }
.diff del { background: var(--removed-strong); text-decoration-color: var(--edge); }
.diff ins { background: var(--added-strong); text-decoration: none; }
.diff .skipped td { background: var(--paper); color: var(--soft); padding-block: .375rem; text-align: center; }
td.reading, td.version { white-space: normal; }
td.version { min-width: 16rem; white-space: pre-line; }
.blame td:first-child { min-width: 6.5rem; white-space: normal; width: 13rem; }
.blame tr:not(.paragraph) .reading { border-top-style: dotted; }
.restore { display: inline-block; margin: 0; }
pre { background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; margin: 0; padding: 1rem; white-space: pre-wrap; }
.chips { display: flex; flex-wrap: wrap; gap: .5rem; list-style: none; margin: .75rem 0 0; padding: 0; }
.chips a { background: var(--sheet); border: 1px solid var(--line); border-radius: 99px; display: block; padding: .25rem .875rem; text-decoration: none; }
.chips a:hover { border-color: var(--accent); }
.badge { border: 1px solid var(--edge); border-radius: 99px; font-size: .875rem; padding: .0625rem .625rem; }
.badge.publish { background: var(--added); border-color: transparent; }
.badge.trash { background: var(--removed); border-color: transparent; }
.end { border-top: 1px solid var(--line); color: var(--soft); font-size: .875rem; margin-top: 3rem; }
.skip { left: -100rem; position: absolute; }
.skip:focus { background: var(--sheet); left: 1rem; padding: .5rem 1rem; top: .5rem; z-index: 1; }
.hidden { clip-path: inset(50%); height: 1px; overflow: hidden; position: absolute; white-space: nowrap; width: 1px; }
@media (max-width: 40rem) {
  body { padding-inline: .875rem; }
  .act { grid-template-columns: minmax(0, 1fr); }
  .act .fine { text-align: left; }
  .act .more { margin-left: 0; }
  .diff { min-width: 0; }
  .diff td { font-size: .8125rem; padding-inline: .375rem; }
  .filters { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .compare { grid-template-columns: minmax(0, 1fr); }
  .filters .field:nth-child(n + 5), .buttons { grid-column: 1 / -1; }
}
@media print { .account, .filters, .neighbours, .top nav { display: none; } }
`;

/** The source by which a content security policy allows the style sheet. */
export const stylePolicy = `'sha256-${createHash('sha256').update(css).digest('base64')}'`;

/** The pieces of a complete page; `section` is the one it belongs to. */
export function sheetDocument(
  { title, depth, main }: Sheet,
  section: AuditSection,
  { site, account }: { readonly site: Site; readonly account: string | undefined },
): readonly string[] {
  const link = linker(depth);
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Audit of ${site.name}</title>
<style>${asHtml(css)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top">
<p class="name"><a href="${link('')}">${site.name} <span>Audit</span></a></p>
<nav aria-label="Audit"><ul>
${sections.map(({ path, title: name }) => html`<li><a href="${link(path)}"${current(path === section)}>${name}</a></li>\n`)}</ul></nav>
${account === undefined ? null : html`<form class="account" method="post" action="${link('logout')}"><p>${account}</p><button>Log out</button></form>\n`}</header>
<main id="main">
${main}
</main>
<footer class="end"><p>Times are by the clock of the site (${site.timezone}).</p></footer>
</body>
</html>
`.pieces;
}

export function linker(depth: number): (path: string) => string {
  const up = '../'.repeat(depth);
  return (path) => up + path || './';
}

/** A query string of the values that are set, with its question mark; '' if none are. */
export function queryOf(values: Readonly<Record<string, string | number | null | undefined>>): string {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(Object.fromEntries(set.map(([name, value]) => [name, String(value)]))).toString();
  return text === '' ? '' : `?${text}`;
}

/** Links to the neighbouring pages of a list by their cursors; null if there are none. */
export function sheetNeighbours(
  label: string,
  { newer, older }: { readonly newer: number | null; readonly older: number | null },
  addressOf: (cursor: { readonly before?: number; readonly after?: number }) => string,
): Html | null {
  if (newer === null && older === null) return null;
  const link = (rel: string, address: string | null, text: string) =>
    address === null ? html`<span></span>` : html`<a class="button" rel="${rel}" href="${address}">${text}</a>`;
  const [before, after] = [older && addressOf({ before: older }), newer && addressOf({ after: newer })];
  return html`<nav class="neighbours" aria-label="${label}">${link('prev', after || null, '← Newer')}${link('next', before || null, 'Older →')}</nav>`;
}

function current(is: boolean): Html | null {
  return is ? asHtml(' aria-current="page"') : null;
}
