import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { computeHere, type TextWork } from '#text/suspended.ts';

/** Nice value at which requests come first when processors are scarce, while texts still get a share. */
const priority = 10;

// Only on Linux does a priority belong to a single thread.
if (process.platform === 'linux') setPriority(Math.max(getPriority(), priority));

parentPort?.on('message', (work: TextWork) => {
  try {
    parentPort?.postMessage({ result: computeHere(work) });
  } catch (error) {
    parentPort?.postMessage({ fault: error instanceof Error ? error.message : String(error) });
  }
});
