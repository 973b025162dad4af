import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface Child {
  readonly pid: number;
  /** Complete lines that the process has written so far. */
  readonly lines: readonly string[];
  /** Kills the process (SIGKILL) and waits until all its output is in `lines`. */
  kill(): Promise<void>;
}

/** Runs a script of this directory in a child process, which is killed at the latest when the test ends. */
export function startChild(script: string, ...args: readonly string[]): Child {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
  });
  const kill = () => killed(child);
  onTestFinished(kill);
  return { pid: child.pid ?? 0, lines, kill };
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  child.kill('SIGKILL');
  await closed;
}
