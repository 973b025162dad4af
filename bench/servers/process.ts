import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** A process of the bench, started from a file of this project. */
export interface Process {
  readonly pid: number;
  readonly alive: boolean;
  /** Sends a message and waits for the next reply. Rejects if the process ends before that. */
  ask(message: object | string): Promise<unknown>;
  /** Waits for the next message. */
  next(): Promise<unknown>;
  /** Resolves when it has ended. */
  stop(): Promise<void>;
}

/** Killed when this process ends. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

const stopTimeout = 20_000;
const ticksPerSecond = 100;

/** Starts a file as a process; only its standard error is shown. */
export function start(file: string, env: Readonly<Record<string, string>> = {}, execArgv: string[] = []): Process {
  const child = fork(file, {
    execArgv,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  running.add(child);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  void ended.then(() => running.delete(child));
  const next = () => nextMessage(child, file);
  return {
    pid: child.pid ?? 0,
    get alive() {
      return running.has(child);
    },
    next,
    ask(message) {
      const answer = next();
      child.send(message);
      return answer;
    },
    async stop() {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), stopTimeout);
      await ended;
      clearTimeout(timer);
    },
  };
}

/** Resident memory of a process, MiB; null where the system does not report it. */
export function memoryOf(pid: number): number | null {
  const path = `/proc/${pid}/status`;
  const kilobytes = existsSync(path) ? /^VmRSS:\s+(\d+)/m.exec(readFileSync(path, 'utf8'))?.[1] : undefined;
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
}

/** Processor time of a process, seconds; null where the system does not report it. */
export function processorTimeOf(pid: number): number | null {
  return timeOf(pid, 11);
}

/** Processor time of its children that have ended, seconds. */
export function childrenTimeOf(pid: number): number | null {
  return timeOf(pid, 13);
}

function timeOf(pid: number, field: number): number | null {
  const path = `/proc/${pid}/stat`;
  if (!existsSync(path)) return null;
  // The name in brackets may contain blanks; the numbered fields follow it.
  const fields = readFileSync(path, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[field]) + Number(fields[field + 1])) / ticksPerSecond;
}

function nextMessage(child: ChildProcess, file: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error(`${file} ended`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.off('exit', onExit);
      resolve(message);
    });
  });
}
