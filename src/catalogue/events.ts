import { addressEvents } from '#domain/address/events.ts';
import { clockEvents } from '#domain/clock/events.ts';
import { commentEvents } from '#domain/comment/events.ts';
import { entryEvents } from '#domain/entry/events.ts';
import { type Codec, createCodec } from '#domain/kernel/codec.ts';
import type { EventDefinition, EventOf } from '#domain/kernel/event.ts';
import { mediaEvents } from '#domain/media/events.ts';
import { requestEvents } from '#domain/request/events.ts';
import { siteEvents } from '#domain/site/events.ts';
import { termEvents } from '#domain/term/events.ts';
import { userEvents } from '#domain/user/events.ts';
import { areas } from './areas.ts';

/** Event types of every site: settings, accounts, terms, entries, media, comments, clocks. */
export const coreEvents = [
  ...siteEvents,
  ...userEvents,
  ...termEvents,
  ...entryEvents,
  ...mediaEvents,
  ...commentEvents,
  ...addressEvents,
  ...requestEvents,
  ...clockEvents,
] as const;

export type CoreEvent = EventOf<(typeof coreEvents)[number]>;

export const pluginEvents: readonly EventDefinition[] = areas.flatMap(({ events }) => events);

/** All event types; `docs/events.md` and `test/golden` follow from this list. */
export const allEvents: readonly EventDefinition[] = [...coreEvents, ...pluginEvents];

export const codec: Codec = createCodec(allEvents);
