import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Ended {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a verb on a data directory. */
export function runVerb(folder: string, args: readonly string[], more: Record<string, string> = {}): Promise<Ended> {
  const env = { PATH: process.env['PATH'], DATA_DIR: folder, PORT: '0', ...more };
  return new Promise((done) => {
    const child = execFile(process.execPath, ['src/bin.js', ...args], { cwd: root, env }, (_, out, err) =>
      done({ status: child.exitCode ?? -1, out, err }),
    );
  });
}
