import { fork } from 'node:child_process';
import { once } from 'node:events';
import { compiledCode } from './compile-cache.ts';

export interface ChildOptions {
  readonly args: readonly string[];
  readonly onMessage: (message: unknown) => void;
  /** Aborting it ends the process. */
  readonly signal?: AbortSignal;
  readonly execArgv?: readonly string[];
  /** Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** How a process ended; both are null if it could not be started. */
export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A process that runs a script of this program. It never outlives its parent. */
export interface Child {
  /** Sends a message; resolves to false if the process does not receive it. */
  send(message: object): Promise<boolean>;
  stop(): void;
  /** Resolves when the process has ended and all its messages have arrived. */
  readonly ended: Promise<Ended>;
}

export function startChild(script: URL, { args, onMessage, signal, execArgv, env }: ChildOptions): Child {
  const child = fork(script, args, {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { NODE_COMPILE_CACHE: compiledCode, ...(env ?? process.env) },
    ...(execArgv === undefined ? {} : { execArgv: [...execArgv] }),
  });
  const stop = (): void => void child.kill('SIGKILL');
  process.once('exit', stop);
  signal?.addEventListener('abort', stop, { once: true });
  if (signal?.aborted) stop();
  child.on('message', onMessage);
  const ended = Promise.all([once(child, 'exit'), once(child, 'disconnect')])
    .then(([[status, name]]): Ended => ({ status, signal: name }))
    .catch((): Ended => ({ status: null, signal: null }))
    .finally(() => {
      process.off('exit', stop);
      signal?.removeEventListener('abort', stop);
    });
  return {
    send: (message) => new Promise((resolve) => child.send(message, (error) => resolve(error === null))),
    stop,
    ended,
  };
}

/** Sends a message to the parent process, if it still exists. */
export function tellParent(message: object): void {
  // Without a callback a lost channel emits an unhandled error event, which ends the process.
  process.send?.(message, undefined, undefined, () => undefined);
}

/** Whether another process has an id. What a process left that had the id of this one is nobody's: in a container, ids come again. */
export function isOtherProcess(id: number): boolean {
  if (id === process.pid) return false;
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
