import { LogDamaged, LogInUse, LogUnavailable } from '#eventstore/port.ts';
import { ObjectsUnavailable } from '#objects/port.ts';
import type { Config } from '../config.ts';
import type { Outcome } from './outcome.ts';
import { progressOn, Stopped } from './progress.ts';
import type { LocalVerb, VerbPlace } from './verb.ts';

/** Performs a verb in this process. Ctrl-C stops it at the next consistent point; a second Ctrl-C stops it at once. */
export async function performLocally(
  verb: LocalVerb,
  args: unknown,
  { settings, json }: { readonly settings: () => Config; readonly json: boolean },
): Promise<Outcome> {
  const stop = new AbortController();
  const onSignal = () => stop.abort();
  for (const name of signals) process.once(name, onSignal);
  const { signal } = stop;
  const progress = progressOn({ stream: process.stderr, signal });
  try {
    const { stdin: input, stdout: output } = process;
    return await verb.here(placeOf(settings, { json, progress, signal, input, output }), args);
  } catch (error) {
    return ofError(error);
  } finally {
    for (const name of signals) process.off(name, onSignal);
  }
}

/** The settings are read when they are first needed: a verb that needs none works whatever they are. */
function placeOf(settings: () => Config, others: Omit<VerbPlace, 'config'>): VerbPlace {
  let config: Config | undefined;
  return {
    ...others,
    get config() {
      config ??= settings();
      return config;
    },
  };
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
