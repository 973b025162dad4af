import { z } from 'zod';

const path = z
  .string()
  .regex(/^[\w.~-]+(\/[\w.~-]+)*$/, 'words of letters, digits and _ . ~ -, with slashes between them');
const address = z.url({ protocol: /^https?$/ });

export const interfaceNames = z.strictObject({
  /** Path of the API root, without surrounding slashes. */
  root: path.default('cms-json'),
  namespaces: z.record(path, path).default({}),
  /** Prefix of header names, without the last dash. */
  headers: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*$/)
    .default('X-CMS'),
  relations: z
    .strictObject({
      /** Prefix of abbreviated link relations, without the colon. */
      prefix: z
        .string()
        .regex(/^[A-Za-z][\w.-]*$/)
        .default('cms'),
      /** Expansion of the prefix; `{rel}` is replaced by the part after the colon. */
      address: address
        .refine((text) => text.includes('{rel}'), 'an address with {rel}')
        .default('https://rels.palimpsest.example/{rel}'),
      index: address.default('https://rels.palimpsest.example/index'),
    })
    .prefault({}),
});

export interface InterfaceNames extends z.infer<typeof interfaceNames> {
  /** Address of previews in a front end of one's own, with {type}, {id}, {slug} and {token}; absent: the pages of the site. */
  readonly previewUrl?: string;
  /** Address of a front end, without trailing slash, to which links to pages lead. */
  readonly frontUrl?: string;
}

export const defaultNames: InterfaceNames = interfaceNames.parse({});

export function namespaceName({ namespaces }: InterfaceNames, name: string): string {
  return namespaces[name] ?? name;
}

export function relationAddress({ relations }: InterfaceNames, name: string): string {
  return relations.address.replace('{rel}', name);
}
