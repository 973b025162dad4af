import { once } from 'node:events';
import { startChild } from '#process/child.ts';
import { projectionsVersion } from '#projections/schema.ts';
import { type Job, type Message, message } from './job-messages.ts';
import type { Task } from './types.ts';

const script = new URL('./job.ts', import.meta.url);
// Much lives shortly in a replay: a larger young generation saves a tenth of its time.
const execArgv = ['--max-semi-space-size=64'];

// The process is started from the files as they are now, which an upgrade may have changed under a running server.
const otherVersion = 'the program on disk is of another version than the server: start the server again';

/** Milliseconds between the moments at which Ctrl-C reaches this process and another one. */
const patience = 1000;

export type Found = Omit<Extract<Message, { kind: 'done' }>, 'kind' | 'version'>;

/**
 * Rebuilds projections in a child process. Rejects when that ends without success, also because of the signal;
 * what it has written stays for the next one.
 */
export async function rebuildInChildProcess(
  job: Job,
  { signal, onTask }: { readonly signal: AbortSignal; readonly onTask: (task: Task) => void },
): Promise<Found> {
  let found: Found | null = null;
  let fault: string | null = null;
  const { ended } = startChild(script, {
    args: [JSON.stringify(job)],
    signal,
    execArgv,
    onMessage: (said) => {
      const { data: known } = message.safeParse(said);
      if (known === undefined || (known.kind === 'done' && known.version !== projectionsVersion)) fault = otherVersion;
      else if (known.kind === 'progress') onTask(known.task);
      else if (known.kind === 'failed') fault = known.fault;
      else found = { position: known.position, differences: known.differences };
    },
  });
  const { status, signal: name } = await ended;
  if (found !== null && fault === null && status === 0) return found;
  // Before it could say that it does not mind: whoever started it was stopped at that moment, too.
  if (name === 'SIGINT' && !signal.aborted) {
    await once(signal, 'abort', { signal: AbortSignal.timeout(patience) }).catch(() => undefined);
  }
  throw new Error(fault ?? `the process that rebuilds ended with ${name ?? status}`);
}
