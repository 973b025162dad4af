import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { type ServerProcess, serverProcess } from '../../support/server-process.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { filesWith } from './support.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const WORDS = 'Archimedes was here';
const OTHERS = 'Eratosthenes as well';
const withPlugin = { PLUGINS: `${root}examples/guestbook` };
let directory = '';

async function cli(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<string> {
  const options = { cwd: root, env: { ...env, DATA_DIR: directory } };
  return (await promisify(execFile)(process.execPath, ['src/cli.ts', ...args], options)).stdout;
}

async function started(env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const server = await serverProcess(directory, env);
  onTestFinished(() => server.stop());
  await server.start();
  return server;
}

async function sign({ url }: ServerProcess, login: string, words: string): Promise<void> {
  const { password } = JSON.parse(await cli(withPlugin, 'user', 'add', login, '--role', 'subscriber', '--json'));
  const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': login };
  const answer = await fetch(`${url}/cms-json/guestbook/v1/sign`, {
    ...{ method: 'POST', headers, body: JSON.stringify({ words }) },
  });
  expect(answer.status).toBe(200);
}

it('data of an uninstalled plugin are kept, are erased with their user, and reappear when it is installed again', async () => {
  directory = temporaryDirectory();
  const before = await started(withPlugin);
  await sign(before, 'ada', WORDS);
  await sign(before, 'grace', OTHERS);
  expect(filesWith(directory, WORDS)).not.toEqual([]);
  await before.stop();

  const without = await started({});
  expect((await fetch(`${without.url}/cms-json/guestbook/v1/entries`)).status).toBe(404);
  await cli({}, 'erase', 'user', 'ada', '--yes', '--as', 'admin', '--reason', 'an order');
  const folder = temporaryDirectory();
  const [verified, audited] = await Promise.all([
    cli({}, 'verify', '--json'),
    cli({}, 'audit', '--user', 'grace'),
    cli({}, 'export', join(folder, 'site.ndjson')),
  ]);
  expect([...filesWith(directory, WORDS), ...filesWith(folder, WORDS)]).toEqual([]);
  expect(filesWith(folder, OTHERS)).toEqual(['site.ndjson']);
  const { checks } = JSON.parse(verified) as Verified;
  expect(checks.filter(({ result }) => result === 'wrong')).toEqual([]);
  expect(audited).toContain('recorded “Signed (guestbook)”');
  await without.stop();

  const back = await started(withPlugin);
  const shown = await (await fetch(`${back.url}/cms-json/guestbook/v1/entries`)).json();
  expect(shown).toEqual([
    { user: expect.any(String), words: '' },
    { user: 'grace', words: OTHERS },
  ]);
});

type Verified = { readonly checks: readonly { readonly check: string; readonly result: string }[] };

it('a plugin that cannot be loaded makes the start and every command fail with one sentence', async () => {
  const env = { PLUGINS: './examples/nowhere', DATA_DIR: temporaryDirectory(), PORT: '0' };
  const run = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: root, env });
  const stderr = expect.stringMatching(/PLUGINS names .\/examples\/nowhere, which cannot be loaded: .*\n$/);
  await expect(run('src/cli.ts', 'status')).rejects.toMatchObject({ code: 2, stderr });
  await expect(run('src/main.ts')).rejects.toMatchObject({ code: 2, stderr });
});
