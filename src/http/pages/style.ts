import { stylesOf } from '#catalogue/plugins.ts';
import { pluginReader } from '#commands/plugin-model.ts';
import { siteStyles } from '#domain/site-styles/area.ts';
import type { Model } from '#projections/reading/model.ts';
import { sheetOf } from '#text/block-styles.ts';
import { asHtml, type Html, html } from '#text/html.ts';
import { siteSheet } from '#text/site-sheet.ts';
import { declared } from './themes/all.ts';
import { blockSheet } from './themes/block-sheet.ts';
import { pageSheet } from './themes/page-sheet.ts';
import { plainTokens } from './themes/tokens.ts';

const aroundContent = ':is(body > header, body > footer)';

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
