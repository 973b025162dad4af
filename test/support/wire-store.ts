import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type EventStoreDb, type EventStoreDbOptions, openEventStoreDb } from '#eventstore/eventstoredb/store.ts';
import type { Timings } from '#eventstore/eventstoredb/timings.ts';
import { type StandIn, type StandInOptions, startStandIn } from './stand-in/server.ts';
import { temporaryDirectory } from './temporary.ts';

/** Looks often whether something has changed, but gives nothing up because the machine is slow. */
export const quick: Timings = { deadline: 5000, patience: 10_000, probe: 50, backOff: [10, 100], start: 30_000 };

/** The same for tests in which nothing is answered: so short that they need not wait long for it to be given up. */
export const impatient: Timings = { ...quick, deadline: 500, patience: 800, start: 800 };

/** A stand-in for a server that goes when the test ends. */
export async function standInForTest(options: StandInOptions = {}): Promise<StandIn> {
  const standIn = await startStandIn(options);
  onTestFinished(() => standIn.close());
  return standIn;
}

/** A log of one node on a server, in a directory of its own unless one is given; closed when the test ends. */
export async function openWireStore(
  { url }: Pick<StandIn, 'url'>,
  { directory = temporaryDirectory(), ...options }: Partial<EventStoreDbOptions> & { directory?: string } = {},
): Promise<EventStoreDb> {
  const usual = { stream: 'palimpsest-test', appendBytes: 1_000_000, timings: quick, chance: Math.random };
  const store = await openEventStoreDb({ url, path: join(directory, 'log.db'), ...usual, ...options });
  onTestFinished(() => store.close());
  return store;
}
