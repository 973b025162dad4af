/** Locks a data directory until it is killed: `node hold-lock.ts <directory>`. Writes a line to standard output once it has the lock. */
import { writeSync } from 'node:fs';
import { lockDirectory } from '#eventstore/lock.ts';

lockDirectory(process.argv[2] ?? '');
writeSync(1, 'held\n');
setInterval(() => {}, 60_000);
