import { spawnSync } from 'node:child_process';

/** Python 3.9 or newer: that of the machine, or the value of `PYTHON`; undefined without one, which is printed. */
export const pythonPath: string | undefined = found();

/** Runs a script with a value, which it reads as JSON from its input, and parses what it prints. */
export function askPython<T>(script: string, value: unknown, args: readonly string[] = []): T {
  const options = { input: JSON.stringify(value), maxBuffer: 2 ** 27, encoding: 'utf8' } as const;
  // Without -B it would leave its bytecode beside the sources.
  const { stdout, stderr, status } = spawnSync(pythonPath ?? '', ['-B', '-c', script, ...args], options);
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

function found(): string | undefined {
  const path = process.env['PYTHON'] || 'python3';
  const { status } = spawnSync(path, ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']);
  if (status === 0) return path;
  console.warn('SKIPPED: there is no Python 3.9 or newer on this machine; name one with PYTHON=…');
  return undefined;
}
