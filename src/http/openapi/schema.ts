import type { Descriptor } from '../engine/descriptor.ts';
import type { Schema } from './types.ts';

/** What a descriptor says in another way than JSON Schema 2020-12, or what has no place in it. */
const OWN = new Set(['$schema', 'links', 'required', 'readonly', 'context', 'properties', 'items', 'oneOf']);

/** A descriptor as the index has it, in the dialect of OpenAPI 3.1. */
export function schemaOf(descriptor: Descriptor): Schema {
  const { properties, items, oneOf, additionalProperties, readonly: isReadonly, context } = descriptor;
  const required = Object.entries(properties ?? {}).filter(([, property]) => property.required === true);
  return {
    ...Object.fromEntries(Object.entries(descriptor).filter(([key]) => !OWN.has(key))),
    ...(isReadonly === true ? { readOnly: true } : {}),
    ...(context === undefined ? {} : { 'x-context': context }),
    ...(items === undefined ? {} : { items: schemaOf(items) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map(schemaOf) }),
    ...(properties === undefined ? {} : { properties: mapped(properties) }),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: schemaOf(additionalProperties) } : {}),
    ...(required.length === 0 ? {} : { required: required.map(([name]) => name) }),
  };
}

function mapped(properties: Readonly<Record<string, Descriptor>>): Schema {
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, schemaOf(property)]));
}
