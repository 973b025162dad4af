import type { Schema } from './types.ts';

/** Schemas that are referred to by name. */
export interface Shelf {
  /** Puts a schema away and answers a reference to it; one that is there already is not put there twice. */
  readonly put: (name: string, schema: Schema) => Schema;
  readonly schemas: () => Readonly<Record<string, Schema>>;
}

export function createShelf(): Shelf {
  const schemas = new Map<string, Schema>();
  return {
    put(wanted, schema) {
      const text = JSON.stringify(schema);
      const base = wanted.replaceAll(/[^\w.-]+/g, '-').replaceAll(/^-+|-+$/g, '');
      let name = base;
      for (let i = 2; schemas.has(name) && JSON.stringify(schemas.get(name)) !== text; i += 1) name = `${base}-${i}`;
      schemas.set(name, schema);
      return { $ref: `#/components/schemas/${name}` };
    },
    schemas: () => Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}
