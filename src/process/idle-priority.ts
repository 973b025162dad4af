import { spawnSync } from 'node:child_process';
import { constants, setPriority } from 'node:os';

export function lowerToIdlePriority(): void {
  setPriority(constants.priority.PRIORITY_LOW);
  if (process.platform !== 'linux') return;
  // There a priority is that of one thread, and others wait some milliseconds until its turn is over; after an idle one they
  // need not wait. Where this program is missing, the priority has to do.
  spawnSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(process.pid)], { stdio: 'ignore' });
}
