import type { z } from 'zod';
import type { Part } from '#domain/entry/parts.ts';
import type { Refusal } from '#domain/kernel/refusal.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { JsonText } from '#text/json.ts';
import type { Fault } from '../../engine/types.ts';

/** How the part of a kind appears as members of `meta`, beside those of every entry. */
export interface PartMeta {
  readonly properties: Readonly<Record<string, z.ZodType>>;
  /** The fault of the members; reported together with other parameters. */
  readonly check?: (meta: unknown) => Fault | null;
  /** The same, reported only if nothing else is wrong. */
  readonly refusal?: (meta: unknown) => Refusal | null;
  /** The sent members under their names in the domain; undefined for none. */
  readonly read: (meta: unknown) => Partial<Part> | undefined;
  /** The members of `meta` as JSON, each preceded by a comma. */
  readonly json?: (row: EntryRow) => JsonText;
}
