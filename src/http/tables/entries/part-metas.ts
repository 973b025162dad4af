import type { EntryKind } from '#domain/entry/kinds.ts';
import type { EntryPart } from '#domain/entry/part.ts';
import { patternPart } from '#domain/entry/pattern.ts';
import { productPart } from '#domain/entry/product.ts';
import type { PartMeta } from './part-meta.ts';
import { patternMeta } from './pattern.ts';
import { productMeta } from './product.ts';

const metas: ReadonlyMap<EntryPart, PartMeta> = new Map<EntryPart, PartMeta>([
  [productPart, productMeta],
  [patternPart, patternMeta],
]);

/** How the part of a kind appears in `meta`; undefined if it does not. */
export function partMetaOf({ part }: Pick<EntryKind, 'part'>): PartMeta | undefined {
  return part === null ? undefined : metas.get(part);
}
