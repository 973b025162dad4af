import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Site, startSite } from '../support/site.ts';

interface Described {
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly { readonly name?: string; readonly description?: string; readonly schema: object }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
}

let site: Site;
let operations: (readonly [string, Described])[];
beforeAll(async () => {
  site = await startSite();
  const { body } = await site.call('anonymous', 'GET /cms-json/openapi.json');
  operations = Object.entries<Record<string, Described>>(body.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method} ${path}`, operation] as const),
  );
  expect(operations.length).toBeGreaterThan(300);
});
afterAll(() => site.close());

it('every operation and parameter is described', () => {
  const bare = operations.flatMap(([name, { summary, description = '', parameters = [] }]) => [
    ...(description.length > summary.length ? [] : [name]),
    ...parameters.flatMap((one) => (one.name === undefined || one.description ? [] : [`${name} ${one.name}`])),
  ]);
  expect(bare).toEqual([]);
});

it('every default is a value of its schema', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const schemas = operations.flatMap(([name, { parameters = [], requestBody }]) => [
    ...parameters.flatMap((one) => (one.name === undefined ? [] : [[`${name} ${one.name}`, one.schema] as const])),
    ...Object.values(requestBody?.content ?? {}).map(({ schema }) => [name, schema] as const),
  ]);
  const wrong: string[] = [];
  const look = (name: string, schema: object): void => {
    if ('default' in schema && !ajv.validate(schema, schema.default)) wrong.push(name);
    const { properties = {} } = schema as { properties?: Readonly<Record<string, object>> };
    for (const [member, one] of Object.entries(properties)) look(`${name} ${member}`, one);
  };
  for (const [name, schema] of schemas) if (!('$ref' in schema)) look(name, schema);
  expect(wrong).toEqual([]);
});

it('an upload is sent as a form or as bytes, as which alone it can succeed', () => {
  const [, upload] = operations.find(([name]) => name === 'post /cms/v2/media') ?? [];
  expect(Object.keys(upload?.requestBody?.content ?? {})).toEqual(['multipart/form-data', '*/*']);
});
