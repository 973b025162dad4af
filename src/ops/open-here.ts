import type { Config } from '../config.ts';
import { requireFolder } from './explain.ts';
import { type Perform, performOn } from './perform.ts';
import type { Verb } from './verb.ts';

/** Milliseconds that a verb waits for an event store; a server, which may start together with it, waits longer. */
const start = 10_000;

export async function openHere(
  config: Config,
  verbs: readonly Verb[],
): Promise<{ readonly perform: Perform; close(): Promise<void> }> {
  requireFolder(config.dataDir);
  // Imported lazily: a running server usually makes it unnecessary.
  const { openNode } = await import('./open-node.ts');
  const reporter = {
    fault: (error: unknown) => console.error(error instanceof Error ? error.message : error),
    warning: (message: string) => console.error(message),
  };
  const node = await openNode(config, { keepSite: true, reporter, timings: { start } });
  return { perform: performOn(node.store, verbs, (error) => console.error(error)), close: () => node.close() };
}
