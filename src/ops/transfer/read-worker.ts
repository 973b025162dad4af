import { parentPort } from 'node:worker_threads';
import { createReading } from './reading.ts';

const reading = createReading();
parentPort?.on('message', (piece: Uint8Array | null) => {
  const batch = reading(piece);
  parentPort?.postMessage(batch, [batch.memory]);
});
