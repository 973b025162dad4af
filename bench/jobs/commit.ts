/** The limit of writing: SQLite commits of the same bytes, as durable as the event log's, and nothing else. */
import { DatabaseSync } from 'node:sqlite';
import type { CommitJob } from './committed.ts';

process.on('message', (job: CommitJob) => process.send?.({ perSecond: run(job) }));
process.on('disconnect', () => process.exit());

function run({ path, rows, perCommit, seconds }: CommitJob): number {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  db.exec('CREATE TABLE events (position INTEGER PRIMARY KEY, bytes TEXT NOT NULL)');
  const insert = db.prepare('INSERT INTO events (bytes) VALUES (?)');
  const [begin, commit] = [db.prepare('BEGIN IMMEDIATE'), db.prepare('COMMIT')];
  const started = performance.now();
  let written = 0;
  while (performance.now() - started < seconds * 1000) {
    begin.run();
    for (let i = 0; i < perCommit; i++) insert.run(rows[written++ % rows.length] ?? '');
    commit.run();
  }
  const taken = (performance.now() - started) / 1000;
  db.close();
  return written / taken;
}
