import { parentPort } from 'node:worker_threads';
import { onTheSpot, type TextWork } from '#text/elsewhere.ts';

parentPort?.on('message', (work: TextWork) => {
  try {
    parentPort?.postMessage({ result: onTheSpot(work) });
  } catch (error) {
    parentPort?.postMessage({ fault: error instanceof Error ? error.message : String(error) });
  }
});
