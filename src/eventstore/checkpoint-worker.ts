import { DatabaseSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';
import { checkpointOn } from './checkpoint.ts';

parentPort?.on('message', (path: string) => {
  const db = new DatabaseSync(path, { timeout: 5000 });
  const made = checkpointOn(db);
  db.close();
  parentPort?.postMessage(made);
});
