import { expect, it, onTestFinished } from 'vitest';
import { StandardEventSource } from '../support/event-source.ts';
import { eventually, found } from '../support/patience.ts';
import { serverProcess } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary.ts';

it.each([{}, { READERS: '2' }])(
  'browsers that follow the feed continue after every restart of the server, and miss nothing: %j',
  { timeout: 180_000 },
  async (env) => {
    const server = await serverProcess(temporaryDirectory(), env);
    onTestFinished(() => server.kill());
    await server.start();
    const feed = `${server.url}/cms-json/cms/v2/changes`;
    // They come back so soon that they meet the server at every stage of its start.
    const sources = Array.from({ length: 15 }, (_, i) => new StandardEventSource(feed, 20 + 20 * i));
    onTestFinished(() => sources.forEach((source) => void source.close()));
    const password = await found(() => /password {3}(.+?) {3}/.exec(server.output())?.[1]);
    const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
    const written: string[] = [];
    const write = async () => {
      const answer = await fetch(`${server.url}/cms-json/cms/v2/posts`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
        body: '{"title":"A post","status":"publish"}',
      });
      expect(answer.status).toBe(201);
      written.push(answer.headers.get('x-cms-position') ?? '');
    };
    await eventually(() => expect(sources.filter(({ lastEventId }) => lastEventId === '')).toEqual([]));
    for (let round = 0; round < 10; round++) {
      await write();
      if (round % 2 === 0) await server.stop();
      else await server.kill();
      await server.start();
      expect(sources.map(({ readyState }) => readyState)).not.toContain(2);
      await write();
    }
    await eventually(() => {
      for (const { messages } of sources) expect(messages.map(({ id }) => id)).toEqual(written);
    });
    for (const { readyState, opened } of sources) expect([readyState, opened > 10]).toEqual([1, true]);
  },
);
