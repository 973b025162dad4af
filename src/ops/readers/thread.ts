import { getPriority, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { createReaderApp } from '#http/app/reader.ts';
import type { Source } from '#http/feed/source.ts';
import { limitThreadHeap } from '#process/heap-limits.ts';
import { isDamage } from '#projections/kernel/sums.ts';
import { compute } from '#text/prepared-texts.ts';
import { openFollowing, readerOptions, Unavailable, unavailable } from './parts.ts';
import type { FromReader, ReaderAnswer, ReaderData, ReaderQuestion, ToReader } from './reader-thread.ts';

/** A thread that answers long reads, for as long as its parent wants. */

/** Nice value at which short requests come first when processors are scarce, while long reads still get a share. */
const priority = 5;
/** Milliseconds to wait for what the writer publishes right after its commit, and how often. */
const moment = 1;
const moments = 200;

// Only on Linux does a priority belong to a single thread.
if (process.platform === 'linux') setPriority(Math.max(getPriority(), priority));

const opened = openFollowing(workerData as ReaderData);
const { following, states } = opened;
const { reader, log } = following;
const source: Source = { model: () => reader, read: (query) => log.read(query), changed: unavailable };
const audited = { reader, log, past: following.past };
const app = createReaderApp({ ...readerOptions(opened, source), pages: () => reader, audited, unavailable });

let asked = Promise.resolve();
parentPort?.on('message', (message: ToReader) => {
  if (message.kind === 'published') following.publish(message.published);
  else asked = asked.then(async () => say({ kind: 'answer', ...(await answered(message)) }));
});
limitThreadHeap();
say({ kind: 'ready' });
work();

/** The answer; without one, why. */
async function answered(question: ReaderQuestion): Promise<Omit<Extract<FromReader, { kind: 'answer' }>, 'kind'>> {
  const past = 'past' in question ? question.past : null;
  try {
    // Made before the snapshot is taken, which must not be held for long.
    if (past !== null) states?.at(past);
    return { answer: await answerNow(question) };
  } catch (error) {
    const isAnsweredElsewhere = past === null && question.kind !== 'visit';
    if (isAnsweredElsewhere || error instanceof Unavailable) return { answer: null };
    if (isDamage(error)) states?.discard();
    return { answer: null, fault: error };
  }
}

/** The answer, as of one position. */
async function answerNow(question: ReaderQuestion): Promise<ReaderAnswer> {
  if (question.kind === 'compute') return question.works.map(compute);
  for (let waited = 0; !following.begin(); waited++) {
    if (waited === moments) return null;
    await sleep(moment);
  }
  const { position } = reader;
  try {
    if (question.kind === 'late') return app.late(question.work);
    if (question.kind === 'visit') return app.visit(question.address);
    const made = question.kind === 'read' ? await app.read(question.read) : await app.page(question.url);
    return { ...made, position };
  } finally {
    following.end();
  }
}

function say(message: FromReader): void {
  const moved = message.kind === 'answer' && message.answer !== null && 'reply' in message.answer;
  parentPort?.postMessage(message, moved ? [message.answer.reply.body.buffer as ArrayBuffer] : []);
}

function work(): void {
  setTimeout(work, following.work() || states?.work() === true ? 2 : 1000).unref();
}
