import { siteStyles } from '#domain/plugins/site-styles/area.ts';
import { placeKey, themeStyles } from '#domain/plugins/theme-styles/area.ts';
import type { Model } from '#projections/model.ts';
import { sheetOf } from '#text/block-styles.ts';
import { siteSheet } from '#text/site-sheet.ts';
import { asHtml, type Html, html } from './html.ts';
import { tokensOf } from './themes/all.ts';

/** Widgets are the parts of a page above and below its content. */
const aroundContent = ':is(body > header, body > footer)';

/** Designed for reading: one column, in the colours, fonts and widths of the theme. */
export function pageStyle(model: Model): Html {
  const tokens = Object.entries(tokensOf(model));
  return asHtml(`<style>
:root { color-scheme: light dark; ${tokens
    .map(([name, value]) => `--${name}: ${value}`)
    .join('; ')}; font: 1.0625rem/1.6 var(--font); }
body { background: var(--back); color: var(--text); margin: 0 auto; max-width: var(--width); padding: var(--space) 1.25rem 3rem; overflow-wrap: break-word; }
body > header, body > footer { font-size: .9375rem; }
body > header { border-bottom: 1px solid var(--line); margin-bottom: 2rem; padding-bottom: .75rem; }
body > header p, .meta, .meta p { margin: 0; }
.name { font-size: 1.125rem; font-weight: 600; }
body > footer { border-top: 1px solid var(--line); margin-top: 3rem; padding-top: .75rem; }
a { color: var(--accent); }
nav ul, nav ol { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none; margin: .5rem 0 0; padding: 0; }
nav ol { font-size: .9375rem; margin: 0 0 1rem; }
nav ol li + li::before { content: "/"; margin-inline-end: 1rem; opacity: .8; }
[aria-current] { font-weight: 600; }
h1, h2, h3 { line-height: 1.25; text-wrap: balance; }
h1 { font-size: 1.875rem; margin: 0 0 .5rem; }
h2 { font-size: 1.375rem; margin: 2rem 0 .25rem; }
h2 small { border: 1px solid var(--line); border-radius: .25rem; font-size: .75rem; padding: 0 .375rem; vertical-align: middle; }
.meta { font-size: .9375rem; opacity: .8; }
.content { margin: var(--space) 0 2rem; }
img, video, iframe, svg { max-width: 100%; }
img, video { height: auto; }
pre, table { display: block; overflow-x: auto; }
figure { margin: var(--space) 0; }
blockquote { border-inline-start: 3px solid var(--line); margin: var(--space) 0; padding-inline-start: 1rem; }
nav.more { display: flex; gap: 1rem; justify-content: space-between; margin-top: 2.5rem; }
label { display: block; font-weight: 600; }
input, textarea, button { font: inherit; padding: .25rem .5rem; }
.comments ol { list-style: none; padding: 0; }
.comments ol ol { border-inline-start: 1px solid var(--line); margin-inline-start: .5rem; padding-inline-start: 1rem; }
.comments li { margin: 1.25rem 0; }
.comments article .content { margin: .25rem 0; }
.comments .avatar { border-radius: 50%; vertical-align: middle; }
.comment input:not([type=hidden]), .comment textarea { box-sizing: border-box; width: 100%; }
form[role=search] { margin: .75rem 0; }
.trap { left: -100rem; position: absolute; }
.contact-form input, textarea { box-sizing: border-box; width: 100%; }
.skip { position: absolute; left: -100rem; }
.skip:focus { position: static; }
@media print { nav, form, .skip { display: none; } a { color: inherit; } }
</style>`);
}

/** Styles that editors set for all pages; they precede those of a single page. */
export function siteStyle(model: Model): Html | null {
  const widgets = model.plugin(themeStyles, placeKey({ scope: 'widget', post: 0 })).styles;
  const sheet = [siteSheet(model.plugin(siteStyles)), sheetOf(widgets, aroundContent)].filter(Boolean).join('\n');
  return sheet === '' ? null : html`<style>\n${asHtml(sheet)}\n</style>\n`;
}

export const frameStyle: Html = asHtml(`<style>
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { border: 1px solid GrayText; box-sizing: border-box; margin: 0; min-height: 100vh; overflow-wrap: break-word; padding: 1rem 1.25rem; }
h1 { font-size: 1.25rem; line-height: 1.25; margin: 0 0 .5rem; }
p { margin: 0 0 .5rem; }
.meta { font-size: .875rem; opacity: .8; }
</style>`);
