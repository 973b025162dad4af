import { join } from 'node:path';
import { ViewsOnDisk } from '#projections/views/intact.ts';
import type { StartProgress } from '../progress.ts';
import { type Check, counted, findingsOf, skipped } from './check.ts';

/** Views between two looks at the clock. */
const stride = 500;
/** How often it is tried again when a server has put others in their place. */
const tries = 3;

/** Checks that the answers which are kept ready are what they were when they were made: what is sent is not made again. */
export async function checkViews(dataDir: string, progress: StartProgress): Promise<Check> {
  const views = new ViewsOnDisk(join(dataDir, 'views'));
  for (let i = 0; i < tries; i++) {
    const state = views.state();
    if (state === null) return skipped('answers', 'none are kept ready; a server makes them');
    const check = await examine(views, progress);
    // Files of a name can be other ones by now: only what stays so is a fault.
    if (check.result === 'ok' || views.state() === state) return check;
  }
  return skipped('answers', 'they change all the time');
}

async function examine(views: ViewsOnDisk, progress: StartProgress): Promise<Check> {
  const findings = findingsOf('answers');
  const task = progress({ name: 'checking the ready answers', total: 0, unit: 'answers' });
  let count = 0;
  try {
    for (const { id, isIntact } of views.examine()) {
      count += 1;
      if (!isIntact)
        findings.add(`The answer that is kept ready for ${id} is not what was made; "rebuild views" mends it`);
      if (count % stride === 0) await task.at(count);
    }
  } finally {
    task.end();
  }
  return findings.end(`${counted(count, 'answers')} kept ready`);
}
