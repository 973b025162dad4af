import { addressEvents } from './address/events.ts';
import { clockEvents } from './clock/events.ts';
import { commentEvents } from './comment/events.ts';
import { entryEvents } from './entry/events.ts';
import { type Codec, createCodec } from './kernel/codec.ts';
import type { EventDefinition, EventOf } from './kernel/event.ts';
import { mediaEvents } from './media/events.ts';
import { areas } from './plugins/areas.ts';
import { requestEvents } from './request/events.ts';
import { siteEvents } from './site/events.ts';
import { termEvents } from './term/events.ts';
import { userEvents } from './user/events.ts';

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
