import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readConfig } from '#config.ts';
import { serve } from '#ops/serve.ts';
import { temporaryDirectory } from '../support/temporary.ts';

describe('READERS', () => {
  it('lets a server end while they start', async () => {
    for (const moment of [0, 100]) {
      const env = { DATA_DIR: temporaryDirectory(), PORT: '0', LOG_LEVEL: 'silent', READERS: '1', STOP_DELAY: '0' };
      const started = await serve(env);
      await sleep(moment);
      await started.close();
    }
  });

  it('lets a process end at once while they start', async () => {
    const folder = temporaryDirectory();
    for (const moment of [700, 900]) {
      const server = spawn(process.execPath, ['src/bin.js', 'start'], {
        env: { PATH: process.env['PATH'], DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent', READERS: '2' },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const gone = once(server, 'exit');
      await once(server.stdout, 'data');
      await sleep(moment);
      server.kill();
      await sleep(20);
      // Whoever asks twice does not wait for anything.
      server.kill();
      // A signal that comes before it has a handler, or after that is removed, ends the process itself. Any other would be an abort.
      expect([
        [0, null],
        [1, null],
        [null, 'SIGTERM'],
      ]).toContainEqual(await gone);
    }
  });

  it('is refused where a port cannot be shared', async () => {
    const env = { DATA_DIR: temporaryDirectory(), PORT: '0', LOG_LEVEL: 'silent', READERS: '1' };
    const passedOn = { LISTEN_PID: String(process.pid), LISTEN_FDS: '1' };
    await expect(serve({ ...env, ...passedOn })).rejects.toMatchObject({
      code: 'ERR_READERS_PORT',
      message: expect.stringContaining('READERS'),
    });
    await using taken = new AsyncDisposableStack();
    const other = createServer().listen(0, '127.0.0.1');
    taken.defer(async () => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expect(serve({ ...env, PORT: String(port) })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    expect(() => readConfig({ ...env, EVENTSTORE_URL: 'esdb://127.0.0.1:2113?tls=false' })).toThrow('READERS');
  });
});
