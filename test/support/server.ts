import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

const sources = join(import.meta.dirname, '../..');

export interface StartedServer {
  /** Root of the interface, `http://127.0.0.1:4711/cms-json/`. */
  readonly root: string;
  /** Password of the administrator created at the first start; otherwise empty. */
  readonly password: string;
  /** Sends a signal and waits for the process to end. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Starts the server as `npm start` does, in a child process, on a free port. */
export async function startServer(
  directory: string,
  root = sources,
  env: Readonly<Record<string, string>> = {},
): Promise<StartedServer> {
  const server = spawn(process.execPath, ['src/bin.js', 'start'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      DATA_DIR: directory,
      LOG_LEVEL: 'silent',
      REBUILD_PRIORITY: 'normal',
      STOP_DELAY: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(server, 'exit');
  const greeting = await Promise.race([once(server.stdout, 'data'), gone.then(() => null)]);
  if (greeting === null) throw new Error('the server did not start');
  const said = (pattern: RegExp) => pattern.exec(String(greeting[0]))?.[1] ?? '';
  return {
    root: said(/interface\s+(\S+)/),
    password: said(/password\s+(\S.*?)\s+\(/),
    async stop(signal = 'SIGTERM') {
      server.kill(signal);
      await gone;
    },
  };
}
