import type { Schema } from './types.ts';

export type Schemas = Readonly<Record<string, Schema>>;

/** Maximum depth of an example. */
const deepest = 4;

/** A value that fits a schema, always the same one. `name`: that of the member it is for. */
export function exampleOf(schema: Schema, schemas: Schemas, name = '', depth = 0): unknown {
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
