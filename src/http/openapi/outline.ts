import { codesByStatus } from '../message/problem.ts';
import { type DescribedExchange, exchangeOf } from './exchange.ts';
import { type Document, isRef, type MediaObject, type Operation, type Response, type Schema } from './types.ts';

/** The description in reading order; page and Markdown are made from it. */
export interface Outline {
  readonly title: string;
  readonly description: string;
  readonly base: string;
  readonly shared: readonly OutlineRow[];
  readonly sections: readonly Section[];
  readonly records: readonly OutlineTable[];
  readonly errors: readonly Problem[];
}

export interface Problem {
  readonly status: string;
  readonly note: string;
  readonly codes: readonly string[];
}

export interface Section {
  readonly name: string;
  readonly description: string;
  readonly entries: readonly OutlineEntry[];
}

export interface OutlineEntry {
  readonly methods: readonly string[];
  readonly path: string;
  readonly summary: string;
  readonly parameters: readonly OutlineRow[];
  readonly body: readonly OutlineRow[];
  readonly answers: readonly OutlinedAnswer[];
  readonly refusals: readonly string[];
  readonly exchange: DescribedExchange;
}

export interface OutlinedAnswer {
  readonly status: string;
  readonly types: readonly string[];
  /** What the response contains: `list of post`. */
  readonly shows: string;
}

export interface OutlineTable {
  readonly name: string;
  readonly rows: readonly OutlineRow[];
}

export interface OutlineRow {
  readonly name: string;
  /** Where it is sent; for a field of a record, the contexts in which it is shown. */
  readonly where: string;
  readonly type: string;
  readonly note: string;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

export function outlineOf(document: Document): Outline {
  const { info, servers, tags, components } = document;
  const records = Object.entries(components.schemas).filter(([name]) => !/\.body(-\d+)?$/.test(name));
  return {
    title: info.title,
    description: info.description,
    base: servers[0]?.url ?? '',
    shared: Object.values(components.parameters).map(({ name, in: where, description = '', schema }) => ({
      name,
      where,
      type: typeText(schema),
      note: description,
    })),
    sections: tags.map(({ name, description }) => ({ name, description, entries: entriesOf(document, name) })),
    records: records.map(([name, schema]) => ({ name, rows: fieldRows(schema) })),
    errors: problemsOf(document),
  };
}

function problemsOf({ paths, components }: Document): readonly Problem[] {
  const codes = codesByStatus();
  const named = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap(({ responses }) => Object.entries(responses)),
  );
  const notes = new Map(
    named.flatMap(([status, response]) => {
      const name = isRef(response) ? response.$ref.replace('#/components/responses/', '') : '';
      const note = components.responses[name]?.description;
      return note === undefined || !/^[45]/.test(status) ? [] : [[status, note] as const];
    }),
  );
  const statuses = [...new Set([...notes.keys(), ...[...codes.keys()].map(String)])].sort();
  return statuses.map((status) => ({ status, note: notes.get(status) ?? '', codes: codes.get(Number(status)) ?? [] }));
}

function entriesOf({ paths, components, servers }: Document, tag: string): readonly OutlineEntry[] {
  return Object.entries(paths).flatMap(([path, item]) => {
    const alike = new Map<string, string[]>();
    for (const method of methods) {
      const operation = item[method];
      if (operation === undefined || !operation.tags.includes(tag)) continue;
      const { operationId: _, ...same } = operation;
      const key = JSON.stringify(same);
      alike.set(key, [...(alike.get(key) ?? []), method]);
    }
    return [...alike.values()].flatMap((group) => {
      const operation = item[group[0] ?? ''];
      return operation === undefined
        ? []
        : [entryOf(path, group, { operation, schemas: components.schemas, base: servers[0]?.url ?? '' })];
    });
  });
}

function entryOf(
  path: string,
  group: readonly string[],
  { operation, schemas, base }: { operation: Operation; schemas: Readonly<Record<string, Schema>>; base: string },
): OutlineEntry {
  const parameters = operation.parameters.flatMap((parameter) => (isRef(parameter) ? [] : [parameter]));
  const body = operation.requestBody?.content['application/json']?.schema;
  return {
    methods: group.map((method) => method.toUpperCase()),
    path,
    summary: operation.summary,
    parameters: parameters.map(({ name, in: where, required, description = '', schema }) => ({
      name,
      where,
      type: typeText(schema),
      note: noteOf(schema, { description, required: required === true && where !== 'path' }),
    })),
    body: body === undefined ? [] : bodyRows(resolved(body, schemas)),
    answers: Object.entries(operation.responses).flatMap(([status, response]) =>
      isRef(response) ? [] : [answerOf(status, response)],
    ),
    refusals: Object.keys(operation.responses).filter((status) => /^[45]/.test(status)),
    exchange: exchangeOf({ method: (group[0] ?? '').toUpperCase(), path, operation }, base, schemas),
  };
}

function answerOf(status: string, { content = {} }: Response): OutlinedAnswer {
  const [first] = Object.values<MediaObject>(content);
  return { status, types: Object.keys(content), shows: first === undefined ? 'nothing' : typeText(first.schema) };
}

function bodyRows(schema: Schema): readonly OutlineRow[] {
  return propertyRows(schema, () => 'body');
}

function fieldRows(schema: Schema): readonly OutlineRow[] {
  return propertyRows(schema, (property) => [property['x-context'] ?? []].flat().join(', '));
}

function propertyRows(schema: Schema, where: (property: Schema) => string): readonly OutlineRow[] {
  const required = (schema['required'] ?? []) as readonly string[];
  return Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Schema>>).map(([name, property]) => ({
    name,
    where: where(property),
    type: typeText(property),
    note: noteOf(property, { description: String(property['description'] ?? ''), required: required.includes(name) }),
  }));
}

function noteOf(schema: Schema, said: { readonly description: string; readonly required: boolean }): string {
  const fallback = schema['default'];
  const isSaid = fallback !== undefined && fallback !== null && JSON.stringify(fallback) !== '[]';
  return [
    said.required ? 'Required.' : '',
    said.description,
    isSaid ? `Default: ${typeof fallback === 'string' ? fallback : JSON.stringify(fallback)}.` : '',
    schema['readOnly'] === true ? 'Read only.' : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function resolved(schema: Schema, schemas: Readonly<Record<string, Schema>>): Schema {
  const name = String(schema['$ref'] ?? '').replace('#/components/schemas/', '');
  return schemas[name] ?? schema;
}

/** A type in words: `integer, 1 to 100`, `list of string`, `post`. */
function typeText(schema: Schema): string {
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
