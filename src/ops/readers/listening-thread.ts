import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { Server as TcpServer } from 'node:net';
import { MessageChannel, type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { buildApp } from '#http/app/app.ts';
import { createConnections } from '#http/server/connections.ts';
import type { HandOver } from '#http/server/exchange.ts';
import { hasBody } from '#http/server/intake.ts';
import { addressReader } from '#http/server/origin.ts';
import { limitThreadHeap } from '#process/heap-limits.ts';
import { PortSocket } from '#process/port-socket.ts';
import { createLogger } from '../logger.ts';
import { limitTogether } from './connection-count.ts';
import { handOverTo } from './hand-over.ts';
import type { FromListening, ListeningData, Observed, ToListening } from './listening-readers.ts';
import { elsewhere, openFollowing, readerOptions, unavailable } from './parts.ts';

/** A thread that shares the port: answers plain reads, and hands everything else over to its parent. */

/** Milliseconds between two reports of what was answered. */
const reportEvery = 1000;
/** Milliseconds for which reads share a snapshot, unless more is published. */
const shared = 10;
/** Bytes of garbage that short requests may leave before it is collected at once. */
const garbage = 32 * 1024 * 1024;
const hour = 60 * 60 * 1000;

const port = parentPort ?? unavailable();
const { env, told, connections: count, isTerminal } = workerData as ListeningData;
const opened = openFollowing({ env });
const { config, following } = opened;
const { reader } = following;
const connections = createConnections();
let observed = nothing();
/** Messages about commits that have been taken. */
let taken = 0;
/** How many of them the open snapshot shows. */
let shown = 0;
let isClosing = false;
let isOpen = false;
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

// The live feed is limited for all threads together, so the main thread serves it.
const options = readerOptions(opened, { model: unavailable, read: unavailable, changed: unavailable });
const app = buildApp({
  ...options,
  handOver,
  loginThrottle: elsewhere(),
  store: { ...options.store, uses: { note: noteUse() } } as NonNullable<typeof options.store>,
  host: {
    ...options.host,
    // Long reads are answered by the thread that the main one has for them.
    pool: {
      isReady: true,
      wake: unavailable,
      read: unavailable,
      page: unavailable,
      late: unavailable,
      compute: unavailable,
    },
  },
  // Whoever asks for more than is shown here is answered by the main thread.
  recency: {
    position: () => reader.position,
    acknowledged: () => 0,
    asked: () => undefined,
    changed: unavailable,
    ageMs: () => 0,
    wait: 0,
  },
  health: { position: unavailable, reasons: unavailable },
  origins: { addressOf: addressReader(config.trustedProxies) },
  logger: createLogger({ level: config.logLevel, isTerminal }),
  meter: {
    request: noteRequest,
    read(source) {
      observed.reads[source] += 1;
    },
    attempt: unavailable,
  },
});
await app.ready();
const { server } = app;
const [answer] = server.listeners('request') as RequestListener[];
server.removeAllListeners('request');
server.on('request', (request, response) => {
  connections.note(request, response);
  if (!isPlain(request) || !showsAll()) return handOver(request, response);
  unanswered.add(response);
  answer?.(request, response);
});
limitTogether(server, count, config.connections);
server.on('drop', () => {
  observed.dropped += 1;
});
port.on('message', take);
limitThreadHeap(garbage);
setInterval(report, reportEvery).unref();
server.listen({ host: config.host, port: config.port, reusePort: true }, () => say({ kind: 'ready' }));
work();

function isPlain(request: IncomingMessage): boolean {
  return (request.method === 'GET' || request.method === 'HEAD') && !hasBody(request);
}

/** Whether reads show all that has been acknowledged: takes first what has been published and not been taken. */
function showsAll(): boolean {
  if (isClosing) return false;
  if (isOpen && shown === Atomics.load(told, 0)) return true;
  if (!release()) return false;
  while (taken !== Atomics.load(told, 0)) {
    const next = receiveMessageOnPort(port);
    if (next === undefined) return false;
    take(next.message);
  }
  isOpen = following.begin();
  shown = taken;
  if (isOpen) setTimeout(releaseSoon, shared);
  return isOpen;
}

/** Ends the snapshot, unless an answer is still made from it. */
function release(): boolean {
  for (const response of unanswered) if (response.headersSent || response.closed) unanswered.delete(response);
  if (unanswered.size > 0) return false;
  if (isOpen) following.end();
  isOpen = false;
  return true;
}

function releaseSoon(): void {
  if (!release()) setTimeout(releaseSoon, shared);
}

function take(message: ToListening): void {
  if (message.kind === 'published') {
    taken = (taken + 1) | 0;
    following.publish(message.published);
  } else if (message.kind === 'stopping') connections.close();
  else if (message.kind === 'leave') leave();
  else end();
}

function work(): void {
  setTimeout(work, release() && following.work() ? 2 : 1000).unref();
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

function nothing(): Observed {
  return { requests: new Map(), reads: { kept: 0, ready: 0, made: 0, thread: 0 }, dropped: 0 };
}

function noteRequest(route: string, method: string, status: number, ms: number): void {
  const key = `${route} ${method} ${status}`;
  const known = observed.requests.get(key);
  if (known === undefined) observed.requests.set(key, { route, method, status, durations: [ms] });
  else known.durations.push(ms);
}

function report(): void {
  say({ kind: 'observed', observed });
  observed = nothing();
}

/** Takes no more connections, and hands over what those send that it has. Ends when they have ended. */
function leave(): void {
  if (isClosing) return;
  isClosing = true;
  connections.close();
  const exit = () => {
    report();
    process.exit();
  };
  // Connections that have arrived are accepted first. Those without a request are kept, unlike when an HTTP server closes.
  setImmediate(() => TcpServer.prototype.close.call(server, exit));
}

/** The same without those that have sent no request, or have got their last answer. */
function end(): void {
  leave();
  setInterval(() => server.closeIdleConnections(), 50);
}

function say(message: FromListening, moved: MessagePort[] = []): void {
  port.postMessage(message, moved);
}
