import { getPriority, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { createReaderApp } from '#http/app/reader.ts';
import type { Source } from '#http/feed/source.ts';
import { limitThreadHeap } from '#process/heap-limits.ts';
import { compute } from '#text/prepared-texts.ts';
import type { FromReader, ReaderAnswer, ReaderData, ReaderQuestion, ToReader } from './messages.ts';
import { openFollowing, readerOptions, unavailable } from './parts.ts';
import type { OwnPort } from './port.ts';
import { Snapshot } from './snapshot.ts';

/** A reader thread: answers the questions of its parent, one at a time, and shares the port if it is told to. */

/** Nice value at which short requests come first when processors are scarce, while long reads still get a share. */
const priority = 5;
/** Milliseconds to wait for what the writer publishes right after its commit, and how often. */
const moment = 1;
const moments = 200;
/** Bytes of garbage that short requests may leave before it is collected at once. */
const garbage = 32 * 1024 * 1024;

const port = parentPort ?? unavailable();
const { env, told, listens } = workerData as ReaderData;
// Only on Linux does a priority belong to a single thread.
if (process.platform === 'linux' && listens === null) setPriority(Math.max(getPriority(), priority));

const opened = openFollowing({ env });
const { following } = opened;
const { reader, log } = following;
/** Messages about commits that have been taken. */
let taken = 0;
let isAnswering = false;
let own: OwnPort | null = null;
const snapshot = new Snapshot({
  following,
  told,
  takeUntil,
  isUsed: () => isAnswering || own?.isAnswering() === true,
});
const source: Source = { model: () => reader, read: (query) => log.read(query), changed: unavailable };
const audited = { reader, log, past: following.past };
const app = createReaderApp({ ...readerOptions(opened, source), pages: () => reader, audited, unavailable });

let asked = Promise.resolve();
port.on('message', take);
limitThreadHeap(listens === null ? undefined : garbage);
if (listens !== null) own = await (await import('./port.ts')).listenOn({ opened, listens, snapshot, say });
say({ kind: 'ready' });
work();

function take(message: ToReader): void {
  if (message.kind === 'published') {
    taken = (taken + 1) | 0;
    following.publish(message.published);
  } else if (message.kind === 'ask') asked = asked.then(async () => answer(message.question));
  else own?.[message.kind]();
}

function takeUntil(count: number): boolean {
  while (taken !== count) {
    const next = receiveMessageOnPort(port);
    if (next === undefined) return false;
    take(next.message);
  }
  return true;
}

async function answer(question: ReaderQuestion): Promise<void> {
  const made = await answerTo(question).catch(() => null);
  const moved = made !== null && 'reply' in made ? [made.reply.body.buffer as ArrayBuffer] : [];
  say({ kind: 'answer', answer: made }, moved);
}

/** The answer, as of one position; null: the main thread has to answer, which meets and reports the fault if there is one. */
async function answerTo(question: ReaderQuestion): Promise<ReaderAnswer> {
  if (question.kind === 'compute') return question.works.map(compute);
  for (let waited = 0; !snapshot.begin(); waited++) {
    if (waited === moments) return null;
    await sleep(moment);
  }
  isAnswering = true;
  const { position } = reader;
  try {
    if (question.kind === 'late') return app.late(question.work);
    if (question.kind === 'visit') return app.visit(question.address);
    const made = question.kind === 'read' ? await app.read(question.read) : await app.page(question.url);
    return { ...made, position };
  } finally {
    isAnswering = false;
    snapshot.end();
  }
}

/** Indexes changed texts while nothing is answered. */
function work(): void {
  setTimeout(work, snapshot.end() && following.work() ? 2 : 1000).unref();
}

function say(message: FromReader, moved: (ArrayBuffer | MessagePort)[] = []): void {
  port.postMessage(message, moved);
}
