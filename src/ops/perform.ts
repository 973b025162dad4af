import { CommitTooLarge } from '#commands/commit-size.ts';
import { isRefusal } from '#domain/kernel/refusal.ts';
import { LogUnavailable } from '#eventstore/port.ts';
import { ObjectsUnavailable } from '#objects/port.ts';
import type { Outcome } from './outcome.ts';
import { type StoreVerb, UsageError, type Verb, type VerbStore } from './verb.ts';

export type Perform = (verb: string, args: unknown) => Promise<Outcome>;

/** Called after each verb with its outcome and duration in milliseconds. */
export type OnPerformed = (verb: StoreVerb, ended: Outcome['kind'], ms: number) => void;

/** Binds a table of verbs to a store. `onFault` receives errors thrown by verbs that are defects of the program. */
export function performOn(
  store: VerbStore,
  verbs: readonly Verb[],
  onFault: (error: unknown) => void,
  onPerformed: OnPerformed = () => undefined,
): Perform {
  return async (name, args) => {
    const verb = verbs.find((candidate) => candidate.name === name);
    if (verb === undefined) return { kind: 'usage', message: `there is no command "${name}"` };
    if (!('run' in verb)) return { kind: 'usage', message: `"${name}" is not carried out by a server` };
    const began = performance.now();
    const ended = await carryOut(verb, { store, args, onFault });
    onPerformed(verb, ended.kind, Math.round(performance.now() - began));
    return ended;
  };
}

interface Work {
  readonly store: VerbStore;
  readonly args: unknown;
  readonly onFault: (error: unknown) => void;
}

async function carryOut(verb: StoreVerb, { store, args, onFault }: Work): Promise<Outcome> {
  try {
    const value = await verb.run(store, args);
    if (isRefusal(value)) return { kind: 'refused', code: value.code, message: value.message };
    return { kind: 'done', value };
  } catch (error) {
    return ofFault(error, onFault);
  }
}

function ofFault(error: unknown, onFault: (error: unknown) => void): Outcome {
  if (error instanceof UsageError) return { kind: 'usage', message: error.message };
  if (error instanceof LogUnavailable || error instanceof ObjectsUnavailable) {
    return { kind: 'unavailable', message: error.message };
  }
  if (error instanceof CommitTooLarge) return tooLarge;
  onFault(error);
  return { kind: 'unavailable', message: 'the command failed because of a fault in the program; see the server log' };
}

const tooLarge: Outcome = {
  kind: 'refused',
  code: 'commit_too_large',
  message:
    'It would be one commit that is larger than COMMIT_BYTES allows, so nothing was done. Start the server with a larger COMMIT_BYTES, or do it in parts.',
};
