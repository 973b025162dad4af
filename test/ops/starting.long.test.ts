import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { siteOfAnotherVersion } from '../support/long-log.ts';
import { serverProcess } from '../support/server-process.ts';

it('a start that rebuilds projections of another version serves health checks throughout, and answers 503 until ready', async () => {
  const directory = await siteOfAnotherVersion(6000);
  const path = join(directory, 'projections.db');
  const server = await serverProcess(directory, {});
  onTestFinished(() => server.kill());
  const started = server.start();
  const seen = {
    live: new Set<number>(),
    ready: new Set<number>(),
    index: new Set<number>(),
    reasons: new Set<string>(),
  };
  const ask = async (of: string) => {
    const answer = await fetch(`${server.url}${of}`);
    return { status: answer.status, headers: answer.headers, body: await answer.json() };
  };
  const listens = async () => (await ask('/health/live').catch(() => null)) !== null;
  while (!(await listens()));
  let oldSeen = false;
  for (let more = 20; more > 0; ) {
    const [live, ready, index] = await Promise.all(['/health/live', '/health/ready', '/cms-json/'].map(ask));
    seen.live.add(live?.status ?? 0);
    seen.ready.add(ready?.status ?? 0);
    seen.index.add(index?.status ?? 0);
    const told = ready?.body as { reasons?: { code: string }[] };
    for (const { code } of told.reasons ?? []) seen.reasons.add(code);
    if (index?.status === 503) {
      expect(index.headers.get('retry-after')).toBe('5');
      expect(index.body).toMatchObject({ code: 'rest_starting', data: { status: 503 } });
      oldSeen ||= existsSync(path) && existsSync(join(directory, 'rebuild'));
    }
    if (ready?.status === 200) more -= 1;
  }
  await started;
  // Then lists may have to wait for their indexes for a moment.
  seen.reasons.delete('indexes_loading');
  expect(seen).toEqual({
    live: new Set([200]),
    ready: new Set([503, 200]),
    index: new Set([503, 200]),
    reasons: new Set(['starting']),
  });
  // The old projections exist until the new ones are complete.
  expect(oldSeen).toBe(true);
  await server.stop();
});
