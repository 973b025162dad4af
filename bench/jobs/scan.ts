/** The limit of a rebuild: every row of the log read once, in order, and discarded. */
import { DatabaseSync } from 'node:sqlite';

process.on('message', ({ path }: { path: string }) => process.send?.(run(path)));
process.on('disconnect', () => process.exit());

function run(path: string): { events: number; seconds: number } {
  const started = performance.now();
  const db = new DatabaseSync(path, { readOnly: true });
  db.exec('PRAGMA mmap_size = 2147418112');
  const scan = db.prepare('SELECT * FROM events ORDER BY position');
  scan.setReturnArrays(true);
  let events = 0;
  for (const _row of scan.iterate()) events += 1;
  db.close();
  return { events, seconds: (performance.now() - started) / 1000 };
}
