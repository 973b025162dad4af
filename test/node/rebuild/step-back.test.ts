import { spawnSync } from 'node:child_process';
import { describe, expect, it, vi } from 'vitest';
import { startChild } from '../../support/child.ts';

const there = spawnSync('chrt', ['--max']).status === 0;
/** The system’s number of the scheduling policy. */
const idle = '5';

describe.skipIf(!there)('a process with idle priority (where the system can tell)', () => {
  it('has it on all of its threads', async () => {
    const child = startChild('stepped-back.ts');
    await vi.waitFor(() => expect(child.lines).toContain('all'), { timeout: 10_000 });
    const threads = child.lines.slice(0, -1);
    expect(threads.length).toBeGreaterThan(1);
    expect(threads.map((line) => line.split(' ')[1])).toEqual(threads.map(() => idle));
    expect(threads.map((line) => line.split(' ')[0])).toContain('19');
  });
});
