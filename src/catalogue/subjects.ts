import { addressEvents } from '#domain/address/events.ts';
import { addressSequence } from '#domain/address/sequence.ts';
import { clockEvents } from '#domain/clock/events.ts';
import { clockSequence } from '#domain/clock/sequence.ts';
import { commentEvents } from '#domain/comment/events.ts';
import { commentSequence } from '#domain/comment/sequence.ts';
import { entryEvents } from '#domain/entry/events.ts';
import { entrySequence } from '#domain/entry/sequence.ts';
import type { EventDefinition } from '#domain/kernel/event.ts';
import type { Sequence } from '#domain/kernel/sequence.ts';
import { mediaEvents } from '#domain/media/events.ts';
import { mediaSequence } from '#domain/media/sequence.ts';
import { requestEvents } from '#domain/request/events.ts';
import { requestSequence } from '#domain/request/sequence.ts';
import { siteEvents } from '#domain/site/events.ts';
import { siteSequence } from '#domain/site/sequence.ts';
import { termEvents } from '#domain/term/events.ts';
import { termSequence } from '#domain/term/sequence.ts';
import { userEvents } from '#domain/user/events.ts';
import { userSequence } from '#domain/user/sequence.ts';

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
