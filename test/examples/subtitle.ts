import type { Edit } from './edited.ts';

interface Wanted {
  /** Collections can be filtered by it. */
  readonly filterable: boolean;
}

/** Adds the field `subtitle` to posts, pages and products, as CONTRIBUTING describes. */
export const subtitle = ({ filterable }: Wanted): readonly Edit[] => [
  {
    file: 'src/domain/entry/fields.ts',
    at: 'const later = {',
    change: (found) =>
      `${found} subtitle: ${filterable ? 'filterable(words({ sealed: true }))' : 'words({ sealed: true })'}, `,
  },
  {
    file: 'src/http/tables/entries/fields.ts',
    at: '\n  content,\n',
    change: (found) => `
  text('subtitle', whole, 'A line below the title.', {
    write: cleared('subtitle'),${filterable ? filter : ''}
  }),${found}`,
  },
  {
    file: 'src/projections/entries/definition.ts',
    at: /version: \d+/,
    change: (found) => found.replace(/\d+/, (version) => String(Number(version) + 1)),
  },
];

const filter = `
    filter: { by: 'subtitle', schema: z.string().describe('Limit result set to posts with the given subtitle.') },`;
