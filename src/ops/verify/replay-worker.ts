import { parentPort, workerData } from 'node:worker_threads';
import { type ReplayJob, replayLog } from './replay-log.ts';

/** Replays a log in this thread; sends the positions that it comes to. */
replayLog(workerData as ReplayJob, (position) => parentPort?.postMessage(position));
