import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type EventStoreDb, type EventStoreDbOptions, openEventStoreDb } from '#eventstore/eventstoredb/store.ts';
import type { Timings } from '#eventstore/eventstoredb/timings.ts';
import { type StandIn, type StandInOptions, startStandIn } from './stand-in/server.ts';
import { temporaryDirectory } from './temporary.ts';

/** So short that a test need not wait long for something to be given up. */
export const quick: Timings = { deadline: 1000, patience: 2500, probe: 50, backOff: [10, 100], start: 1000 };

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
