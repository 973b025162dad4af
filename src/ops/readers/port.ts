import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Server as TcpServer } from 'node:net';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { buildApp } from '#http/app/app.ts';
import { createConnections } from '#http/server/connections.ts';
import type { HandOver } from '#http/server/exchange.ts';
import { hasBody } from '#http/server/intake.ts';
import { addressReader } from '#http/server/origin.ts';
import type { AnswerSource } from '#http/server/tracing.ts';
import { PortSocket } from '#process/port-socket.ts';
import { createLogger } from '../logger.ts';
import { limitTogether } from './connection-count.ts';
import { handOverTo } from './hand-over.ts';
import type { FromReader, Listens, Observed } from './messages.ts';
import { elsewhere, type openFollowing, readerOptions, unavailable } from './parts.ts';
import type { Snapshot } from './snapshot.ts';

interface PortParts {
  readonly opened: ReturnType<typeof openFollowing>;
  readonly listens: Listens;
  readonly snapshot: Snapshot;
  readonly say: (message: FromReader, moved?: MessagePort[]) => void;
}

/** The share of a thread in the port of the server. */
export interface OwnPort {
  readonly isAnswering: () => boolean;
  readonly stopping: () => void;
  readonly leave: () => void;
  readonly end: () => void;
}

/** Milliseconds between two reports of what was answered. */
const reportEvery = 1000;
const hour = 60 * 60 * 1000;

/** Answers plain reads on the port of the server, and hands everything else over to the main thread. */
export async function listenOn({ opened, listens, snapshot, say }: PortParts): Promise<OwnPort> {
  const { config } = opened;
  const connections = createConnections();
  const counts = new Counts();
  let isClosing = false;
  const unanswered = new Set<ServerResponse>();
  const passOn = handOverTo((address) => {
    const { port1, port2 } = new MessageChannel();
    say({ kind: 'connection', port: port2, address }, [port2]);
    return new PortSocket(port1);
  });
  const handOver: HandOver = (request, response) => {
    unanswered.delete(response);
    passOn(request, response);
  };
  const app = appOf(opened, { handOver, counts, isTerminal: listens.isTerminal });
  await app.ready();
  const { server } = app;
  const [answer] = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    connections.note(request, response);
    if (isClosing || !isPlain(request) || !snapshot.begin()) return handOver(request, response);
    unanswered.add(response);
    answer?.(request, response);
  });
  limitTogether(server, listens.connections, config.connections);
  server.on('drop', () => counts.drop());
  setInterval(() => say(counts.report()), reportEvery).unref();
  const leave = () => {
    if (isClosing) return;
    isClosing = true;
    connections.close();
    const exit = () => {
      say(counts.report());
      process.exit();
    };
    // Connections that have arrived are accepted first. Those without a request are kept, unlike when an HTTP server closes.
    setImmediate(() => TcpServer.prototype.close.call(server, exit));
  };
  await new Promise<void>((resolve) => {
    server.listen({ host: config.host, port: config.port, reusePort: true }, resolve);
  });
  return {
    isAnswering() {
      for (const response of unanswered) if (response.headersSent || response.closed) unanswered.delete(response);
      return unanswered.size > 0;
    },
    stopping: () => connections.close(),
    leave,
    end() {
      leave();
      setInterval(() => server.closeIdleConnections(), 50);
    },
  };
}

interface AppParts {
  readonly handOver: HandOver;
  readonly counts: Counts;
  readonly isTerminal: boolean;
}

function appOf(opened: PortParts['opened'], { handOver, counts, isTerminal }: AppParts): ReturnType<typeof buildApp> {
  const { config, following } = opened;
  // The live feed is limited for all threads together, so the main thread serves it.
  const options = readerOptions(opened, { model: unavailable, read: unavailable, changed: unavailable });
  return buildApp({
    ...options,
    handOver,
    loginThrottle: elsewhere(),
    store: { ...options.store, uses: { note: noteUse() } } as NonNullable<typeof options.store>,
    // Long reads are left to the pool, which the main thread asks.
    host: { ...options.host, pool: { isReady: true, ...nowhere } },
    // Whoever asks for more than is shown here is answered by the main thread.
    recency: { position: () => following.reader.position, acknowledged: () => 0, asked: () => undefined, ...current },
    health: { position: unavailable, reasons: unavailable },
    origins: { addressOf: addressReader(config.trustedProxies) },
    logger: createLogger({ level: config.logLevel, isTerminal }),
    meter: counts,
  });
}

const nowhere = {
  wake: unavailable,
  read: unavailable,
  page: unavailable,
  late: unavailable,
  compute: unavailable,
};
const current = { changed: unavailable, ageMs: () => 0, wait: 0 };

function isPlain(request: IncomingMessage): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && !hasBody(request);
}

/** Notes each password once an hour: the main thread answers that request, and notes it for the day. */
function noteUse(): (password: string) => void {
  const noted = new Map<string, number>();
  return (password) => {
    const now = Date.now();
    if (now - (noted.get(password) ?? Number.NEGATIVE_INFINITY) < hour) return;
    noted.set(password, now);
    unavailable();
  };
}

/** Counts what is answered, between two reports. */
class Counts {
  #observed = nothing();
  readonly attempt = unavailable;

  request(route: string, method: string, status: number, ms: number): void {
    const { requests } = this.#observed;
    const key = `${route} ${method} ${status}`;
    const known = requests.get(key);
    if (known === undefined) requests.set(key, { route, method, status, durations: [ms] });
    else known.durations.push(ms);
  }

  read(from: AnswerSource, count = 1): void {
    this.#observed.reads[from] += count;
  }

  drop(): void {
    this.#observed.dropped += 1;
  }

  report(): FromReader {
    const observed = this.#observed;
    this.#observed = nothing();
    return { kind: 'observed', observed };
  }
}

function nothing(): Observed {
  return { requests: new Map(), reads: { kept: 0, ready: 0, made: 0, thread: 0 }, dropped: 0 };
}
