import type { Edit } from './edited.ts';

/** Adds the field `subtitle` to posts, pages and products, as CONTRIBUTING tells how to add a field. */
export const subtitle: readonly Edit[] = [
  {
    file: 'src/domain/entry/fields.ts',
    at: 'const later = {',
    change: (found) => `${found} subtitle: detail(z.string(), () => ''), `,
  },
  {
    file: 'src/http/tables/entries/fields.ts',
    at: '\n  content,\n',
    change: (found) => `
  {
    name: 'subtitle',
    context: whole,
    description: 'A line below the title.',
    schema: text,
    json: (row) => asciiJson(row.subtitle),
    write: cleared('subtitle'),
  },${found}`,
  },
  {
    file: 'src/projections/entries/definition.ts',
    at: /version: \d+/,
    change: (found) => found.replace(/\d+/, (version) => String(Number(version) + 1)),
  },
];
