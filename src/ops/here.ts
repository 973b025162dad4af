import { LogDamaged, LogInUse, LogUnavailable } from '#eventstore/port.ts';
import { ObjectsUnavailable } from '#objects/port.ts';
import type { Config } from '../config.ts';
import type { Outcome } from './outcome.ts';
import { progressOn, Stopped } from './progress.ts';
import type { LocalVerb } from './verb.ts';

/** Performs a verb in this process. Ctrl-C stops it at the next consistent point; a second Ctrl-C stops it at once. */
export async function performHere(
  verb: LocalVerb,
  args: unknown,
  { config, json }: { readonly config: Config; readonly json: boolean },
): Promise<Outcome> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const name of signals) process.once(name, onSignal);
  const { signal } = stop;
  const progress = progressOn({ stream: process.stderr, signal });
  try {
    return await verb.here({ config, json, progress, signal, input: process.stdin, output: process.stdout }, args);
  } catch (error) {
    return ofError(error);
  } finally {
    for (const name of signals) process.off(name, onSignal);
  }
}

const signals = ['SIGINT', 'SIGTERM'] as const;

function ofError(error: unknown): Outcome {
  if (error instanceof Stopped) return { kind: 'stopped', message: error.message };
  if (error instanceof LogDamaged) return { kind: 'refused', code: 'log_damaged', message: error.message };
  if (error instanceof LogInUse || error instanceof LogUnavailable || error instanceof ObjectsUnavailable) {
    return { kind: 'unavailable', message: error.message };
  }
  throw error;
}
