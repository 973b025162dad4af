import { parentPort, workerData } from 'node:worker_threads';
import { type ReplayJob, replayLog } from './replay-log.ts';

/** Replays a log in this thread and sends the positions that it reaches. */
replayLog(workerData as ReplayJob, (position) => parentPort?.postMessage(position));
