import type { Schema } from './types.ts';

/** A type in words: `integer, 1 to 100`, `list of string`, `post`. */
export function typeText(schema: Schema): string {
  const { $ref: ref, enum: values, anyOf, oneOf, type } = schema;
  if (typeof ref === 'string') return ref.slice(ref.lastIndexOf('/') + 1);
  const alternatives = anyOf ?? oneOf;
  if (Array.isArray(alternatives)) return alternatives.map((one: Schema) => typeText(one)).join(' or ');
  if ('const' in schema) return JSON.stringify(schema['const']);
  if (Array.isArray(values)) return `one of ${values.map(String).join(', ')}`;
  if (type === undefined) return 'anything';
  const names = [type].flat().map((name) => nameOf(String(name), schema));
  return `${names.join(' or ')}${formatText(schema)}${boundsText(schema)}`;
}

function nameOf(type: string, { items, properties }: Schema): string {
  if (type === 'object' && isSchema(properties)) return `object of ${Object.keys(properties).join(', ')}`;
  if (type !== 'array') return type;
  return isSchema(items) ? `list of ${typeText(items)}` : 'list';
}

function formatText({ format }: Schema): string {
  return typeof format === 'string' ? ` (${format})` : '';
}

function boundsText({ minimum, maximum }: Schema): string {
  if (minimum === undefined) return maximum === undefined ? '' : `, at most ${maximum}`;
  return maximum === undefined ? `, at least ${minimum}` : `, ${minimum} to ${maximum}`;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}
