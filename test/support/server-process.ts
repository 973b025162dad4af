import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './free-port.ts';

/** A server process that can be killed. */
export interface ServerProcess {
  readonly directory: string;
  readonly url: string;
  /** Its output since the first start. */
  readonly output: () => string;
  /** Starts or restarts it, and waits until it answers. */
  start(): Promise<void>;
  /** Kills it. */
  kill(): Promise<void>;
  /** Suspends it for a number of milliseconds, with all connections open. */
  hang(ms: number): Promise<void>;
  /** Stops it gracefully. */
  stop(): Promise<void>;
  /** Its last exit code. */
  readonly exitCode: () => number | null;
}

const program = join(import.meta.dirname, '../../src/bin.js');

/** Prepares a server on a data directory and a free port; does not start it yet. */
export async function serverProcess(directory: string, env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  let output = '';
  let exitCode: number | null = null;

  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = child;
    child = null;
    if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return;
    const exited = once(ending, 'exit');
    ending.kill(signal);
    await exited;
    exitCode = ending.exitCode;
  }

  async function answers(): Promise<boolean> {
    const answer = await fetch(`${url}/cms-json/`).catch(() => null);
    await answer?.arrayBuffer();
    return answer?.status === 200;
  }

  return {
    directory,
    url,
    output: () => output,
    exitCode: () => exitCode,
    async start() {
      if (child === null) {
        const settings = {
          HOST: '127.0.0.1',
          PORT: String(port),
          DATA_DIR: directory,
          LOG_LEVEL: 'silent',
          REBUILD_PRIORITY: 'normal',
          ...env,
        };
        child = spawn(process.execPath, [program, 'start'], { env: settings, stdio: ['ignore', 'pipe', 'inherit'] });
        child.stdout?.setEncoding('utf8').on('data', (text: string) => {
          output += text;
        });
      }
      while (!(await answers())) {
        if (child?.exitCode !== null) return;
        await wait(20);
      }
    },
    async hang(ms) {
      const hanging = child;
      hanging?.kill('SIGSTOP');
      await wait(ms);
      hanging?.kill('SIGCONT');
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}
