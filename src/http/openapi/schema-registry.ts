import type { Schema } from './types.ts';

export interface SchemaRegistry {
  /**
   * Stores a schema and returns a reference to it; an equal one is stored only once. Uses the first of the names that no other
   * schema has, or adds a number to the last.
   */
  readonly put: (names: readonly string[], schema: Schema) => Schema;
  readonly schemas: () => Readonly<Record<string, Schema>>;
}

export function createSchemaRegistry(): SchemaRegistry {
  const schemas = new Map<string, Schema>();
  return {
    put(wanted, schema) {
      const text = JSON.stringify(schema);
      const isFree = (name: string) => !schemas.has(name) || JSON.stringify(schemas.get(name)) === text;
      const names = wanted.map((name) => name.replaceAll(/[^\w.-]+/g, '-').replaceAll(/^-+|-+$/g, ''));
      let name = names.find(isFree);
      for (let i = 2; name === undefined; i += 1) name = [`${names.at(-1)}-${i}`].find(isFree);
      schemas.set(name, schema);
      return { $ref: `#/components/schemas/${name}` };
    },
    schemas: () => Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
