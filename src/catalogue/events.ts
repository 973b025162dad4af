import { type Codec, createCodec } from '#domain/kernel/codec.ts';
import type { EventDefinition, EventOf } from '#domain/kernel/event.ts';
import { areas } from './areas.ts';
import { subjects } from './subjects.ts';

type CoreDefinition = (typeof subjects)[number]['events'][number];

/** Event types of every site: settings, accounts, terms, entries, media, comments, clocks. */
export const coreEvents: readonly CoreDefinition[] = subjects.flatMap(
  ({ events }): readonly CoreDefinition[] => events,
);

export type CoreEvent = EventOf<CoreDefinition>;

export const pluginEvents: readonly EventDefinition[] = areas.flatMap(({ events }) => events);

/** All event types; `docs/events.md` and `test/golden` follow from this list. */
export const allEvents: readonly EventDefinition[] = [...coreEvents, ...pluginEvents];

export const codec: Codec = createCodec(allEvents);
