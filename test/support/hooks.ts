import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { switchHook } from '#commands/hooks.ts';
import { sourceOf } from '#http/feed/source.ts';
import { startHooks } from '#http/hooks/start.ts';
import { createPoster } from '#outgoing/post.ts';
import type { Site } from './site.ts';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: {
    readonly type: string;
    readonly data: { readonly hook: number; readonly position: number; readonly commits: readonly Told[] };
  };
}

interface Told {
  readonly position: number;
  readonly changes: readonly { readonly resource: string; readonly id: number; readonly what: string }[];
}

/** A server that receives messages; `answer` returns the response status, or null to close the connection. */
export async function startReceiver(answer: (count: number) => number | null = () => 204) {
  const received: Received[] = [];
  const sockets = new Set<unknown>();
  const state = { answer };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const status = state.answer(received.length);
    if (status === null) return request.socket.destroy();
    received.push({ headers: request.headers, text, body: JSON.parse(text) });
    response.writeHead(status, status === 429 ? { 'Retry-After': '1800' } : {}).end('thank you');
    return undefined;
  });
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const commits = () => received.flatMap(({ body }) => body.data.commits ?? []);
  return {
    url: `http://127.0.0.1:${port}/take`,
    received,
    /** Connections that were made. */
    sockets,
    commits,
    /** All received changes, such as `posts 4 published`. */
    told: () =>
      commits().flatMap(({ changes }) => changes.map(({ resource, id, what }) => `${resource} ${id} ${what}`)),
    set answer(next: (count: number) => number | null) {
      state.answer = next;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Sends to the hooks of a site by the site’s clock: longer pauses end when it is advanced. */
export function sendByClock(site: Site) {
  const { store } = site.node;
  const poster = createPoster({ networks: ['127.0.0.1'] });
  const seen: string[] = [];
  const sleepers = new Set<{ readonly at: number; readonly wake: () => void }>();
  const sleep = (ms: number, signal: AbortSignal) =>
    new Promise<void>((wake) => {
      if (ms <= 100 || signal.aborted) return void setImmediate(wake);
      sleepers.add({ at: site.clock.now + ms, wake });
      signal.addEventListener('abort', () => wake());
      return undefined;
    });
  const stop = startHooks({
    source: sourceOf(store),
    progress: store.hooks.progress,
    poster,
    clock: () => site.clock.now,
    random: () => 0,
    sleep,
    version: () => store.cacheVersions.of('plugins'),
    stop: (id, why) => store.submit({ viewer: null, correlationId: 'test' }, (session) => switchHook(session, id, why)),
    witness: {
      taken: () => undefined,
      failed: (id, error, isFirst) => isFirst && seen.push(`${id} failed: ${error}`),
      recovered: (id) => seen.push(`${id} recovered`),
      stopped: (id, why) => seen.push(`${id} stopped: ${why}`),
      lost: (id) => seen.push(`${id} lost`),
    },
    onFault: (error) => seen.push(String(error)),
  });
  return {
    /** What observers were notified of. */
    seen,
    async advance(ms: number) {
      site.clock.now += ms;
      for (const sleeper of sleepers) {
        if (sleeper.at > site.clock.now) continue;
        sleepers.delete(sleeper);
        sleeper.wake();
      }
      await turn();
    },
    /** The number of pauses that are waited for. */
    sleeping: () => sleepers.size,
    stop() {
      stop();
      poster.close();
    },
  };
}
