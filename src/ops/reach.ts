import { setTimeout as sleep } from 'node:timers/promises';
import { LogInUse, LogUnavailable } from '#eventstore/port.ts';
import type { Outcome } from './outcome.ts';
import type { Perform } from './perform.ts';

export interface Ways {
  /** By the server that holds it; null when there is none. */
  readonly call: (verb: string, args: unknown) => Promise<Outcome | null>;
  /** By opening it. Throws `LogInUse` when somebody else has it. */
  readonly open: () => Promise<{ perform: Perform; close(): Promise<void> }>;
}

/** How often, and after how many milliseconds, a directory is tried again that is held by somebody who does not answer. */
const tries = 50;
const pause = 200;

/**
 * Carries out a verb through the server if there is one, else on the store itself. Somebody who holds the
 * directory and does not answer is a server that starts or stops, or another verb: it is waited for.
 */
export async function reach(ways: Ways, verb: string, args: unknown): Promise<Outcome> {
  for (let i = 0; i < tries; i++) {
    const answer = (await ways.call(verb, args)) ?? (await direct(ways, verb, args));
    if (answer !== null) return answer;
    await sleep(pause);
  }
  return { kind: 'unavailable', message: 'another process holds the data directory and does not answer' };
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
