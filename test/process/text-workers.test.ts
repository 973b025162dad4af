import { describe, expect, it } from 'vitest';
import { createTextWorkers } from '#process/text-workers.ts';
import { threadOf } from '../support/thread-of.ts';

const work = { job: 'title', texts: ['a "title"'] } as const;

describe('worker threads for texts', () => {
  it('return the result of a job to many concurrent callers', async () => {
    const elsewhere = createTextWorkers();
    const results = await Promise.all(Array.from({ length: 20 }, () => elsewhere(work)));
    expect(new Set(results)).toEqual(new Set(['"a &#8220;title&#8221;"']));
  });

  it('complete work that arrives while an idle thread ends', async () => {
    const elsewhere = createTextWorkers({ idleTime: 1 });
    for (let i = 0; i < 5; i++) {
      expect(await elsewhere(work)).toContain('title');
      const until = performance.now() + (i % 3);
      await new Promise((resolve) => setTimeout(resolve, 1));
      while (performance.now() < until);
    }
  });

  it.each([
    ['ends', "parentPort.once('message', () => process.exit(1));", /ended/, 60_000],
    ['fails', "parentPort.once('message', () => { throw new Error('broken'); });", /ended/, 60_000],
    ['cannot start', "throw new Error('broken');", /ended/, 60_000],
    [
      'says that it could not',
      "parentPort.on('message', () => parentPort.postMessage({ fault: 'no' }));",
      /no/,
      60_000,
    ],
    ['never says anything', "parentPort.on('message', () => { for (;;); });", /ended/, 500],
  ])('reject the job, and go on to the next one, when a thread %s', async (_, code, message, deadline) => {
    const elsewhere = createTextWorkers({ file: threadOf(code), deadline });
    const results = await Promise.allSettled([elsewhere(work), elsewhere(work)]);
    for (const result of results) expect(String((result as PromiseRejectedResult).reason)).toMatch(message);
  });
});
