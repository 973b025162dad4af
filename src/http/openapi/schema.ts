import { z } from 'zod';
import type { Descriptor } from '../engine/descriptors.ts';
import type { Schema } from './types.ts';

export interface SchemaRegistry {
  /**
   * Stores a schema and returns a reference to it; an equal one is stored only once. Uses the first of the names that no other
   * schema has, or adds a number to the last.
   */
  readonly put: (names: readonly string[], schema: Schema) => Schema;
  readonly schemas: () => Readonly<Record<string, Schema>>;
}

/** Keywords that JSON Schema 2020-12 expresses differently, or lacks. */
const OWN = new Set([
  '$schema',
  'onRequest',
  'default',
  'links',
  'required',
  'readonly',
  'context',
  'properties',
  'items',
  'oneOf',
]);
const BOUNDS = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']);

/** Formats whose values may be empty. */
const EMPTY_FORMATS: ReadonlySet<unknown> = new Set(['uri', 'email']);

/** Translates an index descriptor to the dialect of OpenAPI 3.1. */
export function schemaOf(descriptor: Descriptor): Schema {
  return translated(descriptor, schemaOf);
}

/** The schema of a request: a text with raw and rendered members may be sent as a string. */
export function sentSchema(descriptor: Descriptor): Schema {
  const schema = translated(descriptor, sentSchema);
  if (!isText(descriptor)) return schema;
  const { description, 'x-context': context, properties, ...rest } = schema;
  const writable = Object.entries(properties as Record<string, Schema>).filter(([, { readOnly }]) => readOnly !== true);
  return {
    ...(description === undefined ? {} : { description }),
    ...(context === undefined ? {} : { 'x-context': context }),
    anyOf: [{ type: 'string' }, { ...rest, properties: Object.fromEntries(writable) }],
  };
}

/** Most dates are in the site's time zone and have no offset, so `date-time` would be wrong. */
const DATE_TIME = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)?$';
/** Formats whose values may be empty. */
const OFTEN_EMPTY = new Set(['uri', 'email', 'ip']);

/** Ids that may be null, although the schema of OPTIONS allows only numbers. */
const OFTEN_NULL = new Set(['post']);
/** Statuses that only the server sets, so the schema of OPTIONS does not list them. */
const GIVEN = ['trash', 'inherit'];

/** Schemas that others refer to, by their titles: each contains itself. */
const shared = ['block'];

export function shownSchema(descriptor: Descriptor, name = ''): Schema {
  if (shared.includes(descriptor.title ?? '')) return { $ref: `#/components/schemas/${descriptor.title}` };
  const { format, minLength: _, ...schema } = translated(descriptor, shownSchema);
  const { enum: values, type } = schema;
  if (OFTEN_NULL.has(name)) return { ...schema, type: [type, 'null'].flat() };
  if (Array.isArray(values) && values.includes('private')) return { ...schema, enum: [...values, ...GIVEN] };
  if (format === 'date-time') return { ...schema, type: ['string', 'null'], pattern: DATE_TIME };
  if (typeof format === 'string' && OFTEN_EMPTY.has(format)) {
    return {
      ...schema,
      anyOf: [{ format: format === 'ip' ? 'ipv4' : format }, { type: ['string', 'null'], maxLength: 0 }],
    };
  }
  // A map without members is sent as an empty list. What has no name here is a record, and never one: generators would lose its fields.
  if (name !== '' && schema['type'] === 'object' && isMap(descriptor)) {
    const { type: __, ...rest } = schema;
    return { ...rest, type: ['object', 'array'], maxItems: 0 };
  }
  return format === undefined ? schema : { ...schema, format };
}

type Translate = (descriptor: Descriptor, name?: string) => Schema;

function translated(descriptor: Descriptor, next: Translate): Schema {
  const { properties, items, oneOf, additionalProperties, readonly: isReadonly, context } = descriptor;
  const required = Object.entries(properties ?? {}).filter(
    ([, property]) => property.required === true && isAlways(property),
  );
  return {
    ...Object.fromEntries(Object.entries(descriptor).filter(([key]) => !OWN.has(key) && !BOUNDS.has(key))),
    ...defaultOf(descriptor),
    ...bounds(descriptor),
    ...(isReadonly === true ? { readOnly: true } : {}),
    ...(context === undefined ? {} : { 'x-context': context }),
    ...(items === undefined ? {} : { items: next(items) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map((one) => next(requiring(one, required))) }),
    ...(properties === undefined ? {} : { properties: mapped(properties, next) }),
    ...(typeof additionalProperties === 'object' ? { additionalProperties: next(additionalProperties) } : {}),
    ...(required.length === 0 ? {} : { required: required.map(([name]) => name) }),
  };
}

/** The default as a value of its schema; none if it is not one: in the index, `null` stands for none, and one word for a list of it. */
function defaultOf({ default: usual, type, enum: values }: Descriptor): Schema {
  const types = [type ?? []].flat();
  if (usual === undefined || (usual === null && !types.includes('null'))) return {};
  if (values !== undefined && !values.includes(usual)) return {};
  return { default: types.length === 1 && types[0] === 'array' && !Array.isArray(usual) ? [usual] : usual };
}

/** The mark is about writing: a record has the field only where its context shows it. */
function isAlways({ context }: Descriptor): boolean {
  return !Array.isArray(context) || context.includes('embed');
}

function requiring(descriptor: Descriptor, required: readonly (readonly [string, Descriptor])[]): Descriptor {
  const { properties } = descriptor;
  if (properties === undefined || required.length === 0) return descriptor;
  const own = required.flatMap(([name]) => {
    const property = properties[name];
    return property === undefined ? [] : [[name, { ...property, required: true }] as const];
  });
  return { ...descriptor, properties: { ...properties, ...Object.fromEntries(own) } };
}

function bounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Descriptor): Schema {
  return {
    ...(minimum === undefined ? {} : { [exclusiveMinimum === true ? 'exclusiveMinimum' : 'minimum']: minimum }),
    ...(maximum === undefined ? {} : { [exclusiveMaximum === true ? 'exclusiveMaximum' : 'maximum']: maximum }),
  };
}

function mapped(properties: Readonly<Record<string, Descriptor>>, next: Translate): Schema {
  return Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, next(property, name)]));
}

function isText({ type, properties }: Descriptor): boolean {
  return type === 'object' && properties !== undefined && 'raw' in properties;
}

function isMap({ properties = {} }: Descriptor): boolean {
  return !('rendered' in properties) && !('raw' in properties);
}

/** A zod schema without simplification, including alternatives and tuples. `io`: of what is sent, or of what is shown. */
export function exactSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...exact } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ jsonSchema }) => {
      const { format, minimum, maximum, properties = {}, additionalProperties: others } = jsonSchema;
      // In languages with an index type the named members have to be of that type, too.
      if (typeof others === 'object' && Object.keys(others).length > 0 && Object.keys(properties).length > 0) {
        delete jsonSchema.additionalProperties;
      }
      if (minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (!EMPTY_FORMATS.has(format)) return;
      delete jsonSchema.format;
      jsonSchema.anyOf = [{ format: String(format) }, { maxLength: 0 }];
    },
  });
  return exact as Schema;
}

export function createSchemaRegistry(): SchemaRegistry {
  const schemas = new Map<string, Schema>();
  return {
    put(wanted, schema) {
      const text = JSON.stringify(schema);
      const isFree = (name: string) => !schemas.has(name) || JSON.stringify(schemas.get(name)) === text;
      const names = wanted.map((name) => name.replaceAll(/[^\w.-]+/g, '-').replaceAll(/^-+|(?<!-)-+$/g, ''));
      let name = names.find(isFree);
      for (let i = 2; name === undefined; i += 1) name = [`${names.at(-1)}-${i}`].find(isFree);
      schemas.set(name, schema);
      return { $ref: `#/components/schemas/${name}` };
    },
    schemas: () => Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
