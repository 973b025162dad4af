import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '#config.ts';
import { LogInUse, LogUnavailable } from '#eventstore/port.ts';
import { reporterOf } from '#process/reporter.ts';
import { requireFolder } from './explain.ts';
import { actingWith } from './operator.ts';
import type { Outcome } from './outcome.ts';
import { type Perform, performOn } from './perform.ts';
import type { Verb } from './verb.ts';

export interface Ways {
  /** Through the server that holds the directory; null if there is none. */
  readonly call: (verb: string, args: unknown) => Promise<Outcome | null>;
  /** By opening the directory. Throws `LogInUse` if another process holds it. */
  readonly open: () => Promise<{ perform: Perform; close(): Promise<void> }>;
  /** Why a holder of the directory does not answer, if that is known. */
  readonly silence?: () => string;
}

/** Number of attempts to performOnStore a directory whose holder does not answer, and the milliseconds between them. */
const tries = 50;
const pause = 200;

/** Milliseconds that a verb waits for an event store; a server, which may start together with it, waits longer. */
const start = 10_000;

/**
 * Performs a verb through the server if there is one, otherwise directly on the store. A holder of the directory that does not answer is a
 * starting or stopping server or another verb, so this retries.
 */
export async function performOnStore(ways: Ways, verb: string, args: unknown): Promise<Outcome> {
  for (let i = 0; i < tries; i++) {
    const answer = (await ways.call(verb, args)) ?? (await direct(ways, verb, args));
    if (answer !== null) return answer;
    await sleep(pause);
  }
  const why = ways.silence?.() ?? '';
  return { kind: 'unavailable', message: `another process holds the data directory and does not answer${why}` };
}

async function direct(ways: Ways, verb: string, args: unknown): Promise<Outcome | null> {
  try {
    const node = await ways.open();
    try {
      return await node.perform(verb, args);
    } finally {
      await node.close();
    }
  } catch (error) {
    if (error instanceof LogInUse) return null;
    if (error instanceof LogUnavailable) return { kind: 'unavailable', message: error.message };
    throw error;
  }
}

/** Throws `LogUnavailable` if a data directory has no log: opening a mistyped path would create another site. */
export function requireLog({ dataDir, eventStoreUrl }: Config): void {
  const path = join(dataDir, 'log.db');
  if (eventStoreUrl === null && !existsSync(path)) throw new LogUnavailable(`there is no event log at ${path}`);
}

export async function openHere(
  config: Config,
  verbs: readonly Verb[],
): Promise<{ readonly perform: Perform; close(): Promise<void> }> {
  requireFolder(config.dataDir);
  // Imported lazily: a running server usually makes it unnecessary.
  const [{ openNode }, { openJournal }] = await Promise.all([import('./open-node.ts'), import('#node/origins.ts')]);
  const reporter = {
    fault: (error: unknown) => console.error(error instanceof Error ? error.message : error),
    warning: (message: string) => console.error(message),
  };
  const node = await openNode(config, { keepSite: true, reporter, timings: { start } });
  const { originDays: days } = config;
  const { nodeFile: file } = node.store;
  const journal = days === 0 ? undefined : openJournal({ file, days, clock: Date.now, reporter: reporterOf(reporter) });
  const perform = performOn(node.store, verbs, (error) => console.error(error));
  return {
    perform: (verb, args) => actingWith({ note: journal?.note }, () => perform(verb, args)),
    async close() {
      journal?.close();
      await node.close();
    },
  };
}
