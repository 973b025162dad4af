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
      file: 'src/projections/entries/first-published.ts',
      text: `
import type { EntryEvent } from '#domain/entry/events.ts';
import { defineFollowing } from '../kernel/define.ts';
import { statesOf } from '../kernel/states.ts';

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
      file: 'src/projections/projector/all.ts',
      at: '\n  trail,\n',
      change: (found) => `${found}  firstPublished,\n`,
    },
    {
      file: 'src/projections/projector/all.ts',
      at: 'import { entries } from',
      change: (found) => `import { firstPublished } from '../entries/first-published.ts';\n${found}`,
    },
  ];
}
