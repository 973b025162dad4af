import { parentPort, workerData } from 'node:worker_threads';
import { type ReplayJob, replayLog } from './replay-log.ts';

/** Replays a log in this thread and sends the positions that it reaches: only once all modules are evaluated, as `startThread` says why. */
setImmediate(() => replayLog(workerData as ReplayJob, (position) => parentPort?.postMessage(position)));
