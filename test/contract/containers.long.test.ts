import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';

it('tests on real servers are skipped with one visible line unless requested, even where Docker runs', async () => {
  let calls = 0;
  const docker = createServer((socket) => {
    calls += 1;
    socket.destroy();
  }).listen(0, '127.0.0.1');
  await once(docker, 'listening');
  const address = docker.address();
  if (address === null || typeof address === 'string') throw new Error('no port');

  const { CI_CONTAINERS: _asked, ESDB_URL: _server, REPORTS: _reports, LONG: _long, ...environment } = process.env;
  const { code, output } = await run({ ...environment, DOCKER_HOST: `tcp://127.0.0.1:${address.port}` });
  docker.close();

  expect({ code, calls }).toEqual({ code: 0, calls: 0 });
  expect(output.split('\n').filter((line) => line.includes('left out'))).toEqual([
    'left out: the contract of event logs on real servers (npm run test:containers, or ESDB_URL=esdb://…)',
  ]);
});

async function run(env: NodeJS.ProcessEnv): Promise<{ readonly code: number | null; readonly output: string }> {
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', 'test/contract/eventstore.server.test.ts'];
  const child = spawn(process.execPath, vitest, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [code] = await once(child, 'close');
  return { code, output };
}
