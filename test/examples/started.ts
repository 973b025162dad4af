import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';
import { startServer } from '../support/server.ts';

const root = join(import.meta.dirname, '../..');

interface Wanted {
  /** The sources. Default: those of this checkout. */
  readonly copy?: string;
  /** Password of the administrator. Default: the one that the first start prints. */
  readonly password?: string;
}

/** Starts a server, and sends requests to it, as the administrator unless another login is given. */
export async function start(directory: string, { copy = root, password = '' }: Wanted = {}) {
  const server = await startServer(directory, copy);
  onTestFinished(() => server.stop());
  const send = async (request: string, body?: object, login = `admin:${password || server.password}`) => {
    const [method = '', path] = request.split(' ');
    const credentials = login === '' ? {} : { authorization: `Basic ${Buffer.from(login).toString('base64')}` };
    const headers = { ...credentials, 'content-type': 'application/json' };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${server.root}cms/v2${path}`, { method, headers, ...sent });
    return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) };
  };
  const call = async (request: string, body?: object) => (await send(request, body)).body;
  return { call, send, server };
}

/** Runs a command of the command line, and returns what it prints. Fails if the command does. */
export async function command(directory: string, copy: string, ...args: readonly string[]): Promise<string> {
  const env = { PATH: process.env['PATH'], DATA_DIR: directory };
  const { stdout } = await promisify(execFile)(process.execPath, ['src/cli.ts', ...args], { cwd: copy, env });
  return stdout;
}

/** Removes what follows from the log. */
export function removeProjections(directory: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(join(directory, `projections.db${suffix}`), { force: true });
}
