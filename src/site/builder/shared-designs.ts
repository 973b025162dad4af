import { createHash, createHmac } from 'node:crypto';
import { builderSalt } from '#domain/plugins/salt/area.ts';
import { isShared, sharedDesigns } from '#domain/plugins/shared-designs/area.ts';
import type { Model } from '#projections/reading/model.ts';
import type { FullDesign } from './design.ts';
import { designNamed } from './designs.ts';

/** The design shown at an address; null if there is none. */
export function sharedDesign(hash: string, model: Model, now: number): FullDesign | null {
  const shared = model.plugin(sharedDesigns, shareOf(hash));
  return isShared(shared, now) ? anyDesign(shared.design, model) : null;
}

export function designSignature(text: string, model: Model): string {
  return createHmac('sha256', model.plugin(builderSalt).salt).update(text).digest('hex');
}

export function shareOf(hash: string): string {
  return createHash('sha256').update(hash).digest('hex');
}

export function anyDesign(id: string, model: Model): FullDesign | null {
  return designNamed(id, model, id.startsWith('page-'));
}
