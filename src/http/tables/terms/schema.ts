import type { TermKind } from '#domain/term/kinds.ts';
import { descriptorOf } from '../../engine/descriptors.ts';
import { properties } from './properties.ts';

/** The record schema that OPTIONS answers (interface behaviour, section 24). */
export function termSchema(kind: TermKind): unknown {
  const fields = Object.entries(properties(kind));
  return {
    $schema: 'http://json-schema.org/draft-04/schema#',
    title: kind.title,
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, schema]) => [name, descriptorOf(schema)])),
  };
}
