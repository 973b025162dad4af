import { z } from 'zod';

const path = z
  .string()
  .regex(/^[\w.~-]+(\/[\w.~-]+)*$/, 'words of letters, digits and _ . ~ -, with slashes between them');
const address = z.url({ protocol: /^https?$/ });

/** Names of the REST interface, which clients have built in. Each has a default. */
export const interfaceNames = z.strictObject({
  /** Path of the route root, without slashes around it. */
  root: path.default('cms-json'),
  /** Other names of namespaces, by the name that they have in this documentation. */
  namespaces: z.record(path, path).default({}),
  /** What the names of headers begin with, without the last dash. */
  headers: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*$/)
    .default('X-CMS'),
  relations: z
    .strictObject({
      /** What abbreviated relations of links begin with, without the colon. */
      prefix: z
        .string()
        .regex(/^[A-Za-z][\w.-]*$/)
        .default('cms'),
      /** What the abbreviation stands for; `{rel}` is the place of the name behind the colon. */
      address: address
        .refine((text) => text.includes('{rel}'), 'an address with {rel}')
        .default('https://rels.palimpsest.example/{rel}'),
      /** Relation by which pages and answers point to the route root. */
      index: address.default('https://rels.palimpsest.example/index'),
    })
    .prefault({}),
});

export type InterfaceNames = z.infer<typeof interfaceNames>;

export const defaultNames: InterfaceNames = interfaceNames.parse({});

/** The name under which a namespace is served. */
export function namespaceName({ namespaces }: InterfaceNames, name: string): string {
  return namespaces[name] ?? name;
}

/** A relation of this interface, abbreviated: `cms:term`. */
export function relationName({ relations }: InterfaceNames, name: string): string {
  return `${relations.prefix}:${name}`;
}

/** The same in full. */
export function relationAddress({ relations }: InterfaceNames, name: string): string {
  return relations.address.replace('{rel}', name);
}
