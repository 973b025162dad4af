import { on } from 'node:events';
import { type ShownProgress, Stopped } from '../progress.ts';
import { startThread } from '../threads.ts';
import { type ReplayJob, replayLog } from './replay-log.ts';

export interface Replay extends ReplayJob {
  readonly from: number;
  readonly progress: ShownProgress;
  readonly signal: AbortSignal;
}

export class ReplayFailed extends Error {
  override readonly name = 'ReplayFailed';
}

/** Up to this number of events a replay is faster than starting a thread. */
const few = 2000;

/** Brings projections to a position; uses a worker thread for many events, so that this thread stays responsive. Throws `ReplayFailed`. */
export async function replayRange({ from, progress, signal, ...job }: Replay): Promise<void> {
  if (job.to <= from && job.followTo === undefined) return;
  try {
    if (job.to - from <= few) replayLog(job, () => undefined);
    else await catchUpInWorker(job, progress, signal);
  } catch (error) {
    if (error instanceof Stopped || signal.aborted) throw new Stopped('stopped', { cause: error });
    throw new ReplayFailed((error as Error).message, { cause: error });
  }
  await progress.at(job.to);
}

const resourceLimits = { maxYoungGenerationSizeMb: 16 };

async function catchUpInWorker(job: ReplayJob, progress: ShownProgress, signal: AbortSignal): Promise<void> {
  const thread = startThread(new URL('./replay-worker.ts', import.meta.url), { workerData: job, resourceLimits });
  const { worker } = thread;
  // The work waits for it.
  worker.ref();
  try {
    const positions = on(worker, 'message', { close: ['exit'], signal }) as AsyncIterable<[number]>;
    for await (const [position] of positions) await progress.at(position);
  } finally {
    await thread.end();
  }
}
