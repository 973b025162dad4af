import { addressEvents, addressSequence } from '#domain/address/events.ts';
import { clockEvents, clockSequence } from '#domain/clock/events.ts';
import { commentEvents, commentSequence } from '#domain/comment/events.ts';
import { entryEvents } from '#domain/entry/events.ts';
import { entrySequence } from '#domain/entry/sequence.ts';
import type { EventDefinition } from '#domain/kernel/event.ts';
import type { Sequence } from '#domain/kernel/sequence.ts';
import { mediaEvents, mediaSequence } from '#domain/media/events.ts';
import { requestEvents, requestSequence } from '#domain/request/events.ts';
import { siteEvents, siteSequence } from '#domain/site/events.ts';
import { termEvents, termSequence } from '#domain/term/events.ts';
import { userEvents, userSequence } from '#domain/user/events.ts';

interface Subject {
  readonly events: readonly EventDefinition[];
  readonly sequence: Sequence;
}

/** What events of every site are about: one line each. Their types join the catalogue, their sequences are followed. */
export const subjects = [
  { events: siteEvents, sequence: siteSequence },
  { events: userEvents, sequence: userSequence },
  { events: termEvents, sequence: termSequence },
  { events: entryEvents, sequence: entrySequence },
  { events: mediaEvents, sequence: mediaSequence },
  { events: commentEvents, sequence: commentSequence },
  { events: addressEvents, sequence: addressSequence },
  { events: requestEvents, sequence: requestSequence },
  { events: clockEvents, sequence: clockSequence },
] as const satisfies readonly Subject[];
