import { createHash } from 'node:crypto';
import { decodeReferences } from '#blocks/references.ts';
import { type ClassRule, isBalanced, sheetText } from '#blocks/supports/style-rule.ts';
import { stylesOf } from '#catalogue/plugins.ts';
import { pluginReader } from '#commands/plugin-model.ts';
import { cacheAssets } from '#domain/page-assets/area.ts';
import { type AssetKind, type AssetVariant, assetVariants } from '#domain/page-assets/slots.ts';
import { assetQueue } from '#projections/plugins/asset-queue.ts';
import type { Model } from '#projections/reading/model.ts';
import type { Item } from '#site/items/item.ts';
import { sheetOf, withoutComments } from '#text/block-styles.ts';
import { asHtml, type Content, html } from '#text/html.ts';

/** Styles of the blocks on the page, and those that a service found necessary for it. `rules`: of the classes in its content. */
export function stylesFor({ id, type }: Item, rules: readonly ClassRule[], model: Model): Content {
  if (type === 'attachment') return null;
  const own = sheet(sheetText(rules));
  return [
    own,
    sheet(blockSheet(id, model)),
    ...assetVariants.map((variant) => sheet(serviceSheet(id, variant, model))),
  ];
}

export function withFirstImages(content: string, { id, type }: Item, model: Model): string {
  if (type === 'attachment') return content;
  const first = new Set(assetVariants.flatMap((variant) => listed(delivered(id, { kind: 'vpi', variant }, model))));
  if (first.size === 0) return content;
  return content.replace(/<img\b[^<>]*>/gi, (element) => {
    const source = /\ssrc="([^"]*)"/i.exec(element)?.[1];
    if (source === undefined || !first.has(decodeReferences(source))) return element;
    const rest = element.replace(/\s(?:loading|fetchpriority)="[^"]*"/gi, '');
    return `<img fetchpriority="high"${rest.slice('<img'.length)}`;
  });
}

function blockSheet(id: number, model: Model): string {
  return sheetOf(stylesOf(pluginReader(model), { entry: id }), '.content');
}

/** Width from which the desktop variant applies. */
const DESKTOP = '48rem';
const media = { desktop: `(width >= ${DESKTOP})`, mobile: `(width < ${DESKTOP})` } as const;

function serviceSheet(id: number, variant: AssetVariant, model: Model): string {
  const kinds = ['ccss', 'ucss'] as const;
  const sheets = kinds.flatMap((kind) => text(delivered(id, { kind, variant }, model)));
  // In comments, a service explains why it made nothing.
  const said = sheets.map((one) => withoutComments(one).trim()).filter((one) => one !== '');
  const harmless = said.filter((one) => isBalanced(one) && !/<\/|<!|@import|@charset|javascript:/i.test(one));
  return harmless.length === 0 ? '' : `@media ${media[variant]} { ${harmless.join('\n')} }`;
}

/** What a service delivered for the current page; null if the page has changed since and waits again. */
function delivered(entry: number, slot: { kind: AssetKind; variant: AssetVariant }, model: Model) {
  const asset = model.plugin(cacheAssets, String(entry))[`${slot.kind} ${slot.variant}`];
  if (
    asset === undefined ||
    model
      .present()
      .of(assetQueue)
      .waits({ entry, ...slot })
  )
    return null;
  const { hash, data } = asset;
  return createHash('sha256').update(JSON.stringify(data)).digest('hex') === hash ? data : null;
}

function text(data: string | readonly string[] | null): readonly string[] {
  return typeof data === 'string' ? [data] : [];
}

function listed(data: string | readonly string[] | null): readonly string[] {
  return data === null || typeof data === 'string' ? [] : data;
}

function sheet(css: string): Content {
  return css === '' ? null : html`<style>\n${asHtml(css)}\n</style>\n`;
}
