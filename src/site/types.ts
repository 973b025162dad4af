import type { DescribedType } from '#domain/entry/content-type.ts';
import { type EntryKind, entryKinds, product } from '#domain/entry/kinds.ts';
import { extensions, hasShop } from '#domain/extensions/area.ts';
import { mediaType } from '#domain/media/types.ts';
import { designTypes } from '#domain/templates/content-type.ts';
import type { Model } from '#projections/reading/model.ts';

/** Types that exist but are never shown: only the server makes their items. */
const hidden: ReadonlySet<string> = new Set(['revision']);

export function typesOf(model: Model): readonly DescribedType[] {
  return [...presentKinds(model).map(describe), mediaType, ...designTypes];
}

/** The type with a name; `hidden`: it exists but is never shown. */
export function typeOf(slug: string, model: Model): DescribedType | 'hidden' | undefined {
  if (hidden.has(slug)) return 'hidden';
  return typesOf(model).find((type) => type.slug === slug);
}

/** Kinds of entries that the site currently has: products only while the shop is on. */
export function presentKinds(model: Model): readonly EntryKind[] {
  const isOpen = hasShop(model.plugin(extensions));
  return entryKinds.filter((kind) => kind !== product || isOpen);
}

function describe(kind: EntryKind): DescribedType {
  const { name: slug, base, hierarchical, taxonomies, type, rights } = kind;
  return { ...type, slug, base, hierarchical, taxonomies, edit: rights.edit };
}
