import { stylesOf } from '#catalogue/plugins.ts';
import { pluginReader } from '#commands/plugin-model.ts';
import { siteStyles } from '#domain/site-styles/area.ts';
import type { Model } from '#projections/reading/model.ts';
import { sheetOf } from '#text/block-styles.ts';
import { asHtml, type Html, html } from '#text/html.ts';
import { siteSheet } from '#text/site-sheet.ts';
import { declared, plainTokens } from './themes/all.ts';
import { blockSheet, buttonLook } from './themes/block-sheet.ts';

const aroundContent = ':is(body > header, body > footer)';

/** Styles of the frame of pages, of texts, lists, forms and comments. */
const pageSheet = `:root { color-scheme: light dark; --rule: color-mix(in srgb, var(--line) 45%, transparent); }
*, ::before, ::after { box-sizing: border-box; }
body { background: var(--back); color: var(--text); display: flex; flex-direction: column; font: var(--size)/1.6 var(--font); margin: 0; min-height: 100vh; overflow-wrap: break-word; }
body > header, body > footer { font: .9375rem/1.5 var(--sans); padding: 1.25rem max(1.25rem, 50% - var(--wide) / 2); }
body > header { align-items: baseline; background: repeating-linear-gradient(transparent 0 1.4375rem, var(--rule) 1.4375rem 1.5rem); border-bottom: 3px double var(--line); display: flex; flex-wrap: wrap; gap: .25rem 2rem; padding-block: 2rem 1.25rem; }
body > header p { margin: 0; }
body > header p + p { color: var(--muted); font: italic 1.0625rem/1.5 var(--font); }
body > header nav { flex-basis: 100%; margin-top: .5rem; }
.name { font: 600 clamp(1.75rem, 1.4rem + 1.6vw, 2.5rem)/1.2 var(--font); letter-spacing: -.01em; text-shadow: .09em .07em 0 color-mix(in srgb, var(--accent) 18%, transparent); }
.name a { color: inherit; text-decoration: none; }
body > footer { border-top: 3px double var(--line); color: var(--muted); display: flex; flex-wrap: wrap; gap: 1rem 2rem; justify-content: space-between; margin-top: auto; padding-block: 1.5rem 2.5rem; }
body > footer p { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; margin: 0; }
main { container-type: inline-size; padding-block: clamp(1.5rem, 5vw, 3.5rem); }
body > main > * { margin-inline: auto; width: min(100% - 2.5rem, var(--width)); }
body > main > .list { width: min(100% - 2.5rem, var(--wide)); }
a { color: var(--accent); text-decoration-thickness: .06em; text-underline-offset: .18em; }
a:hover { text-decoration-thickness: .12em; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
nav ul, nav ol { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: 0; padding: 0; }
nav ol { font: .9375rem var(--sans); margin: 0 0 1rem; }
nav ol li + li::before { color: var(--muted); content: "/"; margin-inline-end: 1.25rem; }
body > header nav a { color: inherit; text-decoration-color: transparent; }
body > header nav a:is(:hover, [aria-current]) { color: var(--accent); text-decoration-color: currentColor; }
body > header ul ul { font-size: .875rem; }
[aria-current] { font-weight: 600; }
h1, h2, h3, h4, h5, h6 { font-weight: 600; line-height: 1.2; margin: 2em 0 .5em; text-wrap: balance; }
h1 { font-size: clamp(2rem, 1.5rem + 2.6vw, 3.25rem); letter-spacing: -.015em; margin: 0 0 .35em; }
h2 { font-size: 1.625em; }
h3 { font-size: 1.3em; }
h4 { font-size: 1.125em; }
h5, h6 { font-size: 1em; }
h6 { color: var(--muted); }
p, ul, ol, dl, pre, table, figure, blockquote, details { margin: 0 0 var(--space); }
p { text-wrap: pretty; }
li::marker { color: var(--accent); }
hr { border: 0; border-top: 1px solid var(--line); margin: calc(var(--space) * 2) auto; }
img, video, iframe, svg, audio { max-width: 100%; }
img, video { height: auto; }
img { border-radius: var(--radius); vertical-align: middle; }
figcaption { color: var(--muted); font: .875rem/1.45 var(--sans); margin-top: .5rem; text-align: center; }
blockquote { border-inline-start: 3px solid var(--accent); margin-inline: 0; padding-inline-start: 1.25rem; }
blockquote > :last-child, td > :last-child { margin-bottom: 0; }
cite { color: var(--muted); display: block; font: .9375rem var(--sans); }
p cite { display: inline; font: inherit; font-style: italic; }
code, kbd, samp, pre { font-family: var(--mono); font-size: .875em; }
:not(pre) > code, kbd { background: var(--raised); border-radius: .25rem; padding: .1em .3em; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: var(--radius); overflow-x: auto; padding: 1rem 1.25rem; tab-size: 2; }
table { border-collapse: collapse; display: block; font: .9375em/1.5 var(--sans); max-width: 100%; overflow-x: auto; width: fit-content; }
th, td { border-bottom: 1px solid var(--line); padding: .5rem .75rem; text-align: start; vertical-align: top; }
thead th { border-bottom-width: 2px; }
summary { cursor: pointer; font-weight: 600; }
mark { background: color-mix(in srgb, var(--accent) 22%, transparent); color: inherit; }
.meta, .price { color: var(--muted); font: .9375rem/1.5 var(--sans); }
.meta a { color: inherit; }
.content { margin-top: calc(var(--space) * 1.25); }
.content > h2:first-child, .content > h3:first-child { margin-top: 0; }
.lead { margin: calc(var(--space) * 1.25) 0; }
.lead img { display: block; width: 100%; }
.lead + .content { margin-top: 0; }
.tags { border-top: 1px solid var(--line); margin-top: calc(var(--space) * 2); padding-top: 1rem; }
.tags p { margin: 0 0 .5rem; }
.list > h1 { color: var(--accent); font-size: clamp(1.25rem, 1.1rem + .6vw, 1.5rem); letter-spacing: 0; }
.posts {
display: grid; gap: 2.5rem 2rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 18rem), 1fr)); margin-top: 1.5rem;
article { align-content: start; display: grid; position: relative; }
h2 { font-size: 1.3125rem; margin: .875rem 0 .25rem; }
h2 a { color: inherit; text-decoration: none; }
h2 a::after { content: ""; inset: 0; position: absolute; }
article:hover h2 a { color: var(--accent); text-decoration: underline; }
p { -webkit-box-orient: vertical; -webkit-line-clamp: 4; display: -webkit-box; font-size: 1rem; line-height: 1.5; align-self: start; margin: .5rem 0 0; overflow: hidden; }
.meta { display: block; font-size: .875rem; margin: 0; }
.meta a { position: relative; }
img, .initial { aspect-ratio: 3 / 2; height: auto; object-fit: cover; order: -1; width: 100%; }
}
.initial { align-items: center; background: repeating-linear-gradient(transparent 0 1.4375rem, var(--rule) 1.4375rem 1.5rem), var(--raised); border-radius: var(--radius); color: var(--accent); display: flex; font-size: 5rem; justify-content: center; line-height: 1; text-shadow: .09em .07em 0 color-mix(in srgb, var(--accent) 22%, transparent); }
small { border: 1px solid; border-radius: 1rem; color: var(--accent); font: 600 .6875rem/1 var(--sans); padding: .2em .6em; vertical-align: middle; white-space: nowrap; }
@media (width >= 56rem) {
.posts.first article:first-child {
column-gap: 2.5rem; grid-column: 1 / -1; grid-template: auto auto 1fr / 3fr 2fr;
img, .initial { grid-row: 1 / 4; }
h2 { font-size: 2.125rem; margin-top: 0; }
}
}
nav.more {
border-top: 1px solid var(--line); display: flex; font: 1rem/1.4 var(--sans); gap: 2rem; justify-content: space-between; margin-block: calc(var(--space) * 2); padding-top: 1rem;
a { max-width: 48%; text-decoration: none; }
a:hover { text-decoration: underline; }
:last-child { text-align: end; }
}
label { display: block; font: 600 .9375rem/1.5 var(--sans); }
input, textarea, select, button, .wp-element-button { font: 1rem/1.4 var(--sans); }
input:not([type=checkbox], [type=radio], [type=submit]), textarea, select { background: var(--back); border: 1px solid var(--muted); border-radius: var(--radius); color: inherit; max-width: 100%; padding: .5rem .75rem; }
button, input[type=submit], .wp-element-button { ${buttonLook} }
:is(button, input[type=submit], .wp-element-button):hover { filter: brightness(1.12); }
main form > p, main form > label { margin-bottom: 1rem; }
:is(.comment, .contact-form, .comment-form) :is(input:not([type=hidden], [type=submit]), textarea) { width: 100%; }
form[role=search] { align-items: center; display: flex; flex-wrap: wrap; gap: .5rem; }
form[role=search] input { flex: 1; min-width: 0; }
.list form[role=search] { margin-bottom: 1.5rem; }
[role=alert], [role=status] { border-inline-start: 3px solid var(--accent); padding-inline-start: .75rem; }
.comments {
border-top: 1px solid var(--line); margin-top: calc(var(--space) * 2); padding-top: 1px;
& > h2 { font-size: 1.375rem; margin: 1.5rem 0 1rem; }
ol { list-style: none; margin: 0; padding: 0; }
ol ol { border-inline-start: 2px solid var(--line); margin-inline-start: .9375rem; padding-inline-start: 1.25rem; }
li { margin: 1.5rem 0; }
li p { margin: 0 0 .5rem; }
.content { font-size: 1.0625rem; margin: .25rem 0; }
}
.avatar { border-radius: 50%; }
.trap, .skip, .screen-reader-text { left: -100rem; position: absolute; }
.skip:focus { background: var(--back); left: 1rem; padding: .5rem; top: 1rem; z-index: 9; }
@media print {
:root { color-scheme: light; --back: #fff; --size: 11pt; }
nav, form, .skip, .initial, body > footer, body > header p + p, .comments li article > p:last-child, .comments:not(:has(li)) { display: none !important; }
body > header { background: none; padding: 0 0 .5rem; }
.name { font-size: 1.25rem; text-shadow: none; }
body > main > *, body > main > .list { width: 100%; }
a { color: inherit; }
h1, h2, h3, figure, tr { break-inside: avoid; }
h1, h2, h3 { break-after: avoid; }
}
`;

/** The sheet of all pages, in the colours, fonts and widths of the first theme. */
export const pageStyle: Html = asHtml(
  `<style>\n:root { ${declared(plainTokens)}; }\n${compact(pageSheet + blockSheet)}\n</style>`,
);

/** Styles that editors set for all pages; they precede those of a single page. */
export function siteStyle(model: Model): Html | null {
  const around = sheetOf(stylesOf(pluginReader(model), 'around'), aroundContent);
  const sheet = [siteSheet(model.plugin(siteStyles)), around].filter(Boolean).join('\n');
  return sheet === '' ? null : html`<style>\n${asHtml(sheet)}\n</style>\n`;
}

export const frameStyle: Html = asHtml(`<style>
:root { color-scheme: light dark; ${declared(plainTokens)}; font: 1rem/1.5 var(--font); }
body { background: var(--back); border: 1px solid var(--line); box-sizing: border-box; color: var(--text); margin: 0; min-height: 100vh; overflow-wrap: break-word; padding: 1rem 1.25rem; }
h1 { font-size: 1.25rem; line-height: 1.25; margin: 0 0 .5rem; }
p { margin: 0 0 .5rem; }
a { color: var(--accent); text-underline-offset: .18em; }
.meta { color: var(--muted); font: .875rem/1.5 var(--sans); }
</style>`);

/** A sheet without the blanks that only its readers need. */
function compact(sheet: string): string {
  return sheet
    .replace(/\s*([{};]|(?<= )>(?= ))\s*/g, '$1')
    .replace(/([,:])\s+/g, '$1')
    .replaceAll(';}', '}')
    .trim();
}
