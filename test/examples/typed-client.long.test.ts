import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { startServer } from '../support/server.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

it('gives clients types that compile and match a running server', async () => {
  await run('npm', ['run', '-s', 'types'], { cwd: root });
  await run(process.execPath, ['node_modules/typescript-7/bin/tsc', '--project', 'examples/typed-client'], {
    cwd: root,
  });

  const server = await startServer(temporaryDirectory(), root);
  try {
    const { origin } = new URL(server.root);
    const args = ['examples/typed-client/session.ts', origin, 'admin', server.password];
    const { stdout } = await run(process.execPath, args, { cwd: root });
    expect(stdout.trim().split('\n')).toEqual([
      'created Typed, publish',
      'found typed of 1',
      'changed to Typed twice',
      'has 1 revision',
      'refused with rest_post_invalid_id',
      'removed: true',
    ]);
  } finally {
    await server.stop();
  }
});
