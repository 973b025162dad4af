import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { startChild } from '../../support/child.ts';
import { eventually } from '../../support/patience.ts';

const there = spawnSync('chrt', ['--max']).status === 0;
/** The system’s number of the scheduling policy. */
const idle = '5';

describe.skipIf(!there)('a process with idle priority (where the system can tell)', () => {
  it('has it on all of its threads', async () => {
    const child = startChild('stepped-back.ts');
    await eventually(() => expect(child.lines).toContain('all'));
    const threads = child.lines.slice(0, -1);
    expect(threads.length).toBeGreaterThan(1);
    expect(threads.map((line) => line.split(' ')[1])).toEqual(threads.map(() => idle));
    expect(threads.map((line) => line.split(' ')[0])).toContain('19');
  });
});
