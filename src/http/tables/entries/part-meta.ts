import type { z } from 'zod';
import type { Part } from '#domain/entry/parts.ts';
import type { Refusal } from '#domain/kernel/refusal.ts';
import type { EntryRow } from '#projections/entries/row.ts';
import type { Fault, JsonText } from '../../engine/types.ts';

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
