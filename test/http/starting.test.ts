import { describe, expect, it, onTestFinished } from 'vitest';
import { listenWhileStarting } from '#http/server/starting.ts';
import { freePort } from '../support/free-port.ts';
import { listen } from '../support/sse.ts';

async function starting() {
  const port = await freePort();
  const health = { reasons: () => [{ code: 'starting', message: 'it starts' }] as const };
  const server = await listenWhileStarting({
    ...{ host: '127.0.0.1', port, isShared: false, socket: null, health, newId: () => 'id' },
  });
  onTestFinished(() => server.close());
  return port;
}

describe('a server that starts', () => {
  it('tells those who follow the feed to come back, in a stream that browsers do not give up', async () => {
    const port = await starting();
    for (const accept of ['text/event-stream', 'application/json, Text/Event-Stream;q=0.5']) {
      const feed = await listen({ port, headers: { accept } });
      await feed.end();
      expect([feed.status, feed.type, feed.retry, feed.messages]).toEqual([200, 'text/event-stream', 5000, []]);
    }
  });

  it.each([
    ['/cms-json/cms/v2/changes', 'GET', '*/*', 503],
    ['/cms-json/cms/v2/posts', 'POST', 'text/event-stream', 503],
    ['/health/ready', 'GET', 'text/event-stream', 503],
    ['/health/live', 'GET', 'text/event-stream', 200],
  ])('answers %s by %s for %s with %i', async (path, method, accept, status) => {
    const answer = await fetch(`http://127.0.0.1:${await starting()}${path}`, { method, headers: { accept } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'application/json; charset=UTF-8']);
  });
});
