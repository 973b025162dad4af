import { DatabaseSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';
import { checkpointOn, type FromCheckpointThread } from './checkpoint.ts';

const say = (said: FromCheckpointThread) => parentPort?.postMessage(said);

parentPort?.on('message', (path: string) => {
  const db = new DatabaseSync(path, { timeout: 5000 });
  const made = checkpointOn(db);
  db.close();
  say(made);
});
say('loaded');
