import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const start = join(import.meta.dirname, 'start.ts');

it('passes with reader threads', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [start, '--readers', '2', '--skip', 'clock']);
  expect(stdout).toMatch(/conformance: (\d+) of \1 scenarios/);
});
