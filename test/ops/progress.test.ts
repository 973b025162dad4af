import { WriteStream } from 'node:tty';
import { describe, expect, it } from 'vitest';
import { progressOn, Stopped, textOf } from '#ops/progress.ts';

/** A stream that keeps what is written to it; as a terminal it only says that it is one. */
function recorder(isTTY: boolean) {
  const written: string[] = [];
  const stream = Object.create(WriteStream.prototype, {
    isTTY: { value: isTTY },
    columns: { value: 200 },
    write: { value: (text: string) => written.push(text) > 0 },
  }) as NodeJS.WriteStream;
  return { stream, text: () => written.join('') };
}

const task = { name: 'counting', total: 1000, unit: 'events' };
const going = new AbortController().signal;

describe('progress', () => {
  it('tells rate and time left', () => {
    expect(textOf(task, 250, 5000)).toBe('counting: 250 of 1,000 events, 50/s, 15 s left');
    expect(textOf({ ...task, total: 1_000_000 }, 1000, 1000)).toMatch(/ 16 min 39 s left$/);
    expect(textOf({ ...task, total: 1_000_000 }, 100, 1000)).toMatch(/ 2 h 46 min left$/);
  });

  it('counts only what this run has done towards the rate', () => {
    expect(textOf({ ...task, from: 200 }, 250, 5000)).toBe('counting: 250 of 1,000 events, 10/s, 1 min 15 s left');
  });

  it('tells no time left where the end is not known', () => {
    expect(textOf({ ...task, total: 0 }, 250, 5000)).toBe('counting: 250 events, 50/s');
  });

  it('is plain lines where there is no terminal, one in five seconds', async () => {
    const { stream, text } = recorder(false);
    let now = 0;
    const progress = progressOn({ stream, signal: going, clock: () => now })(task);
    for (let done = 0; done <= 1000; done += 10) {
      now = done * 12;
      await progress.at(done);
    }
    progress.end();
    expect(text().split('\n')).toEqual([
      'counting: 420 of 1,000 events, 83/s, 7 s left',
      'counting: 840 of 1,000 events, 83/s, 2 s left',
      '',
    ]);
  });

  it('is a bar on a terminal, which goes when the work is done', async () => {
    const { stream, text } = recorder(true);
    let now = 0;
    const progress = progressOn({ stream, signal: going, clock: () => now })(task);
    now = 1000;
    await progress.at(500);
    progress.end();
    expect(text()).toContain('████████████░░░░░░░░░░░░ counting: 500 of 1,000 events, 500/s, 1 s left');
    expect(text().endsWith('\n')).toBe(false);
  });

  it('ends the work when somebody wants that', async () => {
    const { stream } = recorder(false);
    const stop = new AbortController();
    let now = 0;
    const progress = progressOn({ stream, signal: stop.signal, clock: () => now })(task);
    now = 100;
    await progress.at(1);
    stop.abort();
    now = 200;
    await expect(progress.at(2)).rejects.toThrow(Stopped);
  });
});
