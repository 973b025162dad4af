import { UnknownError } from '@eventstore/db-client';
import { expect, it } from 'vitest';
import { limitIn, verdictOn } from '#eventstore/eventstoredb/faults.ts';

const unknown = (message: string) => new UnknownError(undefined as never, message as never);

it.each([
  ['14 UNAVAILABLE: Server Is Not Ready', 'not sent'],
  ['Server Is Busy', 'not sent'],
  ['2 UNKNOWN: Server Is Too Busy', 'not sent'],
  ['Could not recognize event_store.client.MaximumAppendEventSizeExceeded', 'too large'],
  ['3 INVALID_ARGUMENT: Event with Id: 1, Size: 9, exceeds Maximum Append Event Size of 8.', 'too large'],
  ['14 UNAVAILABLE: Connection dropped', 'unclear'],
] as const)('an append that fails with “%s” is judged as “%s”', (message, verdict) => {
  expect([verdictOn(unknown(message)), verdictOn(new Error(message))]).toEqual([verdict, verdict]);
});

it('the limit for an event is read from a refusal that states it', () => {
  expect(limitIn(unknown('exceeds Maximum Append Event Size of 8.'))).toEqual({ of: 'event', bytes: 8 });
  const silent = 'Could not recognize event_store.client.MaximumAppendEventSizeExceeded';
  expect(limitIn(unknown(silent))).toEqual({ of: 'event', bytes: null });
});
