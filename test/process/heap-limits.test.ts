import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { patience } from '../support/patience.ts';

const program = `
import { limitServerHeap } from ${JSON.stringify(new URL('../../src/process/heap-limits.ts', import.meta.url).href)};
limitServerHeap();
let held = Array.from({ length: 800_000 }, (_, i) => [i]);
const most = process.memoryUsage().heapUsed;
held = null;
const look = setInterval(() => {
  if (process.memoryUsage().heapUsed < most - 16 * 1024 * 1024) clearInterval(look);
}, 50);
`;

describe('a server that has nothing to do', () => {
  it('collects its garbage', async () => {
    const args = ['--input-type=module', '-e', program];
    await expect(promisify(execFile)(process.execPath, args, { timeout: Math.round(patience) })).resolves.toBeDefined();
  });
});
