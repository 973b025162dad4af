import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Config } from '#config.ts';
import type { EventStoreDb, EventStoreDbOptions, LogBesideCopy } from '#eventstore/eventstoredb/store.ts';
import type { Timings } from '#eventstore/eventstoredb/timings.ts';
import { type EventStore, LogDamaged, LogUnavailable } from '#eventstore/port.ts';
import { openServingStore } from '#eventstore/sqlite/store.ts';
import type { Reporter } from '#process/reporter.ts';
import { positionIn } from '#projections/projector/belonging.ts';

export interface LogEngine {
  readonly log: EventStore;
  readonly shared: EventStoreDb | null;
}

export interface EngineHooks {
  readonly reporter: Reporter;
  readonly timings?: Partial<Timings> | undefined;
}

/**
 * Opens the event log in a local file, or the local copy of a log on a server. Throws `LogUnavailable` when the file is such a copy but
 * no server is configured, `LogDamaged` when the file is missing or truncated.
 */
export async function openEngine(config: Config, path: string, hooks: EngineHooks): Promise<LogEngine> {
  const options = sharedOptions(config, path, hooks);
  if (options === null) {
    refuseCopy(path);
    refuseMissing(path);
    return { log: openServingStore({ path, onFault: hooks.reporter.fault }), shared: null };
  }
  // Most sites have no event store and need not load its client.
  const { openEventStoreDb } = await import('#eventstore/eventstoredb/store.ts');
  const shared = await openEventStoreDb(options);
  writeFileSync(markOf(path), `${options.stream}\n`);
  return { log: shared, shared };
}

/** Opens this node's copy of a log in an event store beside that, whether or not they are the same; null if there is no copy. */
export async function openBeside(config: Config, path: string, hooks: EngineHooks): Promise<LogBesideCopy | null> {
  const options = sharedOptions(config, path, hooks);
  if (options === null || !existsSync(markOf(path)) || !existsSync(path)) return null;
  const { openBesideCopy } = await import('#eventstore/eventstoredb/store.ts');
  return openBesideCopy(options);
}

/** How the log in an event store is opened; null if there is none. */
function sharedOptions(
  config: Config,
  path: string,
  { reporter, timings = {} }: EngineHooks,
): EventStoreDbOptions | null {
  const { eventStoreUrl: url, eventStoreSite, eventStoreAppendBytes: appendBytes } = config;
  if (url === null) return null;
  return {
    url,
    path,
    stream: `palimpsest-${eventStoreSite}`,
    appendBytes,
    timings: { grace: config.storeWait, ...timings },
    seen: () => positionIn(join(dirname(path), 'projections.db')),
    chance: Math.random,
    onProgress: reporter.progress,
    onError: reporter.fault,
    onInfo: reporter.info,
    onWarning: reporter.warning,
  };
}

/**
 * Throws `LogUnavailable` when the file is a node's copy of a log on a server: appending to the copy alone would make it useless for the
 * node.
 */
export function refuseCopy(path: string): void {
  if (!existsSync(markOf(path)) || !existsSync(path)) return;
  throw new LogUnavailable(
    `${path} is a copy of a log in an event store: set EVENTSTORE_URL, or remove ${markOf(path)} to make it a log of its own`,
  );
}

/** Files that a data directory has only after it has had a log. */
const traces = ['head', 'projections.db', 'media', 'views', 'node.db', 'origins.db', 'erased.json', 'shared-log'];

/** Throws `LogDamaged` when the log has disappeared: otherwise a new site would begin in its place. */
function refuseMissing(path: string): void {
  if (existsSync(path)) return;
  const directory = dirname(path);
  const found = traces.filter((name) => isThere(join(directory, name)));
  if (found.length === 0) return;
  throw new LogDamaged(
    `There is no event log at ${path}, but ${found.join(', ')} beside it: there was one. Nothing was touched. Put it ` +
      'back, or restore a backup into another directory; a new site begins in an empty one',
    1,
  );
}

function isThere(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && (!found.isDirectory() || readdirSync(path).length > 0);
}

const markOf = (path: string) => join(dirname(path), 'shared-log');
