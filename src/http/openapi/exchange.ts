import { isRef, type Operation, type Parameter, type Schema } from './types.ts';

export interface DescribedExchange {
  readonly request: string;
  /** JSON; null if it is unknown, or not JSON. */
  readonly answer: string | null;
}

export interface Exchanged {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

type Schemas = Readonly<Record<string, Schema>>;

/** Maximum fields that an example requests, so that its response is short but complete; preferably these. */
const maxFields = 5;
const telling = ['id', 'name', 'slug', 'status', 'link', 'date'];
/** What an example write sends if nothing is required. */
const usual = ['title', 'name', 'content', 'status'];

/** Maximum depth of an example. */
const deepest = 4;

export function exchangeOf({ method, path, operation }: Exchanged, base: string, schemas: Schemas): DescribedExchange {
  const [status = '200', shown] = Object.entries(operation.responses).find(([, one]) => !isRef(one)) ?? [];
  const content = shown === undefined || isRef(shown) ? undefined : shown.content?.['application/json'];
  const schema = content?.schema ?? {};
  const record = recordIn(schema, schemas);
  const fields = record === null ? [] : shortFields(record);
  const example = exampleOf(schema, schemas);
  const answer = fields.length === 0 ? example : only(example, fields);
  return {
    request: requestOf({ method, path, operation }, { base, fields, schemas }),
    answer: content === undefined || isUnknown(schema) || status === '204' ? null : JSON.stringify(answer, null, 2),
  };
}

function recordIn(schema: Schema, schemas: Schemas): Schema | null {
  const one = [schema['type']].flat().includes('array') ? (schema['items'] as Schema | undefined) : schema;
  const name = String(one?.['$ref'] ?? '').replace('#/components/schemas/', '');
  return schemas[name] ?? null;
}

function shortFields(record: Schema): readonly string[] {
  const properties = Object.entries((record['properties'] ?? {}) as Schemas);
  const short = properties.filter(([, property]) => {
    const contexts = [property['x-context'] ?? 'view'].flat();
    return contexts.includes('view') && ['string', 'integer', 'boolean'].includes(String([property['type']].flat()[0]));
  });
  const names = short.map(([name]) => name);
  const chosen = new Set([...telling.filter((name) => names.includes(name)), ...names].slice(0, maxFields));
  return properties.length <= maxFields ? [] : names.filter((name) => chosen.has(name));
}

function only(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => only(one, fields));
  const members = Object.entries(value as object);
  return Object.fromEntries(members.filter(([name]) => fields.includes(name)));
}

function isUnknown(schema: Schema): boolean {
  return Object.keys(schema).length === 0;
}

function requestOf(
  { method, path, operation }: Exchanged,
  { base, fields, schemas }: { readonly base: string; readonly fields: readonly string[]; readonly schemas: Schemas },
): string {
  const parameters = operation.parameters.flatMap((one) => (isRef(one) ? [] : [one]));
  const address = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => asText(named(parameters, name), schemas));
  const query = [
    ...parameters.flatMap((one) => (one.in === 'query' && one.required === true ? pair(one, schemas) : [])),
    ...(fields.length === 0 ? [] : [`_fields=${fields.join()}`]),
  ];
  const body = bodyOf(operation, schemas);
  return [
    `curl -u LOGIN:PASSWORD${method === 'GET' ? '' : ` -X ${method}`}`,
    ...(body === null ? [] : [`  -H 'Content-Type: application/json' -d '${body.replaceAll("'", "'\\''")}'`]),
    `  '${base}${address}${query.length === 0 ? '' : `?${query.join('&')}`}'`,
  ].join(' \\\n');
}

function named(parameters: readonly Parameter[], name: string): Parameter | undefined {
  return parameters.find((one) => one.name === name);
}

function pair(parameter: Parameter, schemas: Schemas): string {
  return `${parameter.name}=${asText(parameter, schemas)}`;
}

function asText(parameter: Parameter | undefined, schemas: Schemas): string {
  const value = parameter === undefined ? '' : exampleOf(parameter.schema, schemas, parameter.name);
  return encodeURIComponent(typeof value === 'object' ? [value].flat().join() : String(value));
}

function bodyOf({ requestBody }: Operation, schemas: Schemas): string | null {
  const schema = requestBody?.content['application/json']?.schema;
  if (schema === undefined) return null;
  const body = schemas[String(schema['$ref'] ?? '').replace('#/components/schemas/', '')] ?? schema;
  const properties = Object.entries((body['properties'] ?? {}) as Schemas);
  const required = (body['required'] ?? []) as readonly string[];
  const chosen = properties.filter(([name]) => (required.length > 0 ? required : usual).includes(name));
  if (chosen.length === 0) return null;
  return JSON.stringify(Object.fromEntries(chosen.map(([name, one]) => [name, exampleOf(one, schemas, name)])));
}

/** A value that fits a schema, always the same one. `name`: that of the member it is for. */
function exampleOf(schema: Schema, schemas: Schemas, name = '', depth = 0): unknown {
  const { anyOf, oneOf, ...said } = schema;
  const { $ref: ref, const: only, enum: values, default: usual, items, properties } = said;
  if (typeof ref === 'string')
    return exampleOf(schemas[ref.slice(ref.lastIndexOf('/') + 1)] ?? {}, schemas, name, depth);
  if (only !== undefined) return only;
  if (Array.isArray(values)) return usual ?? values.find((value) => value !== '') ?? values[0];
  const [first] = (anyOf ?? oneOf ?? []) as readonly Schema[];
  if (first !== undefined) return exampleOf({ ...said, ...first }, schemas, name, depth);
  if (usual !== undefined && usual !== null && usual !== '' && !Array.isArray(usual)) return usual;
  switch ([schema['type']].flat().find((type) => type !== 'null')) {
    case 'array':
      return depth < deepest && items !== undefined ? [exampleOf(items as Schema, schemas, name, depth + 1)] : [];
    case 'object':
      return depth < deepest ? membersOf((properties ?? {}) as Schemas, schemas, depth + 1) : {};
    case 'integer':
    case 'number':
      return within(schema, 12);
    case 'boolean':
      return true;
    case 'string':
      return textFor(schema, name);
    default:
      return null;
  }
}

function membersOf(properties: Schemas, schemas: Schemas, depth: number): unknown {
  const members = Object.entries(properties).map(([name, schema]) => [name, exampleOf(schema, schemas, name, depth)]);
  return Object.fromEntries(members);
}

function within({ minimum, maximum }: Schema, usual: number): number {
  return Math.max(Number(minimum ?? usual), Math.min(Number(maximum ?? usual), usual));
}

const byFormat: Readonly<Record<string, string>> = {
  'date-time': '2026-03-01T12:00:00',
  uri: 'https://www.example.com/first-words/',
  email: 'ada@example.org',
  uuid: '0b2c4f0a-8f5e-4d0b-9a57-3c1d2e4f5a6b',
  ip: '192.0.2.7',
  'hex-color': '#336699',
};

const byName: Readonly<Record<string, string>> = {
  title: 'First words',
  content: 'In the beginning',
  name: 'Ada',
  username: 'ada',
  slug: 'first-words',
  search: 'words',
  status: 'publish',
  rendered: 'First words',
  raw: 'First words',
  taxonomy: 'category',
  type: 'post',
  url: 'https://www.example.com/first-words/',
};

function textFor({ format, pattern, minLength }: Schema, name: string): string {
  const text = byFormat[String(format)] ?? byName[name] ?? 'words';
  if (typeof pattern === 'string' && !new RegExp(pattern, 'u').test(text)) return fitting(pattern, text);
  return text.padEnd(Number(minLength ?? 0), '.');
}

/** One of a few texts that match a pattern; `text` if none does. */
function fitting(pattern: string, text: string): string {
  const known = [...Object.values(byFormat), '2026-03-01T12:00:00.000Z', '12', 'a', '1:30', 'a'.repeat(64)];
  return known.find((one) => new RegExp(pattern, 'u').test(one)) ?? text;
}
