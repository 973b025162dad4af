import { spawnSync } from 'node:child_process';
import { constants, setPriority } from 'node:os';

export function lowerToIdlePriority(): void {
  setPriority(constants.priority.PRIORITY_LOW);
  if (process.platform !== 'linux') return;
  // On Linux, a priority belongs to a single thread, and other threads wait some milliseconds until its time slice is over; an idle thread
  // is preempted at once. Without `chrt` the low priority must suffice.
  spawnSync('chrt', ['--all-tasks', '--idle', '--pid', '0', String(process.pid)], { stdio: 'ignore' });
}
