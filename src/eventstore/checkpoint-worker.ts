import { DatabaseSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';
import { checkpointOn, type FromCheckpointThread, type ToCheckpointThread } from './checkpoint.ts';

const say = (said: FromCheckpointThread) => parentPort?.postMessage(said);

parentPort?.on('message', ({ path, syncs }: ToCheckpointThread) => {
  const db = new DatabaseSync(path, { timeout: 5000 });
  const made = checkpointOn(db, { syncs });
  db.close();
  say(made);
});
say('loaded');
