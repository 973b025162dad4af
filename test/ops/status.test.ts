import { existsSync, rmSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { lockDirectory } from '#eventstore/lock.ts';
import { performLocally } from '#ops/local-verb.ts';
import { serve } from '#ops/serve.ts';
import { status } from '#ops/status.ts';
import { readConfig } from '../../src/config.ts';
import { temporaryDirectory } from '../support/temporary.ts';

async function statusOf(dataDir: string) {
  const ended = await performLocally(status, {}, { settings: () => readConfig({ DATA_DIR: dataDir }), json: true });
  if (!('value' in ended)) return ended;
  return { ...(ended.value as Record<string, unknown>), text: ended.text };
}

it('`status` tells which process uses a data directory and the state of the server', async () => {
  const dataDir = temporaryDirectory();
  const write = process.stdout.write;
  process.stdout.write = () => true;
  const server = await serve({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' }).finally(() => {
    process.stdout.write = write;
  });
  const running = await statusOf(dataDir);
  await server.close();
  expect(running).toMatchObject({
    dataDir,
    heldBy: 'server',
    server: { process: process.pid, address: server.url, notReady: [], rebuild: null, lagEvents: 0, eventStore: null },
    bytes: { log: expect.any(Number), media: 0, free: expect.any(Number) },
    verified: null,
    media: null,
    backups: { to: null, last: null, drill: null },
    text: expect.stringContaining(`held by         server, process ${process.pid}\n`),
  });
  expect(running).toMatchObject({ text: expect.stringMatching(/^last backup +none was made here$/m) });
  expect(await statusOf(dataDir)).toMatchObject({ heldBy: 'nobody', server: null });
  const unlock = lockDirectory(dataDir);
  onTestFinished(unlock);
  expect(await statusOf(dataDir)).toMatchObject({ heldBy: 'another process', server: null });
});

it('`status` does not create a missing folder', async () => {
  const dataDir = temporaryDirectory();
  rmSync(dataDir, { recursive: true });
  expect(await statusOf(dataDir)).toMatchObject({ kind: 'unavailable', message: expect.stringContaining('DATA_DIR') });
  expect(existsSync(dataDir)).toBe(false);
});
