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
// The example of docs/plugins.md, in every process that is started.
const withGuestbook = { DEPLOYMENT: 'B', NODE_OPTIONS: `--import=${root}test/support/with-guestbook.ts` };
let server: ServerProcess;

const cli = async (...args: readonly string[]) => {
  const env = { ...withGuestbook, DATA_DIR: server.directory };
  return (await promisify(execFile)(process.execPath, ['src/cli.ts', ...args], { cwd: root, env })).stdout;
};

async function sign(login: string, words: string): Promise<void> {
  const { password } = JSON.parse(await cli('user', 'add', login, '--role', 'subscriber', '--json'));
  const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': login };
  const answer = await fetch(`${server.url}/cms-json/guestbook/v1/sign`, {
    ...{ method: 'POST', headers, body: JSON.stringify({ words }) },
  });
  expect(answer.status).toBe(200);
}

it('a user who is erased leaves nothing of what the plugin of docs/plugins.md keeps, in no file and in no export', {
  timeout: 120_000,
}, async () => {
  server = await serverProcess(temporaryDirectory(), withGuestbook);
  onTestFinished(() => server.stop());
  await server.start();
  await sign('ada', WORDS);
  await sign('grace', OTHERS);
  expect(filesWith(server.directory, WORDS)).not.toEqual([]);

  await cli('erase', 'user', 'ada', '--yes');
  const folder = temporaryDirectory();
  await cli('export', join(folder, 'site.ndjson'));
  expect([...filesWith(server.directory, WORDS), ...filesWith(folder, WORDS)]).toEqual([]);
  expect(filesWith(folder, OTHERS)).toEqual(['site.ndjson']);

  const { data } = (await (await fetch(`${server.url}/cms-json/guestbook/v1/entries`)).json()) as Shown;
  expect(data.map(({ words }) => words)).toEqual(['', OTHERS]);
  // Gone by an order, and not lost.
  const { checks } = JSON.parse(await cli('verify', '--json')) as Verified;
  expect(checks.find(({ check }) => check === 'texts')).toMatchObject({ result: 'ok' });
});

type Shown = { readonly data: readonly { readonly words: string }[] };
type Verified = { readonly checks: readonly { readonly check: string }[] };
