import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { checkpointOn } from './checkpoint.ts';

const db = new DatabaseSync(workerData as string, { timeout: 5000 });
const made = checkpointOn(db);
db.close();
parentPort?.postMessage(made);
