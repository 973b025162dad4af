import { callControl, controlPath } from './control.ts';
import type { Outcome } from './outcome.ts';
import type { ShownProgress, StartProgress, Task } from './progress.ts';
import { openHere, performOnStore, requireLog } from './store-verb.ts';
import type { StoreVerb, VerbPlace } from './verb.ts';

/** Has the process that holds the data directory perform a verb; null if there is none. */
type Ask = (verb: string, args: unknown) => Promise<Outcome | null>;

/** Work that runs in the background in the process with the store and is polled until it ends. */
export interface Followed {
  readonly controls: readonly StoreVerb[];
  /** Takes the value of the first verb and polls until the work is done. */
  readonly untilDone: (begun: unknown, ask: Ask) => Promise<Outcome>;
}

/** Starts work by a verb on the server that holds the data directory, or on a store opened for it, and waits for its end. */
export function followTask({ config }: VerbPlace, verb: string, args: unknown, work: Followed): Promise<Outcome> {
  const path = controlPath(config.dataDir);
  const by = async <A extends Outcome | null>(ask: (verb: string, args: unknown) => Promise<A>) => {
    const begun = await ask(verb, args);
    return begun?.kind === 'done' ? work.untilDone(begun.value, ask) : begun;
  };
  const open = async () => {
    requireLog(config);
    const { perform, close } = await openHere(config, work.controls);
    return { perform: () => by(perform), close };
  };
  return performOnStore({ call: () => by((next, more) => callControl(path, next, more)), open }, verb, args);
}

export function showTasks(progress: StartProgress) {
  let shown: { readonly name: string; readonly on: ShownProgress } | null = null;
  return {
    async at(task: Task & { readonly done: number }): Promise<void> {
      if (shown?.name !== task.name) {
        shown?.on.end();
        shown = { name: task.name, on: progress({ ...task, from: task.done }) };
      }
      await shown.on.at(task.done);
    },
    end(): void {
      shown?.on.end();
    },
  };
}
