import type { z } from 'zod';
import type { EntryKind } from '#domain/entry/kinds.ts';
import type { EntryPart, Part } from '#domain/entry/parts.ts';
import { patternPart } from '#domain/entry/pattern.ts';
import { productPart } from '#domain/entry/product.ts';
import type { Refusal } from '#domain/kernel/refusal.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Fault, JsonText } from '../../engine/types.ts';
import { patternMeta } from './pattern.ts';
import { productMeta } from './product.ts';

/** A kind's own part as members of `meta`, beside those of every entry. */
export interface PartMeta {
  readonly properties: Readonly<Record<string, z.ZodType>>;
  /** What is wrong with the members; found with all other parameters. */
  readonly check?: (meta: unknown) => Fault | null;
  /** The same where it is found only after everything else. */
  readonly refusal?: (meta: unknown) => Refusal | null;
  /** The members that were sent, under the names that the domain has for them; undefined for none. */
  readonly read: (meta: unknown) => Partial<Part> | undefined;
  /** What `meta` shows of the part, to follow other members. */
  readonly json?: (row: EntryRow) => JsonText;
}

const metas: ReadonlyMap<EntryPart, PartMeta> = new Map<EntryPart, PartMeta>([
  [productPart, productMeta],
  [patternPart, patternMeta],
]);

/** What `meta` has of a kind's own part. */
export function partMetaOf({ part }: Pick<EntryKind, 'part'>): PartMeta | undefined {
  return part === null ? undefined : metas.get(part);
}
