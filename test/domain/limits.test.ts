import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { codec } from '#catalogue/events.ts';
import { limited, misfit } from '#domain/kernel/limits.ts';

interface Shape {
  readonly [key: string]: unknown;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly additionalProperties?: Shape | boolean;
}

/** Places of a schema where a text or list of any length fits. */
function unlimited(shape: Shape, place: string): string[] {
  if (shape['maxLength'] !== undefined || shape['enum'] !== undefined || shape['const'] !== undefined) return [];
  const inside = [
    ...Object.entries(shape.properties ?? {}).flatMap(([name, one]) => unlimited(one, `${place}.${name}`)),
    ...(shape.items === undefined ? [] : unlimited(shape.items, `${place}[]`)),
    ...[...(shape.anyOf ?? []), ...(shape.oneOf ?? [])].flatMap((one) => unlimited(one, place)),
  ];
  const isOpen =
    shape.type === 'string' ||
    (shape.type === 'array' && shape['maxItems'] === undefined) ||
    typeof shape.additionalProperties === 'object' ||
    (shape.type === undefined && shape.anyOf === undefined && shape.oneOf === undefined);
  return isOpen ? [place, ...inside] : inside;
}

const shapeOf = (schema: z.ZodType) => z.toJSONSchema(schema, { unrepresentable: 'any' }) as Shape;

describe('the limits of events', () => {
  it('are given for every text and list that enters the log', () => {
    const found = codec.definitions.flatMap(({ type, schema }) => unlimited(shapeOf(schema), type));
    expect(found).toEqual([]);
  });

  it.each([
    ['a text', z.object({ a: z.string() }), ['a']],
    ['a list', z.object({ a: z.array(z.int()) }), ['a']],
    ['a text in a list', z.object({ a: limited.list(z.string()) }), ['a[]']],
    ['a text in a union', z.object({ a: z.union([z.int(), z.string()]) }), ['a']],
    ['a map', z.object({ a: z.record(z.string(), z.int()) }), ['a']],
    ['JSON', z.object({ a: z.json() }), ['a']],
    ['texts with limits', z.object({ a: limited.word, b: limited.list(limited.name), c: limited.sized(z.json()) }), []],
  ])('are missing where the schema has %s without one', (_, schema, expected) => {
    const found = new Set(unlimited(shapeOf(schema), '').map((place) => place.slice(1)));
    expect([...found].filter((place) => !place.startsWith('__'))).toEqual(expected);
  });

  it('refuse what is longer, and say which field and how long it may be', () => {
    const definition = codec.definitions.find(({ type }) => type === 'UserPasswordIssued');
    if (definition === undefined) throw new Error('the event is unknown');
    const data = (name: string) => ({ id: 1, password: 'p', name, digest: 'd' });
    const refusal = (name: string) => misfit(definition, { type: definition.type, data: data(name) });
    expect(refusal('x'.repeat(200))).toBeNull();
    expect(refusal('x'.repeat(201))).toMatchObject({
      code: 'db_insert_error',
      message: 'The name has more than 200 characters.',
    });
  });
});
