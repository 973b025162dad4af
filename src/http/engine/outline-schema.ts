import type { z } from 'zod';
import { descriptorOf } from './descriptors.ts';
import { recordSchema } from './field.ts';
import { described } from './property.ts';
import type { Context } from './types.ts';

/** A field that only appears in a schema, never in records. */
type Outlined = readonly [schema: z.ZodType, description: string, context?: readonly Context[]];

const everywhere: readonly Context[] = ['view', 'edit', 'embed'];

export function outlineSchema(title: string, fields: Readonly<Record<string, Outlined>>): () => unknown {
  return () =>
    recordSchema(
      title,
      Object.fromEntries(
        Object.entries(fields).map(([name, [schema, description, context = everywhere]]) => [
          name,
          descriptorOf(described(schema, description, { context })),
        ]),
      ),
    );
}
