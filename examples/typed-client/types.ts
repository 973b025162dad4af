// Writes types of the interface from its OpenAPI document: `node types.ts <document> <file>`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';

interface Schema {
  readonly type?: string | readonly string[];
  readonly maxItems?: number;
  readonly anyOf?: unknown;
  readonly 'x-context'?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

const [source = '', target = ''] = process.argv.slice(2);
const document = JSON.parse(readFileSync(source, 'utf8'));
const { schemas } = document.components;
const records = Object.keys(schemas).filter((name) => !name.endsWith('.body'));
document.components.schemas = {
  ...schemas,
  ...Object.fromEntries(records.map((name) => [name, asShown(schemas[name])])),
};
mkdirSync(dirname(target), { recursive: true });
const types = astToString(await openapiTS(document, { defaultNonNullable: false }));
writeFileSync(target, types);
console.log(`${target}: ${Math.ceil(types.length / 1024)} KiB, ${Object.keys(document.paths).length} paths`);

/**
 * A record as it is without `_fields`: what every context shows is always there. An object without members is sent as
 * an empty list, which programs need not tell apart.
 */
function asShown(schema: Schema, contexts = contextsOf(schema)): Schema {
  const { type, maxItems, anyOf, properties, ...rest } = schema;
  const isMap = Array.isArray(type) && type.includes('object') && maxItems === 0;
  const shown = {
    ...rest,
    ...(type === undefined ? {} : { type: isMap ? 'object' : type }),
    ...(anyOf === undefined || type !== undefined ? {} : { anyOf }),
    ...(maxItems === undefined || isMap ? {} : { maxItems }),
  };
  if (properties === undefined) return shown;
  const inAll = Object.entries(properties).filter(([, { 'x-context': own }]) =>
    contexts.every((one) => own?.includes(one)),
  );
  const members = Object.entries(properties).map(([name, one]) => [name, asShown(one, one['x-context'])]);
  const required = contexts.length === 0 ? {} : { required: inAll.map(([name]) => name) };
  return { ...shown, ...required, properties: Object.fromEntries(members) };
}

function contextsOf({ properties = {} }: Schema): readonly string[] {
  return [...new Set(Object.values(properties).flatMap((one) => one['x-context'] ?? []))];
}
