import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type EventStoreDb, type EventStoreDbOptions, openEventStoreDb } from '#eventstore/eventstoredb/store.ts';
import type { Timings } from '#eventstore/eventstoredb/timings.ts';
import { slowness } from './slowness.ts';
import type { AppendFault } from './stand-in/faults.ts';
import { type StandIn, type StandInOptions, startStandIn } from './stand-in/server.ts';
import { temporaryDirectory } from './temporary.ts';

/** Polls often, but with timeouts long enough for a slow machine. */
export const quick: Timings = {
  deadline: 5000 * slowness,
  appendTimeout: 10_000 * slowness,
  probe: 50,
  grace: 200,
  backOff: [10, 100],
  start: 30_000 * slowness,
};

/** The same for tests in which responses are missing: with short timeouts. */
export const impatient: Timings = {
  ...quick,
  deadline: 500 * slowness,
  appendTimeout: 800 * slowness,
  start: 800 * slowness,
};

/** Faults of a server that answers no append until they are removed. */
export const neverAnswered: readonly AppendFault[] = Array.from({ length: 10_000 }, () => 'never answer');

/** Starts a stand-in for a server that is stopped when the test ends. */
export async function standInForTest(options: StandInOptions = {}): Promise<StandIn> {
  const standIn = await startStandIn(options);
  onTestFinished(() => standIn.close());
  return standIn;
}

/** Opens the log of one node on a server, by default in a new directory; closed when the test ends. */
export async function openWireStore(
  { url }: Pick<StandIn, 'url'>,
  { directory = temporaryDirectory(), ...options }: Partial<EventStoreDbOptions> & { directory?: string } = {},
): Promise<EventStoreDb> {
  const usual = { stream: 'palimpsest-test', appendBytes: 1_000_000, timings: quick, chance: Math.random };
  const store = await openEventStoreDb({ url, path: join(directory, 'log.db'), ...usual, ...options });
  onTestFinished(() => store.close());
  return store;
}
