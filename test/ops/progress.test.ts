import { WriteStream } from 'node:tty';
import { describe, expect, it } from 'vitest';
import { progressOn, progressText, Stopped } from '#ops/progress.ts';

/** A stream that records what is written to it, and may claim to be a terminal. */
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
  it('shows the rate and the remaining time', () => {
    expect(progressText(task, 250, 5000)).toBe('counting: 250 of 1,000 events, 50/s, 15 s left');
    expect(progressText({ ...task, total: 1_000_000 }, 1000, 1000)).toMatch(/ 16 min 39 s left$/);
    expect(progressText({ ...task, total: 1_000_000 }, 100, 1000)).toMatch(/ 2 h 46 min left$/);
  });

  it('says nothing about the rate of the first few, and no amount before anything is done', () => {
    expect(progressText({ ...task, unit: 'posts' }, 9, 9000)).toBe('counting: 9 of 1,000 posts');
    expect(progressText({ name: 'starting', total: 0, unit: 'events' }, 0, 5000)).toBe('starting');
  });

  it('computes the rate from this run only', () => {
    expect(progressText({ ...task, from: 200 }, 250, 5000)).toBe(
      'counting: 250 of 1,000 events, 10/s, 1 min 15 s left',
    );
  });

  it('shows no remaining time if the total is unknown', () => {
    expect(progressText({ ...task, total: 0 }, 250, 5000)).toBe('counting: 250 events, 50/s');
  });

  it('is printed as plain lines without a terminal, one every five seconds', async () => {
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

  it('is a bar on a terminal, which is cleared when the work is done', async () => {
    const { stream, text } = recorder(true);
    let now = 0;
    const progress = progressOn({ stream, signal: going, clock: () => now })(task);
    now = 1000;
    await progress.at(500);
    progress.end();
    expect(text()).toContain('████████████░░░░░░░░░░░░ counting: 500 of 1,000 events, 500/s, 1 s left');
    expect(text().endsWith('\n')).toBe(false);
  });

  it('makes the work stop when it is aborted', async () => {
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
