import { entryEvents } from './entry/events.ts';
import { type Codec, createCodec } from './kernel/codec.ts';
import { mediaEvents } from './media/events.ts';
import { requestEvents } from './request/events.ts';
import { siteEvents } from './site/events.ts';
import { termEvents } from './term/events.ts';
import { userEvents } from './user/events.ts';

/** Every event type there is; `docs/events.md` and `test/golden` follow from it. */
export const allEvents = [
  ...siteEvents,
  ...userEvents,
  ...termEvents,
  ...entryEvents,
  ...mediaEvents,
  ...requestEvents,
] as const;

export const codec: Codec = createCodec(allEvents);
