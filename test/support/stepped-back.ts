/** Lowers this process to idle priority and writes one line per thread: its priority and its scheduling policy. */
import { readdirSync, readFileSync, writeSync } from 'node:fs';
import { lowerToIdlePriority } from '../../src/process/idle-priority.ts';

lowerToIdlePriority();
for (const thread of readdirSync('/proc/self/task')) {
  const fields = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  writeSync(1, `${fields[16]} ${fields[38]}\n`);
}
writeSync(1, 'all\n');
setInterval(() => undefined, 1000);
