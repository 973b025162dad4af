import { z } from 'zod';
import type { Arg } from './types.ts';

type Node = Readonly<Record<string, unknown>>;
export type TypeName = 'array' | 'object' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

/**
 * One parameter or property as the index describes it: the subset of JSON Schema draft 4 that the interface uses, with `required`
 * at the property, as in draft 3. Validation and coercion use the same object that clients see.
 */
export interface Descriptor {
  readonly title?: string;
  readonly description?: string;
  readonly type?: TypeName | readonly TypeName[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly required?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly items?: Descriptor;
  readonly properties?: Readonly<Record<string, Descriptor>>;
  readonly additionalProperties?: boolean | Descriptor;
  readonly oneOf?: readonly Descriptor[];
  /** Keys from `.meta()` that validation ignores: `readonly`, `context` … */
  readonly [extra: string]: unknown;
}

const DROPPED = new Set(['$schema', 'propertyNames', 'required', 'const', 'anyOf', 'properties', 'items']);

/**
 * Converts a schema to its index descriptor. `.meta()` overrides what follows from the schema. Omits bounds that only reflect the
 * integers JavaScript can represent, and patterns that spell out a format.
 */
export function descriptorOf(schema: z.ZodType): Descriptor {
  const known = descriptors.get(schema);
  if (known !== undefined) return known;
  const descriptor = tidied(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }));
  descriptors.set(schema, descriptor);
  return descriptor;
}

/** Many routes share schemas, and several descriptions of the interface use each. */
const descriptors = new WeakMap<z.ZodType, Descriptor>();

/** The same for a parameter: always has `required`, and omits `context` and `readonly` of the field. */
export function argDescriptor<M>(arg: Arg<M>): Descriptor {
  const { context: _, readonly: __, ...descriptor } = withoutAdditions(descriptorOf(arg.schema)) as Descriptor & Node;
  return { ...descriptor, required: arg.required === true };
}

/** The schema of the reference system: without what records have on request alone. */
export function withoutAdditions(schema: Descriptor): Descriptor {
  const { properties } = schema;
  if (properties === undefined) return schema;
  const kept = Object.entries(properties).filter(([, { onRequest }]) => onRequest !== true);
  return { ...schema, properties: Object.fromEntries(kept.map(([name, one]) => [name, withoutAdditions(one)])) };
}

function tidied(node: Node): Descriptor {
  const out: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(node)) {
    if (!DROPPED.has(key) && !isNoise(key, value, node)) Object.assign(out, exclusive(key, value) ?? { [key]: value });
  }
  if ('const' in node) out['enum'] = [node['const']];
  if (isNode(node['items'])) out['items'] = tidied(node['items']);
  if (isNode(node['properties'])) out['properties'] = propertiesOf(node['properties'], node['required']);
  if (isNode(out['additionalProperties'])) out['additionalProperties'] = rest(out['additionalProperties']);
  const alternatives = node['anyOf'];
  return Array.isArray(alternatives) ? { ...either(alternatives.map(tidied)), ...out } : out;
}

/** Draft 4 marks an exclusive bound by a flag beside it. */
function exclusive(key: string, value: unknown): Record<string, unknown> | null {
  if (key === 'exclusiveMinimum') return { minimum: value, exclusiveMinimum: true };
  return key === 'exclusiveMaximum' ? { maximum: value, exclusiveMaximum: true } : null;
}

function isNoise(key: string, value: unknown, node: Node): boolean {
  if (key === 'pattern') return typeof node['format'] === 'string';
  if (key === 'minimum') return value === Number.MIN_SAFE_INTEGER;
  return key === 'maximum' && value === Number.MAX_SAFE_INTEGER;
}

/** Zod lists required names at the object; the interface marks each property. */
function propertiesOf(properties: Node, required: unknown): Record<string, Descriptor> {
  const names: unknown[] = Array.isArray(required) ? required : [];
  const out: Record<string, Descriptor> = {};
  for (const [name, value] of Object.entries(properties)) {
    const property = isNode(value) ? tidied(value) : {};
    out[name] = names.includes(name) ? { ...property, required: true } : property;
  }
  return out;
}

function rest(schema: Node): boolean | Descriptor {
  return Object.keys(schema).length === 0 ? true : tidied(schema);
}

function either(alternatives: readonly Descriptor[]): Descriptor {
  const types = [
    ...new Set(alternatives.flatMap((one): readonly TypeName[] => (one.type === undefined ? [] : [one.type].flat()))),
  ];
  if (alternatives.some((one) => one.title !== undefined)) return { type: types, oneOf: alternatives };
  const merged: Record<string, unknown> = {};
  for (const [key, value] of alternatives.flatMap((one) => Object.entries(one))) {
    if (key !== 'type' && key in merged) return { type: types, oneOf: alternatives };
    merged[key] = value;
  }
  return { ...merged, type: types };
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
