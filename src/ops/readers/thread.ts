import { getPriority, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { readConfig } from '#config.ts';
import { hostOf } from '#http/app/host.ts';
import { createReaderApp } from '#http/app/reader.ts';
import type { Crawler } from '#http/server/crawler.ts';
import { FollowingReader } from '#node/following-reader.ts';
import type { Store } from '#node/node.ts';
import { logPathOf } from '#node/parts/log.ts';
import { projectionsPathOf } from '#node/projections.ts';
import { limitThreadHeap } from '#process/heap-limits.ts';
import type { RunText } from '#text/suspended.ts';
import { appOptionsOf } from '../site-app.ts';
import type { FromReader, ReaderAnswer, ReaderQuestion, ToReader } from './reader-thread.ts';

/** A thread that answers long reads, for as long as its parent wants. */

/** Nice value at which short requests come first when processors are scarce, while long reads still get a share. */
const priority = 5;
/** Milliseconds to wait for what the writer publishes right after its commit, and how often. */
const moment = 1;
const moments = 200;

/** What only the main thread has. Whoever asks for it ends the attempt: the main thread answers. */
class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

function unavailable(): never {
  throw new Unavailable('only the main thread has it');
}

/** Stands for something that only the main thread has. */
function elsewhere<T extends object>(): T {
  return new Proxy(unavailable, { get: unavailable, apply: unavailable }) as unknown as T;
}

// Only on Linux does a priority belong to a single thread.
if (process.platform === 'linux') setPriority(Math.max(getPriority(), priority));

const config = readConfig(workerData.env);
const following = new FollowingReader({
  logPath: logPathOf(config),
  path: projectionsPathOf(config),
  names: config.names,
  network: config.plugins.cdn,
  far: { find: unavailable, counts: unavailable, comments: unavailable },
});
const { reader, log, past, cacheVersions } = following;
const runText: RunText = Object.assign(async () => unavailable(), { feed: unavailable });
const app = createReaderApp({
  ...appOptionsOf({
    config,
    clock: Date.now,
    host: {
      ...hostOf({ reader, cacheVersions, submit: unavailable, isCurrent: () => true, past }),
      runText,
    },
    model: () => reader,
    source: { model: () => reader, read: (query) => log.read(query), changed: unavailable },
    files: unavailable,
    uploads: { limit: config.uploadLimit, open: unavailable },
    store: {
      uses: elsewhere(),
      hooks: { progress: elsewhere(), isOn: config.webhooks, networks: config.webhookNetworks },
    } as Store,
    outgoing: elsewhere(),
    mayReach: unavailable,
    sizes: unavailable,
    served: { crawler: { states: unavailable } as unknown as Crawler },
  }),
  pages: () => reader,
  unavailable,
});

let asked = Promise.resolve();
parentPort?.on('message', (message: ToReader) => {
  if (message.kind === 'published') following.publish(message.published);
  else asked = asked.then(async () => say({ kind: 'answer', answer: await answered(message) }));
});
limitThreadHeap();
say({ kind: 'ready' });
work();

/** The answer, as of one position. */
async function answered(question: ReaderQuestion): Promise<ReaderAnswer> {
  for (let waited = 0; !following.begin(); waited++) {
    if (waited === moments) return null;
    await sleep(moment);
  }
  const { position } = reader;
  try {
    if (question.kind === 'texts') return app.texts(question.texts);
    const made = question.kind === 'read' ? await app.read(question.read) : await app.page(question.url);
    return { ...made, position };
  } catch {
    return null;
  } finally {
    following.end();
  }
}

function say(message: FromReader): void {
  const moved = message.kind === 'answer' && message.answer !== null && 'reply' in message.answer;
  parentPort?.postMessage(message, moved ? [message.answer.reply.body.buffer as ArrayBuffer] : []);
}

function work(): void {
  setTimeout(work, following.work() ? 2 : 1000).unref();
}
