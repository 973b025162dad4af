import { kindOf } from '#domain/entry/kinds.ts';
import { productPart } from '#domain/entry/product.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import { productMetaJson } from '../../entries/parts.ts';

/** Custom fields of an entry as `meta` shows them. */
export function metaOf(row: EntryRow): ReadonlyMap<string, unknown> {
  const meta = new Map<string, unknown>([['footnotes', row.footnotes]]);
  if (kindOf(row.kind).part !== productPart) return meta;
  const sold = JSON.parse(`{${productMetaJson(row).slice(1)}}`) as Record<string, unknown>;
  for (const [name, value] of Object.entries(sold)) meta.set(name, value);
  return meta;
}
