import { once } from 'node:events';
import { startChild } from '#process/child.ts';
import { projectionsVersion } from '#projections/projector/database.ts';
import { type RebuildJob, type RebuildMessage, type RebuildTask, rebuildMessage } from './types.ts';

// A replay allocates many short-lived objects: a larger young generation saves a tenth of its time.
const execArgv = ['--max-semi-space-size=64'];

// The child runs the files now on disk, which an upgrade may have changed under a running server.
const otherVersion = 'the program on disk is of another version than the server: start the server again';

/** Maximum milliseconds between Ctrl-C reaching the child and reaching this process. */
const timeout = 1000;

export type RebuildFound = Omit<Extract<RebuildMessage, { kind: 'done' }>, 'kind' | 'version'>;

/**
 * Rebuilds projections in a child process. Rejects when it ends without success, including an abort; what it has written is kept for the
 * next rebuild.
 */
export async function rebuildInChildProcess(
  job: RebuildJob,
  {
    script,
    signal,
    onTask,
  }: { readonly script: URL; readonly signal: AbortSignal; readonly onTask: (task: RebuildTask) => void },
): Promise<RebuildFound> {
  let found: RebuildFound | null = null;
  let fault: string | null = null;
  const { ended } = startChild(script, {
    args: [JSON.stringify(job)],
    signal,
    execArgv,
    onMessage: (said) => {
      const { data: known } = rebuildMessage.safeParse(said);
      if (known === undefined || (known.kind === 'done' && known.version !== projectionsVersion)) fault = otherVersion;
      else if (known.kind === 'progress') onTask(known.task);
      else if (known.kind === 'failed') fault = known.fault;
      else found = { position: known.position, differences: known.differences };
    },
  });
  const { status, signal: name } = await ended;
  if (found !== null && fault === null && status === 0) return found;
  // Ctrl-C ended the child before it could ignore the signal; this process is about to get the same one.
  if (name === 'SIGINT' && !signal.aborted) {
    await once(signal, 'abort', { signal: AbortSignal.timeout(timeout) }).catch(() => undefined);
  }
  throw new Error(fault ?? `the process that rebuilds ended with ${name ?? status}`);
}
