import { z } from 'zod';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { Completed } from '#eventstore/eventstoredb/completing.ts';
import { lockDirectory } from '#eventstore/lock.ts';
import { AppendTooLarge, LogDamaged, LogUnavailable, OutcomeUnknown } from '#eventstore/port.ts';
import { openBeside } from '#node/open-log.ts';
import { logPathOf } from '#node/parts/log.ts';
import type { Node } from '#node/types.ts';
import { reporterOf } from '#process/reporter.ts';
import type { Config } from '../config.ts';
import { callControl, controlPath } from './control.ts';
import { requireFolder } from './explain.ts';
import { performOn } from './perform.ts';
import { performOnStore } from './store-verb.ts';
import { defineLocalVerb, defineVerb, type StoreVerb, type VerbStore } from './verb.ts';

const give = 'event-store give';

/** Internal verb by which `event-store complete` asks the holder of the copy; not for typing. */
export function completeControl({ completeLedger }: Pick<Node, 'completeLedger'>): StoreVerb {
  return defineVerb({
    name: give,
    summary: 'Gives the event store what it lacks.',
    example: give,
    args: z.object({}),
    run: () => given(completeLedger),
  });
}

const complete = defineLocalVerb({
  name: 'event-store complete',
  summary:
    'Gives the event store the events that it has lost and this node has, after it was restored from an older backup.',
  example: 'event-store complete',
  args: z.object({}),
  here: ({ config }) =>
    performOnStore(
      { call: (verb, args) => callControl(controlPath(config.dataDir), verb, args), open: () => openCopy(config) },
      give,
      {},
    ),
});

export const eventStoreVerbs = [complete];

async function given(work: Node['completeLedger']): Promise<Completed | Refusal> {
  if (work === undefined) throw new LogUnavailable('This data directory is no copy of a log in an event store');
  try {
    return await work();
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof LogDamaged) return refuse('event_store_differs', message);
    if (error instanceof AppendTooLarge) return refuse('commit_too_large', message);
    if (error instanceof OutcomeUnknown)
      throw new LogUnavailable(`${message}; give the command again`, { cause: error });
    throw error;
  }
}

/** The copy of a node that does not run, and may not be able to start. */
async function openCopy(config: Config) {
  requireFolder(config.dataDir);
  const unlock = lockDirectory(config.dataDir);
  const opened = await openBeside(config, logPathOf(config), { reporter: reporterOf() }).catch((error: unknown) => {
    unlock();
    throw error;
  });
  const verbs = [completeControl(opened === null ? {} : { completeLedger: opened.complete })];
  return {
    perform: performOn({} as VerbStore, verbs, (error) => console.error(error)),
    close: async () => {
      opened?.close();
      unlock();
    },
  };
}
