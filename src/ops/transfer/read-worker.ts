import { parentPort } from 'node:worker_threads';
import { createReading } from './reading.ts';

/** Reads an export in this thread: each piece that it is sent is answered with what it came to. */
const reading = createReading();
parentPort?.on('message', (piece: Uint8Array | null) => {
  const batch = reading(piece);
  parentPort?.postMessage(batch, [batch.memory]);
});
