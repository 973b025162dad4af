import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '#config.ts';
import type { EventStoreDb } from '#eventstore/eventstoredb/store.ts';
import type { Timings } from '#eventstore/eventstoredb/timings.ts';
import { type EventStore, LogUnavailable } from '#eventstore/port.ts';
import { openServingStore } from '#eventstore/sqlite.ts';

/** The event log by the settings, and what it is besides where other nodes share it. */
export interface Engine {
  readonly log: EventStore;
  readonly shared: EventStoreDb | null;
}

export interface EngineHooks {
  readonly onProgress: (position: number, head: number) => void;
  readonly onFault: (error: unknown) => void;
  readonly timings?: Partial<Timings> | undefined;
}

/**
 * Opens the event log in a file of this node, or the copy there of the one on a server. Throws `LogUnavailable` when it would
 * be that copy without its server.
 */
export async function openEngine(config: Config, path: string, hooks: EngineHooks): Promise<Engine> {
  const { eventStoreUrl: url, eventStoreSite, eventStoreAppendBytes: appendBytes } = config;
  if (url === null) {
    refuseCopy(path);
    return { log: openServingStore({ path }), shared: null };
  }
  const { onProgress, onFault: onError, timings = {} } = hooks;
  const stream = `palimpsest-${eventStoreSite}`;
  const options = { url, path, stream, appendBytes, timings, chance: Math.random, onProgress, onError };
  // Most sites have no such server: they need not load its client.
  const { openEventStoreDb } = await import('#eventstore/eventstoredb/store.ts');
  const shared = await openEventStoreDb(options);
  writeFileSync(markOf(path), `${stream}\n`);
  return { log: shared, shared };
}

/**
 * Throws `LogUnavailable` when the log in a file is a node's copy of one on a server: what is appended to the copy alone makes
 * it useless for the node.
 */
export function refuseCopy(path: string): void {
  if (!existsSync(markOf(path)) || !existsSync(path)) return;
  throw new LogUnavailable(
    `${path} is a copy of a log in an event store: set EVENTSTORE_URL, or remove ${markOf(path)} to make it a log of its own`,
  );
}

const markOf = (path: string) => join(dirname(path), 'shared-log');
