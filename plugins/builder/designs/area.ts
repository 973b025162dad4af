import { defineArea, defineEvent, z } from 'palimpsest/plugin';

const DesignLibraryReset = defineEvent({
  type: 'DesignLibraryReset',
  summary: 'A refresh of the library of designs was requested.',
  schema: z.object({}),
});

const DesignDevModeSet = defineEvent({
  type: 'DesignDevModeSet',
  summary: 'The library of designs began or ceased to offer the pages of the site.',
  schema: z.object({ on: z.boolean() }),
});

export interface DesignLibrary {
  readonly revision: number;
  readonly devMode: boolean;
}

const fresh: DesignLibrary = { revision: 0, devMode: false };

export const designLibrary = defineArea({
  name: 'builder-library',
  events: [DesignLibraryReset, DesignDevModeSet],
  empty: fresh,
  evolve: (library, event) =>
    event.type === 'DesignLibraryReset'
      ? { ...library, revision: library.revision + 1 }
      : { ...library, devMode: event.data.on },
});

type DesignEvent = Parameters<typeof designLibrary.evolve>[1];

export function resetDesigns(): readonly DesignEvent[] {
  return [{ type: 'DesignLibraryReset', data: {} }];
}

export function setDevMode({ devMode }: DesignLibrary, on: boolean): readonly DesignEvent[] {
  return devMode === on ? [] : [{ type: 'DesignDevModeSet', data: { on } }];
}
