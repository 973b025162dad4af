import { fork } from 'node:child_process';
import { once } from 'node:events';
import { type Job, type Message, message } from './job-messages.ts';
import type { Task } from './types.ts';

const script = new URL('./job.ts', import.meta.url);
// Much lives shortly in a replay: a larger young generation saves a tenth of its time.
const execArgv = ['--max-semi-space-size=64'];

/** What a rebuild found out. */
export type Found = Omit<Extract<Message, { kind: 'done' }>, 'kind'>;

/**
 * Has a process of its own make projections anew. Rejects when that ends without success, also because of the signal;
 * what it has written stays for the next one.
 */
export async function rebuildApart(
  job: Job,
  { signal, onTask }: { readonly signal: AbortSignal; readonly onTask: (task: Task) => void },
): Promise<Found> {
  const child = fork(script, [JSON.stringify(job)], { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  signal.addEventListener('abort', kill);
  let found: Found | null = null;
  let fault: string | null = null;
  child.on('message', (said) => {
    const known = message.parse(said);
    if (known.kind === 'progress') onTask(known.task);
    else if (known.kind === 'failed') fault = known.fault;
    else found = { position: known.position, differences: known.differences };
  });
  try {
    if (signal.aborted) kill();
    const [status, name] = (await once(child, 'exit')) as [number | null, string | null];
    if (found !== null && status === 0) return found;
    throw new Error(fault ?? `the process that rebuilds ended with ${name ?? status}`);
  } finally {
    signal.removeEventListener('abort', kill);
    process.off('exit', kill);
  }
}
