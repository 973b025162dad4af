import type { Site } from '#domain/site/state.ts';
import { asHtml, type Content, type Html, html } from '#text/html.ts';
import { loadedPlugins } from '../../plugin/loaded.ts';
import { css } from './style.ts';

export interface Sheet {
  readonly title: string;
  /** How many folders below the root the page is: links are relative, so that they work wherever the site is. */
  readonly depth: number;
  readonly main: Content;
  readonly status?: number;
}

const sections: readonly { readonly path: string; readonly title: string }[] = [
  { path: '', title: 'Timeline' },
  { path: 'day', title: 'The site on a day' },
  { path: 'messages', title: 'Messages' },
  ...loadedPlugins.flatMap(({ pages }) => pages),
  { path: 'health', title: 'Health' },
];
/** Path of a section; null: of none. */
export type AuditSection = string | null;

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
