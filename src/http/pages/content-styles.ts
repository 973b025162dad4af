import { baseRules } from '#blocks/supports/layout-base.ts';
import { type ClassRule, sheetText } from '#blocks/supports/style-rule.ts';
import { siteStyles } from '#domain/site-styles/area.ts';
import type { Model } from '#projections/reading/model.ts';
import { presetSettings } from '#text/default-presets.ts';
import { blockSheetOf, presetSheet, siteSheet, widthsIn } from '#text/site-sheet.ts';
import { declared, plainTokens } from './themes/all.ts';
import { blockSheet, buttonLook } from './themes/block-sheet.ts';

/** A rendered text, and the rules that its classes stand for. */
interface StyledText {
  readonly html: string;
  readonly rules: readonly ClassRule[];
}

const WIDTHS = '--wp--style--global--';

/** The styles of a text: of its layouts and elements, of the presets that it names, and what the site sets for its blocks. */
export function contentStyles({ html, rules }: StyledText, model: Model): string {
  const site = model.plugin(siteStyles);
  const own = sheetText([...baseRules(html), ...rules]);
  const ofSite = blockSheetOf(site, html);
  const used = `${html}${own}${ofSite}`;
  const presets = presetSheet([presetSettings, site.settings ?? {}], used);
  const widths = used.includes(WIDTHS) ? globalWidths(model) : '';
  return [widths, presets, ofSite, own].filter((part) => part !== '').join('\n');
}

/** The styles that all texts share: of the blocks, and of the site. */
export function wholeSheet(model: Model): string {
  const site = siteSheet(model.plugin(siteStyles));
  const buttons = `.wp-element-button { font: 1rem/1.4 var(--sans); ${buttonLook} }`;
  return [`:root { ${declared(plainTokens)}; }`, globalWidths(model), buttons, blockSheet.trim(), site].join('\n');
}

function globalWidths(model: Model): string {
  const { content = plainTokens.width, wide = plainTokens.wide } = widthsIn(model.plugin(siteStyles));
  return `:root { ${WIDTHS}content-size: ${content}; ${WIDTHS}wide-size: ${wide}; }`;
}
