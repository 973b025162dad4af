import type { Added, Edit } from './edited.ts';

interface Wanted {
  readonly version: number;
  /** Number of characters of the time to keep: 10 make the day. */
  readonly length: number;
}

/** Adds the projection `first_published`, as CONTRIBUTING describes. */
export function firstPublished({ version, length }: Wanted): readonly (Edit | Added)[] {
  return [
    {
      file: 'src/projections/first-published.ts',
      text: `
import type { EntryEvent } from '#domain/entry/events.ts';
import { defineFollowing } from './define.ts';
import { statesOf } from './states.ts';

/** The day on which each entry was first published, UTC. */
export const firstPublished = defineFollowing(
  statesOf<string, EntryEvent>({
    name: 'first_published',
    version: ${version},
    area: 'entry',
    evolve(day, { event, meta }) {
      if (event.type === 'EntryDeleted') return null;
      return day ?? (isPublication(event) ? meta.at.slice(0, ${length}) : null);
    },
  }),
);

function isPublication(event: EntryEvent): boolean {
  if (event.type === 'EntryCreated') return event.data.status === 'publish';
  return event.type === 'EntryPublished' || event.type === 'EntryReleased';
}
`,
    },
    {
      file: 'src/projections/all.ts',
      at: '\n  trail,\n',
      change: (found) => `${found}  firstPublished,\n`,
    },
    {
      file: 'src/projections/all.ts',
      at: 'import { media } from',
      change: (found) => `import { firstPublished } from './first-published.ts';\n${found}`,
    },
  ];
}
