import { createHash, createHmac } from 'node:crypto';
import type { HiddenPage, PluginReader } from 'palimpsest/plugin';
import type { FullDesign } from './design.ts';
import { type DesignSource, designNamed } from './designs.ts';
import { builderSalt } from './salt.ts';
import { isShared, sharedDesigns } from './shared-area.ts';

/** A shared design at its secret address. */
export const sharedDesign: HiddenPage = {
  path: 'shared-designs/(?P<hash>[\\da-f]{64})',
  show({ now, params, ...site }) {
    const shared = site.model.document(sharedDesigns, shareOf(String(params['hash'])));
    const design = isShared(shared, now) ? anyDesign(shared.design, site) : null;
    return design && { title: design.label, content: design.content };
  },
};

export function designSignature(text: string, { document }: Pick<PluginReader, 'document'>): string {
  return createHmac('sha256', document(builderSalt).salt).update(text).digest('hex');
}

export function shareOf(hash: string): string {
  return createHash('sha256').update(hash).digest('hex');
}

export function anyDesign(id: string, site: DesignSource): FullDesign | null {
  return designNamed(id, site, id.startsWith('page-'));
}
