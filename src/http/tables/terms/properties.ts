import { z } from 'zod';
import type { TermKind } from '#domain/term/kinds.ts';
import type { Context } from '../../engine/types.ts';

/** The fields of categories and tags, described once: from here come the arguments of create and update and the schema. */

const all: readonly Context[] = ['view', 'embed', 'edit'];
const full: readonly Context[] = ['view', 'edit'];

export interface PropertyMeta {
  readonly context?: readonly Context[];
  readonly readonly?: true;
}

function described<T extends z.ZodType>(schema: T, description: string, shown: PropertyMeta): T {
  return schema.meta({ ...schema.meta(), description, ...shown }) as T;
}

export function properties(kind: TermKind): Record<string, z.ZodType> {
  return {
    id: described(z.int(), 'Unique identifier for the term.', { context: all, readonly: true }),
    count: described(z.int(), 'Number of published posts for the term.', { context: full, readonly: true }),
    description: described(z.string(), 'HTML description of the term.', { context: full }),
    link: described(z.string().meta({ format: 'uri' }), 'URL of the term.', { context: all, readonly: true }),
    name: described(z.string(), 'HTML title for the term.', { context: all }),
    slug: described(z.string(), 'An alphanumeric identifier for the term unique to its type.', { context: all }),
    taxonomy: described(z.enum([kind.name]), 'Type attribution for the term.', { context: all, readonly: true }),
    ...(kind.hierarchical ? { parent: described(z.int(), 'The parent term ID.', { context: full }) } : {}),
    meta: described(z.object({}), 'Meta fields.', { context: full }),
  };
}
