import { parentPort } from 'node:worker_threads';
import { computeHere, type TextWork } from '#text/suspended.ts';

parentPort?.on('message', (work: TextWork) => {
  try {
    parentPort?.postMessage({ result: computeHere(work) });
  } catch (error) {
    parentPort?.postMessage({ fault: error instanceof Error ? error.message : String(error) });
  }
});
